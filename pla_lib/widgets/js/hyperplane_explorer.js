// The hyperplane explorer: a line and a point in the plane, and the same two in weight space, where they swap roles.
// The model's `theta` = [b, w1, w2] is the line, `point` the point, `reach` how far the two pictures reach.

import { assemble, change, facts, follow, liveText, slider } from "./controls.js";
import {
  arrow,
  element,
  path,
  pathShape,
  pictureWithHandles,
  polygon,
  setAttributes,
  shape,
  titledPicture,
} from "./dom.js";
import { axes, dot, halfPlane, handle, inside, planeAroundOrigin } from "./plane.js";
import { number, signed, vector } from "./wording.js";

const SIZE = { width: 340, height: 270 };
const EDGE = 14; // how far from the edge of the picture points must stay
const SHORTEST = 0.2; // the least length of w, as a part of the greatest: at w = 0 there would be no line
const FARTHEST = 0.6; // how far the slider shifts the line from the origin, as a part of the picture's reach

// Score, signed distance and foot of x, as pla_lib.Hyperplane gives them. A score that is mere rounding counts as zero.
function measurePoint([b, ...w], x) {
  const computed = dot(w, x) + b;
  const norm = Math.hypot(...w);
  const score = Math.abs(computed) < 1e-13 * (Math.hypot(...x) * norm + Math.abs(b)) ? 0 : computed;
  const foot = x.map((value, k) => value - (score / norm ** 2) * w[k]);
  return { w, b, x, score, norm, distance: score / norm, foot };
}

const sideName = (score) => (score > 0 ? "positive" : "negative");

const along = (from, direction, length) => [0, 1].map((i) => from[i] + length * direction[i]);

function placeText(node, text, [x, y], anchor = "middle") {
  node.textContent = text;
  setAttributes(node, { x, y, "text-anchor": anchor });
}

// The nearest point inside the picture, rounded to a hundredth of the power of ten of `reach`.
function insidePicture(view, reach, point) {
  const unit = 10 ** (Math.floor(Math.log10(reach)) - 2);
  const clamp = (value, size) => Math.min(size - EDGE, Math.max(EDGE, value));
  const [u, v] = view.to(point);
  const within = view.from([clamp(u, view.width), clamp(v, view.height)]);
  return within.map((value) => Number((Math.round(value / unit) * unit).toPrecision(12)));
}

// The direction along a line with this normal, from the point `from` of it away from `other`; or the opposite one, if
// the picture ends there.
function directionAway(view, normal, other, from) {
  const sideways = [-normal[1], normal[0]];
  const sign = dot(sideways, [from[0] - other[0], from[1] - other[1]]) >= 0 ? 1 : -1;
  const direction = sideways.map((value) => sign * value);
  const end = along(from, direction, 70);
  return end[0] > 0 && end[0] < view.width ? direction : direction.map((value) => -value);
}

