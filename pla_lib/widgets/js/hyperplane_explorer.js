// The hyperplane explorer: a line and a point in the plane, and the same two in weight space, where they swap roles.
// The model's `theta` = [b, w1, w2] is the line, `point` the point, `reach` how far the two pictures reach, `start` the
// line and the point of the beginning, and `step` where the tour is.

import { count, lineNumbers, numbers } from "./address.js";
import { change, facts, follow, slider } from "./controls.js";
import { arrow, element, path, pathShape, pictureWithHandles, polygon, setAttributes, shape } from "./dom.js";
import { clamp, mix, motion, phase } from "./motion.js";
import { fittedPicture } from "./picture.js";
import { axes, dot, freePlace, halfPlane, handle, inside, lineName, planeAroundOrigin } from "./plane.js";
import { shell } from "./shell.js";
import { transport } from "./transport.js";
import { number, signed, vector } from "./wording.js";

const EDGE = 14; // how far from the edge of the picture points must stay
const SHORTEST = 0.2; // the least length of w, as a part of the greatest: at w = 0 there would be no line
const FARTHEST = 0.6; // how far the slider shifts the line from the origin, as a part of the picture's reach
const LONGEST_ARROW = 96; // pixels of the arrow w in the plane when w has its greatest length
// Milliseconds of a motion, as in run_picture.js, which this widget has no other use for: its page stays light.
const UPDATE = 600;
const SWING = 260;
const STAY = 3200; // milliseconds that a step of the tour stays: time to read a sentence
const RADIANS = Math.PI / 180;

const sum = (a, b, factor = 1) => a.map((value, k) => value + factor * b[k]);
const isEqual = (a, b) => a.every((value, k) => value === b[k]);
const sideName = (score) => (score > 0 ? "positive" : "negative");

// Score, signed distance and foot of x, as pla_lib.Hyperplane gives them. What is mere rounding counts as zero.
function measurePoint([b, ...w], x) {
  const computed = dot(w, x) + b;
  const norm = Math.hypot(...w);
  const score = Math.abs(computed) < 1e-13 * (Math.hypot(...x) * norm + Math.abs(b)) ? 0 : computed;
  const distance = score / norm;
  const rounding = 1e-13 * (Math.hypot(...x) + Math.abs(distance));
  const foot = sum(x, w, -distance / norm).map((value) => (Math.abs(value) < rounding ? 0 : value));
  return { w, b, x, score, norm, distance, foot };
}

// What the point scores, on which side of the line it is and how far away, and the same in weight space.
function describePoint({ x, score, norm, distance }) {
  const side = sideName(score);
  const dualText = x.some(Boolean)
    ? `In weight space, w is on ${score === 0 ? "" : `the ${side} side of `}the line of the point.`
    : "The point is the origin, so it has this score for every w.";
  const quotient = `${number(Math.abs(score))}\u00a0/\u00a0${number(norm)} = ${number(Math.abs(distance))}`;
  const place =
    score === 0
      ? "It is on the line."
      : `It is on the ${side} side, at distance |score| / \u2016w\u2016 = ${quotient}.`;
  return `The point ${vector(x)} scores w\u2032x + b = ${signed(score)}. ${place} ${dualText}`;
}

// The vector of this direction and length; the sine of 180 degrees is zero.
function pointing(angle, length) {
  return [Math.cos(angle), Math.sin(angle)].map((value) => (Math.abs(value) < 1e-15 ? 0 : length * value));
}

// The tour: states { theta, point } with a true sentence each and the reason for it, computed from the line and the
// point of the beginning. `isDual` says that weight space is the place to look.
function tourFrom({ theta, point }, reach) {
  const first = measurePoint(theta, point);
  const unit = first.w.map((value) => value / first.norm);
  const states = [];
  function add(state, text, why, isDual = false) {
    states.push({ ...state, text, why, isDual });
    return measurePoint(state.theta, state.point);
  }
  const where = first.score === 0 ? "on the line" : `on the ${sideName(first.score)} side`;
  const opening = `The point scores ${signed(first.score)}, so it is ${where}. Drag it, or press Next.`;
  add({ theta, point }, opening, describePoint(first));

  // The point walks to the line, and beyond it just as far, if the picture has room.
  const foot = first.foot;
  const away = number(Math.abs(first.distance));
  const toFoot = first.score
    ? `The point moves straight to the line, a distance of ${away}. On the line, the score is 0.`
    : "The point is on the line. Every point of the line scores 0.";
  const whyFoot = first.score
    ? `A step of length 1 along w changes the score by \u2016w\u2016 = ${number(first.norm)}. ` +
      `So the score becomes 0 after |score|\u00a0/\u00a0\u2016w\u2016 = ` +
      `${number(Math.abs(first.score))}\u00a0/\u00a0${number(first.norm)} = ${away}. `
    : "";
  add({ theta, point: foot }, toFoot, whyFoot + describePoint(measurePoint(theta, foot)));
  const sign = first.score < 0 ? -1 : 1;
  const along = dot(unit, foot);
  const room = Math.sqrt(Math.max(0, (1.1 * reach) ** 2 - dot(foot, foot) + along ** 2)) + sign * along;
  const beyond = Math.max(reach / 5, Math.min(Math.abs(first.distance) || reach / 3, room));
  const mirrored = sum(foot, unit, -sign * beyond);
  const crossed = measurePoint(theta, mirrored);
  const across = first.score ? "Across the line" : "Off the line";
  add(
    { theta, point: mirrored },
    `${across}, the score is ${signed(crossed.score)}: its sign tells you the side.`,
    `w points to the side where scores are positive. ${describePoint(crossed)}`,
  );

  const doubled = theta.map((value) => 2 * value);
  const longer = measurePoint(doubled, mirrored);
  add(
    { theta: doubled, point: mirrored },
    `w and b both double. The score doubles to ${signed(longer.score)}, but the line does not move.`,
    "Every score w\u2032x + b doubles. A score of 0 stays 0, so the points of the line are the same as before. " +
      `The distance |score| / \u2016w\u2016 stays ${number(Math.abs(longer.distance))}, ` +
      "because its numerator and its denominator both double.",
  );

  // A line near the origin moves away from it; any other one to the other side of it.
  const { b, w, norm } = longer;
  const share = (offset) =>
    `${number(Math.abs(offset))}\u00a0/\u00a0${number(norm)} = ${number(Math.abs(offset) / norm)}`;
  const isNear = Math.abs(b) / norm < 0.15 * reach;
  const shift = isNear ? (b < 0 ? 0.4 : -0.4) * reach * norm : -b;
  add(
    { theta: [shift, ...w], point: mirrored },
    `Only b changes, from ${number(b)} to ${number(shift)}: the line moves parallel to itself.`,
    "w is at a right angle to the line, and w has not changed, so the line keeps its direction. " +
      `Its distance from the origin is |b| / \u2016w\u2016: it was ${share(b)}, and is now ${share(shift)}.`,
  );
  const angle = Math.atan2(w[1], w[0]) - 60 * RADIANS;
  const turned = pointing(angle, norm);
  const offset = -shift / norm; // of the line, along w
  add(
    { theta: [shift, ...turned], point: mirrored },
    `w turns by 60\u00b0 and b stays the same. The line turns too, still ${number(Math.abs(offset))} from the origin.`,
    `The line's distance from the origin is |b| / \u2016w\u2016 = ${share(shift)}. ` +
      "A turn changes neither b nor the length of w.",
  );

  // A point that w can reach by turning: 25 degrees bring its score to zero, 25 more beyond.
  const far = 0.9 * reach;
  const touching = Math.acos(offset / far);
  const bearing = angle + touching + 25 * RADIANS;
  const other = pointing(bearing, far);
  const apart = add(
    { theta: [shift, ...turned], point: other },
    "In weight space the roles swap: w is a point, and x is a line. When x moves, its line moves.",
    "w\u2032x + b = 0 can be read in two ways. For one w it is a line of points x: you see it in the plane. " +
      "For one x it is a line of weights w: you see it in weight space, at a right angle to x.",
    true,
  );
  const onto = pointing(bearing - touching, norm);
  const product = dot(onto, other);
  add(
    { theta: [shift, ...onto], point: other },
    "w moves onto the line of x, so x scores 0. In the plane, the line of w now runs through x.",
    `Both say the same: w\u2032x + b = ${number(product)} ${shift < 0 ? "\u2212" : "+"} ` +
      `${number(Math.abs(shift))} = 0.`,
    true,
  );
  const over = pointing(angle + 50 * RADIANS, norm);
  const beyondLine = measurePoint([shift, ...over], other);
  add(
    { theta: [shift, ...over], point: other },
    `w crosses the line of x: the score was ${signed(apart.score)}, then 0, now ${signed(beyondLine.score)}. ` +
      "So x changes sides.",
    "The score w\u2032x + b is one number for both pictures. " +
      "Its sign says on which side of the line of x you find w, and on which side of the line of w you find x.",
    true,
  );
  return states;
}