// The plane: the line with its positive side and the arrow w, the point, its foot on the line, and their distance.
function planePicture(reach, longest, { shiftTo, setPoint }) {
  const view = planeAroundOrigin(reach, { names: ["x\u2081", "x\u2082"], ...SIZE });
  const tint = pathShape("pla-positive-side");
  const line = pathShape("pla-line pla-current-line");
  const normal = pathShape("pla-line pla-arrow");
  const name = shape("text", { class: "pla-symbol" });
  const distanceLine = pathShape("pla-line pla-distance-line");
  const rightAngle = pathShape("pla-thin pla-right-angle");
  const footMark = shape("circle", { r: 4, class: "pla-foot" });
  const distanceText = shape("text", { class: "pla-label pla-distance" });
  const disc = shape("circle", { r: 7, class: "pla-positive" });
  const square = shape("rect", { x: -6.5, y: -6.5, width: 13, height: 13, class: "pla-negative" });
  const touchArea = (r) => shape("circle", { r, class: "pla-touch-area" });
  let now;
  // The point of the line nearest to the origin; the arrow w starts there.
  const anchor = () => now.w.map((value) => (-now.b / now.norm ** 2) * value);
  const lineKnob = shape("g", {}, touchArea(16), shape("circle", { r: 5.5, class: "pla-position" }));
  const lineHandle = handle(view, lineKnob, { name: "The line: shift it", at: anchor, move: shiftTo });
  const pointKnob = shape("g", {}, touchArea(18), shape("circle", { r: 12, class: "pla-ring" }), disc, square);
  const pointHandle = handle(view, pointKnob, {
    name: "The point",
    at: () => now.x,
    move: (to) => setPoint(insidePicture(view, reach, to)),
  });
  const lines = [tint, axes(view), line, normal, name, distanceLine, rightAngle, footMark, distanceText];
  const node = pictureWithHandles(view, "", ...lines, lineHandle, pointHandle);

  function draw(measures, theta) {
    now = measures;
    const half = halfPlane(view, theta);
    const side = sideName(now.score);
    const point = view.to(now.x);
    const foot = view.to(now.foot);
    const start = view.to(anchor());
    const isSeen = inside(view, start);
    const arrowLength = 54 * Math.min(1, now.norm / longest);
    tint.setAttribute("d", polygon(half.side));
    line.setAttribute("d", path(half.line));
    normal.setAttribute("d", isSeen ? arrow(start, along(start, half.normal, arrowLength)) : "");
    placeText(name, isSeen ? "w" : "", along(along(start, half.normal, arrowLength + 13), [0, 1], 5));
    setAttributes(lineHandle, { transform: `translate(${start})`, visibility: isSeen ? "visible" : "hidden" });
    setAttributes(distanceLine, { d: path([point, foot]), class: `pla-line pla-distance-line pla-${side}-mark` });
    setAttributes(footMark, { cx: foot[0], cy: foot[1] });
    setAttributes(pointHandle, { transform: `translate(${point})`, "aria-label": `The point, at ${vector(now.x)}` });
    disc.setAttribute("visibility", side === "positive" ? "inherit" : "hidden");
    square.setAttribute("visibility", side === "positive" ? "hidden" : "inherit");
    // The right angle at the foot, and the distance beside its line, on the side away from the arrow w; neither if the
    // point is too close to the line.
    const isClose = Math.hypot(point[0] - foot[0], point[1] - foot[1]) < 24;
    const towardsPoint = half.normal.map((value) => Math.sign(now.score) * value);
    const away = directionAway(view, half.normal, start, foot);
    const corner = [
      along(foot, towardsPoint, 10),
      along(along(foot, towardsPoint, 10), away, 10),
      along(foot, away, 10),
    ];
    rightAngle.setAttribute("d", isClose ? "" : path(corner));
    const middle = [0, 1].map((i) => (point[i] + foot[i]) / 2);
    const [u, v] = along(middle, away, 16);
    const textAnchor = away[0] > 0.4 ? "start" : away[0] < -0.4 ? "end" : "middle";
    placeText(distanceText, isClose ? "" : number(Math.abs(now.distance)), [u, v + 5], textAnchor);
    const weights = `w = ${vector(now.w)}, b = ${number(now.b)}`;
    node.setAttribute("aria-label", `The plane: the line w'x + b = 0 with ${weights}, and the point ${vector(now.x)}.`);
    return (
      (half.line.length ? "" : " The line runs outside the picture.") +
      (inside(view, point) ? "" : " The point lies outside the picture.")
    );
  }
  return { node: titledPicture("The plane.", " A line, and a point to drag.", node), draw };
}