// The states between two: w turns and grows, line and point go straight. At t = 1 it is `to` itself.
function between(from, to) {
  const [start, end] = [from, to].map(({ theta: [b, ...w] }) => {
    const norm = Math.hypot(...w);
    return { norm, angle: Math.atan2(w[1], w[0]), offset: b / norm };
  });
  const turn = ((end.angle - start.angle + 3 * Math.PI) % (2 * Math.PI)) - Math.PI;
  return (t) => {
    if (t === 1) return to;
    const norm = mix(start.norm, end.norm, t);
    const angle = start.angle + t * turn;
    const theta = [norm * mix(start.offset, end.offset, t), norm * Math.cos(angle), norm * Math.sin(angle)];
    return { theta, point: mix(from.point, to.point, t) };
  };
}

function placeText(node, text, [x, y], anchor = "middle") {
  node.textContent = text;
  setAttributes(node, { x, y, "text-anchor": anchor });
}

// The nearest point inside the picture, rounded to a hundredth of the power of ten of `reach`.
function insidePicture(view, reach, point) {
  const unit = 10 ** (Math.floor(Math.log10(reach)) - 2);
  const [u, v] = view.to(point);
  const within = view.from([clamp(u, EDGE, view.width - EDGE), clamp(v, EDGE, view.height - EDGE)]);
  return within.map((value) => Number((Math.round(value / unit) * unit).toPrecision(12)));
}

// What cannot be seen in the picture of the plane.
function outsideText(view, { theta, point }) {
  return (
    (halfPlane(view, theta).line.length ? "" : " The line runs outside the picture.") +
    (inside(view, view.to(point)) ? "" : " The point lies outside the picture.")
  );
}

// The direction along a line with this normal, from the point `from` of it away from `other`; or the opposite one, if
// the picture ends there.
function directionAway(view, normal, other, from) {
  const sideways = [-normal[1], normal[0]];
  const sign = dot(sideways, sum(from, other, -1)) >= 0 ? 1 : -1;
  const direction = sideways.map((value) => sign * value);
  const end = sum(from, direction, 70);
  return end[0] > 0 && end[0] < view.width ? direction : direction.map((value) => -value);
}

// Where something was before the last step of the tour: a faded ring, and the word "before" beside it.
function formerPlace(view, r) {
  const ring = shape("circle", { r, class: "pla-ring pla-previous" });
  const name = shape("text", { class: "pla-label" });
  function draw(place, taken, lines) {
    ring.setAttribute("visibility", place ? "visible" : "hidden");
    name.textContent = "";
    if (!place) return;
    setAttributes(ring, { cx: place[0], cy: place[1] });
    const around = [
      [0, 18],
      [0, -18],
      [32, 0],
      [-32, 0],
    ].map((by) => sum(place, by));
    const [u, v] = freePlace(view, around, taken, 30, { lines });
    placeText(name, "before", [u, v + 4]);
  }
  return { node: shape("g", {}, ring, name), draw };
}

const touchArea = (r) => shape("circle", { r, class: "pla-touch-area" });
const halo = (r) => shape("circle", { r, class: "pla-halo" });

// The plane: the line with its two sides and the arrow w, the point, its foot on the line, and their distance. What was
// there before the last step of the tour is faded.
function planePicture(reach, longest, { shiftTo, setPoint, onBuild }) {
  return fittedPicture((size) => {
    const view = planeAroundOrigin(reach, { names: ["x\u2081", "x\u2082"], ...size });
    const sides = ["pla-positive-side", "pla-negative-side"].map((classes) => pathShape(classes));
    const previousLine = pathShape("pla-line pla-previous");
    const previousName = lineName(view, "before");
    const line = pathShape("pla-line pla-current-line");
    const normal = pathShape("pla-line pla-arrow");
    const name = shape("text", { class: "pla-symbol" });
    const distanceLine = pathShape("pla-line pla-distance-line");
    const rightAngle = pathShape("pla-thin pla-right-angle");
    const footMark = shape("circle", { r: 4, class: "pla-foot" });
    const distanceText = shape("text", { class: "pla-label pla-distance" });
    const scoreText = shape("text", { class: "pla-label pla-score" });
    const previousPoint = formerPlace(view, 7);
    const origin = view.to([0, 0]);
    const originMark = shape("circle", { cx: origin[0], cy: origin[1], r: 2.5, class: "pla-origin" });
    const originName = shape("text", { class: "pla-label" });
    let now;
    // The point of the line nearest to the origin; the arrow w starts there.
    const anchor = () => now.w.map((value) => (-now.b / now.norm ** 2) * value);
    const lineKnob = shape("g", {}, touchArea(18), halo(12), shape("circle", { r: 5.5, class: "pla-position" }));
    const lineHandle = handle(view, lineKnob, { name: "The line: shift it", at: anchor, move: shiftTo });
    // The point has no class, so it has the mark of neither: a grey dot with a ring.
    const dotAndRing = [shape("circle", { r: 9.5, class: "pla-own-ring" }), shape("circle", { r: 5.5 })];
    const pointKnob = shape("g", { class: "pla-own-point" }, touchArea(20), halo(15), ...dotAndRing);
    const pointHandle = handle(view, pointKnob, {
      name: "The point",
      at: () => now.x,
      move: (to, gesture) => setPoint(insidePicture(view, reach, to), gesture),
    });
    const lines = [originMark, previousLine, line, normal, name, distanceLine, rightAngle, footMark];
    const texts = [originName, previousName.node, previousPoint.node, distanceText, scoreText];
    const node = pictureWithHandles(view, "", ...sides, axes(view), ...lines, lineHandle, pointHandle, ...texts);

    // The score beside the point, where it is on nothing else, and the distance beside its line.
    function drawTexts(point, foot, half, anchorPlace, arrowTip) {
      // The right angle at the foot, and the distance on the side away from the arrow w; neither if the point is too
      // close to the line.
      const isClose = Math.hypot(...sum(point, foot, -1)) < 36;
      const towardsPoint = half.normal.map((value) => Math.sign(now.score) * value);
      const away = directionAway(view, half.normal, anchorPlace, foot);
      const corner = [sum(foot, towardsPoint, 10), sum(sum(foot, towardsPoint, 10), away, 10), sum(foot, away, 10)];
      rightAngle.setAttribute("d", isClose ? "" : path(corner));
      const middle = mix(point, foot, 0.5);
      const [u, v] = sum(middle, away, 14 - 4 * Math.abs(away[0]));
      const textAnchor = away[0] > 0.4 ? "start" : away[0] < -0.4 ? "end" : "middle";
      placeText(distanceText, isClose ? "" : number(Math.abs(now.distance)), [u, v + 5 + 6 * away[1]], textAnchor);
      const around = [
        [0, -20],
        [0, 31],
        [42, 5],
        [-42, 5],
      ];
      // First choice is the side away from the foot.
      const outward = sum(point, foot, -1);
      around.sort((a, b) => dot(b, outward) - dot(a, outward));
      const taken = [foot, middle, anchorPlace, arrowTip, sum(middle, away, 20), origin];
      placeText(
        scoreText,
        signed(now.score),
        freePlace(
          view,
          around.map((by) => sum(point, by)),
          taken,
          30,
        ),
      );
    }

    function draw({ theta, point: x }, before = null, label = "") {
      now = measurePoint(theta, x);
      const half = halfPlane(view, theta);
      const point = view.to(x);
      const foot = view.to(now.foot);
      const start = view.to(anchor());
      const isSeen = inside(view, start);
      const tip = sum(start, half.normal, LONGEST_ARROW * Math.min(1, now.norm / longest));
      sides[0].setAttribute("d", polygon(half.side));
      sides[1].setAttribute(
        "d",
        polygon(
          halfPlane(
            view,
            theta.map((value) => -value),
          ).side,
        ),
      );
      line.setAttribute("d", path(half.line));
      const formerLine = before ? halfPlane(view, before.theta).line : [];
      previousLine.setAttribute("d", path(formerLine));
      const drawn = [half.line, [point, foot], [start, tip]];
      previousName.draw(formerLine, [point, foot, start, tip], drawn);
      const hasMoved = before !== null && !isEqual(before.point, x);
      previousPoint.draw(hasMoved ? view.to(before.point) : null, [point, foot, start, tip], drawn);
      normal.setAttribute("d", isSeen ? arrow(start, tip) : "");
      placeText(name, isSeen ? "w" : "", sum(sum(tip, half.normal, 13), [0, 5]));
      setAttributes(lineHandle, { transform: `translate(${start})`, visibility: isSeen ? "visible" : "hidden" });
      setAttributes(distanceLine, { d: path([point, foot]) });
      setAttributes(footMark, { cx: foot[0], cy: foot[1] });
      const pointName = `The point, at ${vector(x)}, scores ${signed(now.score)}`;
      setAttributes(pointHandle, { transform: `translate(${point})`, "aria-label": pointName });
      drawTexts(point, foot, half, start, tip);
      const seen = drawn.filter((ends) => ends.length);
      const besideOrigin = [
        [0, 13],
        [0, -12],
        [30, 1],
        [-30, 1],
      ].map((by) => sum(origin, by));
      const [u, v] = freePlace(view, besideOrigin, [point, foot, start, tip], 24, { lines: seen, half: [20, 7] });
      placeText(originName, "origin", [u, v + 4]);
      node.setAttribute("aria-label", label);
    }
    onBuild();
    return { node, draw, view };
  });
}