// Weight space at this b: the line of the plane is the point w, and the point x is the line of all w with w'x + b = 0.
function weightPicture(longest, { setWeights }) {
  const view = planeAroundOrigin(longest, { names: ["w\u2081", "w\u2082"], ...SIZE });
  const tint = pathShape("pla-positive-side");
  const line = pathShape("pla-line pla-dual-line");
  const weightArrow = pathShape("pla-line pla-weight-arrow");
  const [plusText, minusText] = [1, -1].map(() => shape("text", { class: "pla-label" }));
  const origin = view.to([0, 0]);
  const originMark = shape("circle", { cx: origin[0], cy: origin[1], r: 4, class: "pla-foot" });
  let now;
  const touchArea = shape("circle", { r: 18, class: "pla-touch-area" });
  const knob = shape("g", {}, touchArea, shape("circle", { r: 7, class: "pla-position" }));
  const weightHandle = handle(view, knob, {
    name: "The weights",
    at: () => now.w,
    move: (to) => setWeights(insidePicture(view, longest, to)),
  });
  const layers = [tint, axes(view), line, plusText, minusText, weightArrow, originMark, weightHandle];
  const node = pictureWithHandles(view, "", ...layers);

  // "x scores +" and "x scores -" on the two sides of the line, where there is room.
  function drawSideTexts(half, w) {
    const beside = half?.foot && along(half.foot, directionAway(view, half.normal, w, half.foot), 50);
    for (const [label, text, sign] of [
      [plusText, "x scores +", 1],
      [minusText, "x scores \u2212", -1],
    ]) {
      // A text is wider than high: it stays farther away from a steep line than from a flat one.
      const place = beside && along(beside, half.normal, sign * (20 + 30 * Math.abs(half.normal[0])));
      const hasRoom =
        place && place[0] > 40 && place[0] < view.width - 40 && place[1] > 24 && place[1] < view.height - 30;
      placeText(label, hasRoom ? text : "", hasRoom ? along(place, [0, 1], 4) : [0, 0]);
    }
  }

  function draw(measures) {
    now = measures;
    const half = halfPlane(view, [now.b, ...now.x]); // null if the point is the origin: then every w scores b
    const w = view.to(now.w);
    tint.setAttribute("d", polygon(half ? half.side : now.b > 0 ? view.corners.map(view.to) : []));
    const classes = `pla-line pla-dual-line pla-${sideName(now.score)}-mark`;
    setAttributes(line, { d: half ? path(half.line) : "", class: classes });
    drawSideTexts(half, w);
    const length = Math.hypot(w[0] - origin[0], w[1] - origin[1]);
    const direction = [(w[0] - origin[0]) / length, (w[1] - origin[1]) / length];
    weightArrow.setAttribute("d", arrow(origin, along(origin, direction, length - 9)));
    setAttributes(weightHandle, { transform: `translate(${w})`, "aria-label": `The weights w, at ${vector(now.w)}` });
    const lineText = half
      ? "The point's line is where w'x + b = 0; x scores + on the tinted side."
      : `The point is the origin: it scores b = ${number(now.b)} for every w.`;
    node.setAttribute("aria-label", `Weight space at b = ${number(now.b)}: w is at ${vector(now.w)}. ${lineText}`);
    return inside(view, w) ? "" : " w lies outside its picture.";
  }
  return { node: titledPicture("Weight space.", " The roles are swapped.", node), draw };
}

// What the point scores, on which side of the line it is and how far away, and the same in weight space.
function describePoint({ x, score, norm, distance }) {
  const side = sideName(score);
  const dualText = x.some(Boolean)
    ? `w is on ${score === 0 ? "" : `the ${side} side of `}the point's line`
    : "has this score for every w";
  const quotient = `${number(Math.abs(score))}\u00a0/\u00a0${number(norm)} = ${number(Math.abs(distance))}`;
  const place = score === 0 ? "It is on the line" : `It is on the ${side} side, at distance ${quotient}`;
  return `The point ${vector(x)} scores ${signed(score)}. ${place}, and ${dualText}.`;
}

// A slider with its name and its value.
function dial(name, limits, move) {
  const node = slider(name, limits, move);
  const output = element("output");
  function show(value, text) {
    node.value = value;
    node.setAttribute("aria-valuetext", text);
    output.textContent = text;
  }
  return { node: element("label", { class: "pla-dial" }, name, node, output), show };
}