// Where w has been on the tour while the point stayed: the way itself, a dot at every stop, and the score there.
function weightPath(view) {
  const way = pathShape("pla-line pla-weight-path");
  const stops = shape("g", {});
  function draw(states) {
    const legs = states.slice(1).flatMap((state, k) => {
      const at = between(states[k], state);
      return Array.from({ length: 13 }, (_, j) => view.to(at(j / 12).theta.slice(1)));
    });
    way.setAttribute("d", path(legs));
    const former = states.slice(0, -1).map(({ theta, point }) => {
      const { w, norm, score } = measurePoint(theta, point);
      const [u, v] = view.to(w);
      const [p, q] = [u - (26 * w[0]) / norm, v + (18 * w[1]) / norm];
      const text = shape("text", { class: "pla-label pla-stop", x: p, y: q + 4, "text-anchor": "middle" });
      text.textContent = signed(score);
      return { nodes: [shape("circle", { cx: u, cy: v, r: 3.5, class: "pla-weight-stop" }), text], places: [p, q] };
    });
    stops.replaceChildren(...former.flatMap((one) => one.nodes));
    return former.map((one) => one.places);
  }
  return { node: shape("g", {}, way, stops), draw };
}

// Weight space at this b: the line of the plane is the point w, and the point x is the line of all w with w'x + b = 0.
function weightPicture(longest, { setWeights }) {
  return fittedPicture((size) => {
    const view = planeAroundOrigin(longest, { names: ["w\u2081", "w\u2082"], ...size });
    const sides = ["pla-positive-side", "pla-negative-side"].map((classes) => pathShape(classes));
    const line = pathShape("pla-line pla-dual-line");
    const weightArrow = pathShape("pla-line pla-weight-arrow");
    const name = shape("text", { class: "pla-symbol" });
    const [plusText, minusText] = [1, -1].map(() => shape("text", { class: "pla-label pla-side-text" }));
    const origin = view.to([0, 0]);
    const originMark = shape("circle", { cx: origin[0], cy: origin[1], r: 4, class: "pla-foot" });
    const previousWeights = formerPlace(view, 6);
    const walk = weightPath(view);
    let now;
    const knob = shape("g", {}, touchArea(20), halo(13), shape("circle", { r: 7, class: "pla-position" }));
    const weightHandle = handle(view, knob, {
      name: "The weights",
      at: () => now.w,
      move: (to, gesture) => setWeights(insidePicture(view, longest, to), gesture),
    });
    const beneath = [line, plusText, minusText, walk.node, previousWeights.node];
    const layers = [...beneath, weightArrow, originMark, name, weightHandle];
    const node = pictureWithHandles(view, "", ...sides, axes(view), ...layers);

    // "x scores +" and "x scores -" on the two sides of the line, where there is room.
    function drawSideTexts(half, w) {
      const away = half?.foot && directionAway(view, half.normal, w, half.foot);
      const hasRoom = (place) =>
        place[0] > 44 &&
        place[0] < view.width - 44 &&
        place[1] > 24 &&
        place[1] < view.height - 30 &&
        [w, origin].every((other) => Math.hypot(...sum(place, other, -1)) > 52);
      for (const [label, text, sign] of [
        [plusText, "x scores +", 1],
        [minusText, "x scores \u2212", -1],
      ]) {
        // A text is wider than high: it stays farther away from a steep line than from a flat one.
        const aside = sign * (20 + 30 * Math.abs(half?.normal[0] ?? 0));
        const places = away
          ? [50, 90, 130, -50, -90].map((by) => sum(sum(half.foot, away, by), half.normal, aside))
          : [];
        const place = places.find(hasRoom);
        placeText(label, place ? text : "", place ? sum(place, [0, 4]) : [0, 0]);
      }
    }

    function draw({ theta, point }, before = null, walked = []) {
      now = measurePoint(theta, point);
      const dual = [now.b, ...now.x];
      const half = halfPlane(view, dual); // null if the point is the origin: then every w scores b
      const opposite = halfPlane(
        view,
        dual.map((value) => -value),
      );
      const everywhere = view.corners.map(view.to);
      const w = view.to(now.w);
      sides[0].setAttribute("d", polygon(half ? half.side : now.b > 0 ? everywhere : []));
      sides[1].setAttribute("d", polygon(half ? opposite.side : now.b < 0 ? everywhere : []));
      line.setAttribute("d", half ? path(half.line) : "");
      drawSideTexts(half, w);
      const length = Math.hypot(...sum(w, origin, -1));
      const direction = sum(w, origin, -1).map((value) => value / length);
      weightArrow.setAttribute("d", arrow(origin, sum(origin, direction, length - 9)));
      placeText(name, "w", sum(sum(w, direction, 19), [0, 5]));
      const hasMoved = before !== null && !isEqual(before.theta.slice(1), now.w);
      const former = hasMoved ? view.to(before.theta.slice(1)) : null;
      const scores = walk.draw(walked.length ? [...walked, { theta, point }] : []);
      previousWeights.draw(former, [w, origin, ...scores], [[origin, w], ...(half?.foot ? [half.line] : [])]);
      setAttributes(weightHandle, { transform: `translate(${w})`, "aria-label": `The weights w, at ${vector(now.w)}` });
      const lineText = half
        ? "The line of the point x is where w\u2032x + b = 0; x scores + on the side tinted like class +1."
        : `The point is the origin: it scores b = ${number(now.b)} for every w.`;
      node.setAttribute("aria-label", `Weight space at b = ${number(now.b)}: w is at ${vector(now.w)}. ${lineText}`);
    }
    return { node, draw };
  });
}

const pythonCode = (theta, point) =>
  [
    "from pla_lib import Hyperplane, hyperplane_explorer",
    "",
    `theta, point = [${theta.join(", ")}], [${point.join(", ")}]`,
    "line = Hyperplane.from_theta(theta)",
    "print(line.score(point), line.distance(point, signed=True), line.project(point))",
    "hyperplane_explorer(theta, point)",
    "",
  ].join("\n");

function render({ model, el }) {
  const [reach, longest] = model.get("reach");
  const tour = tourFrom(model.get("start"), reach);
  const last = tour.length - 1;
  const shownState = () => ({ theta: model.get("theta"), point: model.get("point") });
  const measures = () => measurePoint(model.get("theta"), model.get("point"));
  const isAt = (state) => isEqual(state.theta, model.get("theta")) && isEqual(state.point, model.get("point"));

  // The tour goes on by `go`: line, point and step change together, and are drawn once.
  let isGoing = false;
  function go(step) {
    isGoing = true;
    change(model, { step, theta: tour[step].theta, point: tour[step].point });
    isGoing = false;
    draw();
  }
  const steps = transport(model, last, { stay: () => STAY, go, isAway: () => !isAt(tour[steps.now()]) });

  // What the reader's last action changed and what it kept: the verdict begins with it.
  let note = "";
  let isDirect = false;
  function edit(values, gesture, nextNote) {
    steps.pause();
    note = nextNote;
    isDirect = true;
    ui.edit(values, gesture);
    isDirect = false;
  }
  const PARALLEL = "Only b changed: the line moved parallel to itself.";
  const actions = {
    onBuild: () => queueMicrotask(() => say()),
    setPoint: (point, gesture) => edit({ point }, gesture, ""),
    shiftTo(x, gesture) {
      const { w } = measures();
      edit({ theta: [-dot(w, x), ...w] }, gesture, PARALLEL);
    },
    setWeights(w, gesture) {
      const isShort = Math.hypot(...w) < SHORTEST * longest;
      const direction = w.some(Boolean) ? w : measures().w;
      const length = clamp(Math.hypot(...w), SHORTEST * longest, longest);
      const factor = length / Math.hypot(...direction);
      const hint = isShort ? "There is no line for w = 0, so w stops here." : "w changed, but b did not.";
      edit({ theta: [measures().b, ...direction.map((value) => value * factor)] }, gesture, hint);
    },
    turnTo(degrees, gesture) {
      const { b, norm } = measures();
      const distance = number(Math.abs(b) / norm);
      const text = `w turned, but b did not: the line is still ${distance} from the origin.`;
      edit({ theta: [b, ...pointing(degrees * RADIANS, norm)] }, gesture, text);
    },
    shiftBy(percent, gesture) {
      const { w, norm } = measures();
      edit({ theta: [(percent / 100) * reach * norm, ...w] }, gesture, PARALLEL);
    },
    scaleTo(percent, gesture) {
      const { w, b, norm } = measures();
      const factor = ((percent / 100) * longest) / norm;
      const theta = [b, ...w].map((value) => value * factor);
      edit({ theta }, gesture, "w and b were scaled together, so the line did not move.");
    },
  };
  const plane = planePicture(reach, longest, actions);
  const weightSpace = weightPicture(longest, actions);
  const wName = "w = (w\u2081, w\u2082)";
  const values = facts("score w\u2032x + b", "signed distance", "foot", "b", wName, "\u2016w\u2016");
  // Shift and length are in percent of how far their pictures reach.
  const first = measurePoint(model.get("start").theta, model.get("start").point);
  const angleOf = (w) => Math.round(Math.atan2(w[1], w[0]) / RADIANS);
  const shiftOf = ({ b, norm }) => (100 * b) / norm / reach;
  const lengthOf = ({ norm }) => (100 * norm) / longest;
  const turn = slider("Turn w", { min: -180, max: 180 }, actions.turnTo, angleOf(first.w));
  const shiftLimits = { min: -100 * FARTHEST, max: 100 * FARTHEST };
  const shift = slider("Shift the line", shiftLimits, actions.shiftBy, shiftOf(first));
  const length = slider("Length of w", { min: 100 * SHORTEST, max: 100 }, actions.scaleTo, lengthOf(first));
  const hint = element("p", { class: "pla-hint" }, "Turn keeps b. Shift keeps w. Length scales w and b together.");
  const sliders = element("div", { class: "pla-pane pla-with-main" }, turn.node, shift.node, length.node, hint);

  const ui = shell(
    { model, el },
    {
      name: "Hyperplane explorer",
      main: { name: "Plane", picture: plane },
      panes: { "Weight space": weightSpace.node, Sliders: sliders, Numbers: values.node },
      steps,
      // The step comes first: it sets line and point, and what the reader made of them follows.
      state: { step: count, theta: lineNumbers, point: numbers(2) },
      edits: ["step", "theta", "point"],
      python: () => pythonCode(model.get("theta"), model.get("point")),
    },
  );

  function say() {
    const step = steps.now();
    const state = shownState();
    const now = measures();
    const outside = plane.now() ? outsideText(plane.now().view, state) : "";
    if (isAt(tour[step])) {
      const kind = step === 0 ? "start" : step === last ? "done" : "note";
      const chip = kind === "note" ? { chip: `Step ${step} of ${last}` } : {};
      return ui.show({ kind, ...chip, text: tour[step].text + outside, why: tour[step].why });
    }
    // What is the reader's own: the line, or only the point.
    const chip = isEqual(state.theta, tour[step].theta) ? "Your point" : "Your line";
    const { score, distance } = now;
    const place = score === 0 ? "on the line" : `on the ${sideName(score)} side, ${number(Math.abs(distance))} away`;
    const scores = `The point scores ${signed(score)}`;
    const text = (note ? `${note} ${scores}.` : `${scores}: it is ${place}.`) + outside;
    ui.show({ kind: "note", chip, text, why: describePoint(now) });
  }

  const stage = motion();
  let shown = null;
  let shownStep = null;
  function draw() {
    if (isGoing) return;
    const to = shownState();
    const from = shown ?? to;
    const step = steps.now();
    const isOnTour = isAt(tour[step]);
    if (!isDirect) note = "";
    const isForward = isOnTour && shownStep !== null && step === shownStep + 1;
    // A reader who has left the tour is first brought back to where it was left: from there the sentence is true.
    const via = isForward ? tour[shownStep] : from;
    const isDetour = !isEqual(via.theta, from.theta) || !isEqual(via.point, from.point);
    const [detour, way] = [between(from, via), between(via, to)];
    const milliseconds = isDirect ? 0 : isForward ? UPDATE + (isDetour ? SWING : 0) : SWING;
    const share = isDetour ? SWING / milliseconds : 0;
    const before = isOnTour && step > 0 ? tour[step - 1] : null;
    const stays = ({ point }) => isEqual(point, to.point);
    const walked =
      isOnTour && tour[step].isDual ? tour.slice(0, step).filter((state) => state.isDual && stays(state)) : [];
    if (step !== shownStep && isOnTour) lookAt(tour[step].isDual);
    [shown, shownStep] = [to, step];
    const [b, ...w] = to.theta;
    const weights = `w = ${vector(w)}, b = ${number(b)}`;
    const label = `The plane: the line w\u2032x + b = 0 with ${weights}, and the point ${vector(to.point)}.`;
    stage.play(steps.duration(milliseconds), (t) => {
      const state = t < share ? detour(phase(t, 0, share)) : way(t === 1 ? 1 : phase(t, share, 1));
      plane.draw(state, before, label);
      weightSpace.draw(state, before, walked);
      showNumbers(state);
    });
    say();
    steps.show();
  }
  function showNumbers({ theta, point }) {
    const now = measurePoint(theta, point);
    const { w, b, norm, score, distance, foot } = now;
    turn.show(angleOf(w), `${number(angleOf(w))}\u00b0`);
    shift.show(shiftOf(now), `b = ${number(b)}`);
    length.show(lengthOf(now), number(norm));
    values.show(signed(score), signed(distance), vector(foot), number(b), vector(w), number(norm));
  }
  // On a phone only one picture is in view: the one that the step is about.
  function lookAt(isDual) {
    if (isDual) ui.select("Weight space");
    else if (ui.root.classList.contains("pla-narrow")) ui.select("Plane");
  }
  const onStep = () => isGoing || go(steps.now());

  const unfollow = follow(model, ["theta", "point"], draw);
  model.on("change:step", onStep);
  return () => {
    unfollow();
    model.off("change:step", onStep);
    stage.finish();
    weightSpace.stop();
    ui.stop();
  };
}

export default { render };