function render({ model, el }) {
  const [reach, longest] = model.get("reach");
  const text = liveText();
  const measures = () => measurePoint(model.get("theta"), model.get("point"));
  // What the reader's last action changed and what it kept; it opens the text once.
  let note = "Drag the point, or turn and shift the line.";
  const PARALLEL = "w stayed, b changed: the line moved parallel to itself.";
  function setTheta(theta, nextNote) {
    note = nextNote;
    change(model, { theta });
  }
  const actions = {
    setPoint(point) {
      note = "";
      change(model, { point });
    },
    shiftTo(x) {
      const { w } = measures();
      setTheta([-dot(w, x), ...w], PARALLEL);
    },
    setWeights(w) {
      const isShort = Math.hypot(...w) < SHORTEST * longest;
      const direction = w.some(Boolean) ? w : measures().w;
      const length = Math.max(SHORTEST * longest, Math.min(longest, Math.hypot(...w)));
      const factor = length / Math.hypot(...direction);
      const hint = isShort ? " w = 0 is left out: it has no line." : "";
      setTheta([measures().b, ...direction.map((value) => value * factor)], `b stayed.${hint}`);
    },
    turnTo(degrees) {
      const { b, norm } = measures();
      const angle = (degrees * Math.PI) / 180;
      // Rounded, so that the sine of 180 degrees is zero.
      const unit = [Math.cos(angle), Math.sin(angle)].map((value) => Math.round(value * 1e12) / 1e12);
      const distance = number(Math.abs(b) / norm);
      const w = unit.map((value) => norm * value);
      setTheta([b, ...w], `b and \u2016w\u2016 stayed: the line is still ${distance} from the origin.`);
    },
    shiftBy(percent) {
      const { w, norm } = measures();
      setTheta([(percent / 100) * reach * norm, ...w], PARALLEL);
    },
    scaleTo(percent) {
      const { w, b, norm } = measures();
      const factor = ((percent / 100) * longest) / norm;
      const theta = [b, ...w].map((value) => value * factor);
      setTheta(theta, "w and b were scaled together: the line stayed, the score did not.");
    },
  };
  const plane = planePicture(reach, longest, actions);
  const weightSpace = weightPicture(longest, actions);
  const wName = "w = (w\u2081, w\u2082)";
  const numbers = facts("b", wName, "\u2016w\u2016", "score w\u2032x + b", "signed distance", "foot");
  // Shift and length are in percent of how far their pictures reach.
  const turnDial = dial("Turn", { min: -180, max: 180 }, actions.turnTo);
  const shiftDial = dial("Shift", { min: -100 * FARTHEST, max: 100 * FARTHEST }, actions.shiftBy);
  const lengthDial = dial("Length of w", { min: 100 * SHORTEST, max: 100 }, actions.scaleTo);

  function draw() {
    const now = measures();
    const { w, b, norm, score, distance, foot } = now;
    const outsideText = plane.draw(now, model.get("theta")) + weightSpace.draw(now);
    const degrees = Math.round((Math.atan2(w[1], w[0]) * 180) / Math.PI);
    turnDial.show(degrees, `${number(degrees)}\u00b0`);
    shiftDial.show((100 * b) / norm / reach, `b = ${number(b)}`);
    lengthDial.show((100 * norm) / longest, number(norm));
    numbers.show(number(b), vector(w), number(norm), signed(score), signed(distance), vector(foot));
    text.textContent = `${note}${note && " "}${describePoint(now)}${outsideText}`;
    note = "";
  }

  const dials = [turnDial, shiftDial, lengthDial].map((one) => one.node);
  const root = assemble(el, "Hyperplane explorer", {
    pictures: [plane.node, weightSpace.node],
    panel: [text, numbers.node],
    controls: [element("div", { class: "pla-controls pla-dials" }, ...dials)],
  });
  root.classList.add("pla-hyperplane-explorer");
  return follow(model, ["theta", "point"], draw);
}

export default { render };
