// The margin explorer: the reader moves a line to widen its margin, or has it improved step by step. The model's
// `theta` = [b, w1, w2] is the line shown; `base` is the line that the reader made, and `step` how many improvements of
// it were made since. `best` is the widest margin so far. The widest of all was computed in Python; `revealed` says
// whether it is shown.

import { count, lineNumbers, oneOf } from "./address.js";
import { change, facts, follow, logTable, slider, toggle } from "./controls.js";
import { arrow, element, path, pathShape, pictureWithHandles, polygon, rings, setAttributes, shape } from "./dom.js";
import { clamp, mix, motion, phase } from "./motion.js";
import { fittedPicture } from "./picture.js";
import {
  axes,
  clip,
  dot,
  draggable,
  freePlace,
  halfPlane,
  handle,
  inside,
  lineBetween,
  lineName,
  plane,
} from "./plane.js";
import { pointLayer, spotlight } from "./points.js";
import { SWING, UPDATE } from "./run_picture.js";
import { shell } from "./shell.js";
import { transport } from "./transport.js";
import { counted, number, signed, vector } from "./wording.js";

const EDGE = 20; // how far from the edge of the picture the dot must stay, to be in easy reach
const RADIANS = Math.PI / 180;
// Degrees that one improvement may turn the line by: farther while it has points on the wrong side.
const REACH = { right: 6, wrong: 18 };
const TRIES = 24; // angles that it tries to either side
const SAME = 1e-9; // margins that differ by this share are the same

const smallest = (values) => values.reduce((least, value) => Math.min(least, value), Infinity);
const isEqual = (a, b) => a.every((value, k) => value === b[k]);
const angleOf = ([, w1, w2]) => Math.atan2(w2, w1);
function normalised(theta) {
  const norm = Math.hypot(theta[1], theta[2]);
  return Math.abs(norm - 1) < SAME ? theta : theta.map((value) => value / norm);
}

// The signed distances y * (w'x + b) of the points from a line with ||w|| = 1: the smallest is the margin, negative
// ones are wrong. Distances that differ by less than `tolerance` look the same.
function measureLine({ X, y }, [b, ...w], tolerance = 0) {
  const distances = X.map((x, i) => y[i] * (dot(w, x) + b));
  const margin = smallest(distances);
  const [nearestPlus, nearestMinus] = [1, -1].map((label) => smallest(distances.filter((_, i) => y[i] === label)));
  return {
    distances,
    margin,
    nearestPlus,
    nearestMinus,
    separates: margin > 0,
    wrongCount: distances.filter((distance) => !(distance > 0)).length,
    nearest: X.filter((_, i) => distances[i] <= margin + tolerance),
  };
}

// The line in the middle between the nearest points of both classes, with w in this direction.
function halfway({ X, y }, angle) {
  const w = [Math.cos(angle), Math.sin(angle)];
  const nearest = { 1: Infinity, "-1": Infinity };
  for (let i = 0; i < y.length; i++) nearest[y[i]] = Math.min(nearest[y[i]], y[i] * (w[0] * X[i][0] + w[1] * X[i][1]));
  return [(nearest[-1] - nearest[1]) / 2, ...w];
}

function marginOf({ X, y }, [b, w1, w2]) {
  let margin = Infinity;
  for (let i = 0; i < y.length; i++) margin = Math.min(margin, y[i] * (w1 * X[i][0] + w2 * X[i][1] + b));
  return margin;
}

// A small hill climb from a line to the widest one. First the line is shifted to the middle between the nearest points
// of both classes: no other shift gives this w a wider margin. Then it is turned, staying in the middle, to the best of
// the angles within reach, and again, until it is the widest. The margin of such a line is a quasi-concave function of
// the angle wherever it is positive, so each turn widens it. Only a line with points on the wrong side may have no
// better angle within reach: then it may turn farther. Returns [{ theta, kind, degrees, margin }, ...], the line itself
// first and pla_lib's own widest line last.
function climb(record, theta) {
  const { widest } = record;
  const isWidest = (margin) => margin >= widest.margin * (1 - SAME);
  const states = [];
  function add(line, kind, degrees = 0) {
    const margin = marginOf(record, line);
    const end = { theta: kind ? widest.theta : line, kind, degrees, margin: widest.margin };
    states.push(line === widest.theta || isWidest(margin) ? end : { theta: line, kind, degrees, margin });
  }
  const now = () => states.at(-1);
  add(theta, null);
  if (isWidest(now().margin)) return states;
  const middle = halfway(record, angleOf(theta));
  if (marginOf(record, middle) > now().margin + SAME * widest.margin) add(middle, "shift");
  const reachNow = () => (now().margin > 0 ? REACH.right : REACH.wrong);
  for (let reach = reachNow(); !isWidest(now().margin); ) {
    const angle = angleOf(now().theta);
    const left = ((angleOf(widest.theta) - angle + 3 * Math.PI) % (2 * Math.PI)) - Math.PI;
    if (Math.abs(left) <= reach * RADIANS) {
      add(widest.theta, "turn", left / RADIANS);
      break;
    }
    let best = { margin: now().margin, degrees: 0 };
    for (let k = -TRIES; k <= TRIES; k++) {
      const degrees = (reach * k) / TRIES;
      const margin = marginOf(record, halfway(record, angle + degrees * RADIANS));
      if (margin > best.margin) best = { margin, degrees };
    }
    if (best.degrees) {
      add(halfway(record, angle + best.degrees * RADIANS), "turn", best.degrees);
      reach = reachNow();
    } else reach *= 2;
  }
  return states;
}

const percent = (share) => `${number(100 * share)}%`;

// The verdict on a line, with advice how to widen its margin, by hand or in so many steps; once the widest line is
// shown, with that instead.
function describeLine(record, measures, { isStart, revealed, tolerance, stepCount }) {
  const { X, widest } = record;
  const { margin, nearestPlus, nearestMinus, separates, wrongCount, nearest } = measures;
  const byNext = `press Next ${stepCount === 1 ? "once" : `${stepCount} times`}.`;
  const support = counted(widest.support.length, "support vector");
  if (!separates) {
    const wrong = wrongCount === 1 ? "1 point is wrong" : `${wrongCount} points are wrong`;
    const by = `by\u00a0${number(-margin)}`;
    const how = margin === 0 ? "on the line itself" : wrongCount === 1 ? by : `the worst ${by}`;
    const answer = `${wrong}. The widest margin is ${number(widest.margin)}, held by ${support} (dashed rings).`;
    const advice = wrongCount === X.length ? "Turn the line by 180\u00b0" : "Turn or shift the line";
    const why =
      "The distance of a wrong point counts as negative, and the margin is the smallest distance. " +
      `So the margin is ${number(margin)}.`;
    return {
      kind: "mistake",
      chip: "Wrong",
      text: revealed ? answer : `${wrong}, ${how}. ${advice}, or ${byNext}`,
      why,
    };
  }
  const fartherClass = `class\u00a0${signed(nearestPlus > nearestMinus ? 1 : -1)}`;
  const why =
    `The nearest point of class\u00a0+1 is ${number(nearestPlus)} away, the nearest of class\u00a0\u22121 is ` +
    `${number(nearestMinus)} away. The smaller distance is the margin; rings mark the points at that distance.`;
  const opening = `The margin is ${number(margin)}, ${percent(margin / widest.margin)} of the widest`;
  if (margin > 0.99 * widest.margin && !revealed)
    return { kind: "right", text: `${opening}: as near as you can get by hand.`, why };
  const isCentred = Math.abs(nearestPlus - nearestMinus) <= 2 * tolerance;
  const advice = isCentred ? "No shift can widen it, but a turn can" : `Shift towards ${fartherClass}`;
  const ringed = nearest.length === 1 ? "The nearest point is ringed." : "The nearest points are ringed.";
  const hint = isStart ? `${ringed} Now drag the line.` : `${advice}${isCentred ? ": " : ", or "}${byNext}`;
  const chip = isStart ? {} : { chip: "Your line" };
  const text = revealed
    ? `The margin is ${number(margin)}. The widest is ${number(widest.margin)}, held by ${support} (dashed rings).`
    : `${opening}. ${hint}`;
  return { kind: isStart ? "start" : "note", ...chip, text, why: `${why} ${advice}.` };
}

// The point that is nearest of those that do not hold the widest margin, where it is so near to the margin's edge that
// it seems to be on it: by less than `seen`.
function nextNearest(record, seen) {
  const { theta, margin, support } = record.widest;
  const { distances } = measureLine(record, normalised(theta));
  const others = distances.flatMap((distance, i) => (support.includes(i) ? [] : [{ i, farther: distance - margin }]));
  const least = smallest(others.map(({ farther }) => farther));
  return least < seen ? others.find(({ farther }) => farther === least) : null;
}

// What an improvement did: the way from the state before it to the one after. `near` is the point that only seems to
// hold the widest margin, and `stepCount` the number of improvements from the reader's line.
function describeStep({ widest }, before, { kind, degrees, margin }, near, stepCount) {
  const done = kind === "shift" ? "A shift to the middle" : `A turn by ${number(Math.abs(degrees))}\u00b0`;
  const verb = before.margin > 0 ? "widens" : "raises";
  const share = margin > 0 ? `, ${percent(margin / widest.margin)} of the widest` : "";
  const change = `${done} ${verb} the margin from ${number(before.margin)} to ${number(margin)}`;
  if (margin === widest.margin) {
    const held = `The ${widest.support.length} ringed support vectors hold the widest margin, ${number(margin)}.`;
    const why = kind ? `${change}. It cannot get any wider.` : "No line has a wider margin.";
    const other = near ? ` Point\u00a0${near.i} is ${number(near.farther)} farther.` : "";
    return { kind: "done", text: held + other, why };
  }
  const why =
    kind === "shift"
      ? "Now the nearest points of both classes are equally far away. With this w, no other shift gives a wider margin."
      : "The line turns by a few degrees, to the best angle within reach, and stays in the middle between the classes.";
  const way = ` From your line to the widest it is ${counted(stepCount, "step")}.`;
  return { kind: "note", text: `${change}${share}.`, why: why + way };
}

// The lines on the way of a step: a turn stays in the middle, all else goes straight. At t = 1 it is `to` itself.
function linesBetween(record, middle, from, to, isTurn) {
  const straight = lineBetween({ middle }, from, to);
  if (!isTurn) return straight;
  const start = angleOf(from);
  const turn = ((angleOf(to) - start + 3 * Math.PI) % (2 * Math.PI)) - Math.PI;
  return (t) => (t === 1 ? to : halfway(record, start + t * turn));
}

// The band of points nearer to the line than its margin: its two edges, and its inside.
function marginBand(view, [b, ...w], margin) {
  const above = (x) => dot(w, x) + b + margin;
  const below = (x) => margin - dot(w, x) - b;
  const upper = clip(view.corners, below);
  const lower = clip(view.corners, above);
  return {
    edges: [upper, lower].map(({ cut }) => cut.map(view.to)),
    inner: polygon(clip(upper.side, above).side.map(view.to)),
  };
}

// The widest line with its margins and support vectors: drawn once, shown when the reader asks for it.
function widestLine(view, { X, widest: { theta, margin, support } }, places) {
  const { line } = halfPlane(view, theta);
  const along = [0.12, 0.2, 0.8, 0.88, 0.5].map((t) => [0, 1].map((k) => line[0][k] + t * (line[1][k] - line[0][k])));
  const [u, v] = freePlace(view, along, places, 30);
  const supportVectors = support.map((i) => view.to(X[i]));
  return shape(
    "g",
    { class: "pla-widest" },
    pathShape("pla-line", path(line)),
    pathShape("pla-line pla-dashed", marginBand(view, theta, margin).edges.map(path).join("")),
    pathShape("pla-ring", rings(supportVectors, 15)),
    shape("text", { x: u, y: v + 5, class: "pla-label" }, "widest"),
  );
}

// The arrow w with its two handles, and the line itself. Dragging the dot or the line shifts the line, dragging the tip
// turns it about the dot. The dot is always on the line and in the picture. `getTheta` and `setTheta` read and change
// the reader's line.
function lineHandles(view, places, getTheta, setTheta) {
  const [right, bottom] = [view.width - EDGE, view.height - EDGE];
  const reachable = [
    [EDGE, EDGE],
    [right, EDGE],
    [right, bottom],
    [EDGE, bottom],
  ].map(view.from);
  function nearestReachable(point) {
    const [u, v] = view.to(point);
    return view.from([clamp(u, EDGE, right), clamp(v, EDGE, bottom)]);
  }
  let pivot = null;
  let tip = view.middle;
  let shaft = []; // the arrow with its name, as drawn
  // Where on the line the dot begins: where neither it nor its arrow is on a point, as near to the middle as can be.
  function freeSpot(cut, w) {
    const spots = Array.from({ length: 17 }, (_, k) => 0.1 + 0.05 * k).map((t) => {
      const [u, v] = view.to(mix(cut[0], cut[1], t));
      const arrowPlaces = [0, 32, 64].map((length) => [u + length * w[0], v - length * w[1]]);
      const room = places.flatMap((p) => arrowPlaces.map((q) => Math.hypot(p[0] - q[0], p[1] - q[1])));
      return { t, worth: Math.min(26, smallest(room)) - 8 * Math.abs(t - 0.5) };
    });
    const best = spots.reduce((a, b) => (b.worth > a.worth ? b : a));
    return mix(cut[0], cut[1], best.t);
  }
  const setLineThrough = (point, w, gesture) => setTheta([-dot(w, point), ...w], gesture);
  function turn(w, gesture) {
    const norm = Math.hypot(...w);
    const unit = w.map((value) => value / norm);
    if (norm > 0) setLineThrough(pivot, unit, gesture);
  }
  // `by` is the line's new distance from the middle of the picture, in the direction of w.
  function shift(by, gesture) {
    const w = getTheta().slice(1);
    const most = (Math.abs(w[0]) * (right - EDGE) + Math.abs(w[1]) * (bottom - EDGE)) / 2.04 / view.scale;
    const point = view.middle.map((value, k) => value + clamp(by, -most, most) * w[k]);
    setLineThrough(point, w, gesture);
  }
  function knob(...shapes) {
    const touchArea = shape("circle", { r: 22, class: "pla-touch-area" });
    return shape("g", {}, touchArea, shape("circle", { r: 12, class: "pla-halo" }), ...shapes);
  }
  const shifter = handle(view, knob(shape("circle", { r: 5, class: "pla-position" })), {
    name: "Shift the line",
    at: () => pivot,
    move(to, gesture) {
      pivot = nearestReachable(to);
      setLineThrough(pivot, getTheta().slice(1), gesture);
    },
  });
  const turner = handle(view, knob(), {
    name: "Turn the line",
    at: () => tip,
    move: (to, gesture) =>
      turn(
        to.map((value, k) => value - pivot[k]),
        gesture,
      ),
  });
  // The line follows the pointer from where it was grasped.
  const grip = pathShape("pla-line-grip");
  draggable(view, grip, (to, gesture) => {
    gesture.start ??= getTheta();
    const [b, ...w] = gesture.start;
    const by = dot(w, view.middle) + b - (dot(w, to) - dot(w, gesture.from));
    shift(-by, gesture);
  });
  const normal = pathShape("pla-line pla-arrow");
  const name = shape("text", { class: "pla-symbol" }, "w");
  const node = shape("g", {}, normal, name, shifter, turner);

  function draw([b, ...w], line) {
    grip.setAttribute("d", path(line));
    const { cut } = clip(reachable, (x) => dot(w, x) + b);
    node.setAttribute("visibility", cut.length ? "visible" : "hidden");
    shaft = [];
    if (!cut.length) return;
    // The dot goes to the nearest point of the line; if that is out of reach, to the middle of the part within reach.
    pivot ??= freeSpot(cut, w);
    const distance = dot(w, pivot) + b;
    pivot = pivot.map((value, k) => value - distance * w[k]);
    const isOut = nearestReachable(pivot).some((value, k) => Math.abs(value - pivot[k]) * view.scale > 0.01);
    if (isOut) pivot = [0, 1].map((k) => (cut[0][k] + cut[1][k]) / 2);
    const foot = view.to(pivot);
    const along = (length, aside = 0) => [
      foot[0] + length * w[0] + aside * w[1],
      foot[1] - length * w[1] + aside * w[0],
    ];
    const length = [64, 52, 40].find((size) => inside(view, along(size + 14))) ?? 18;
    const end = along(length);
    const [u, v] = freePlace(view, [along(length + 20), along(length, 20), along(length, -20)], places);
    tip = view.from(end);
    normal.setAttribute("d", arrow(foot, end));
    shaft = [foot, [u, v]];
    setAttributes(name, { x: u, y: v + 5 });
    shifter.setAttribute("transform", `translate(${foot})`);
    turner.setAttribute("transform", `translate(${end})`);
  }
  return { node, grip, turn, shift, draw, arrow: () => shaft };
}

// The points, the line with its margin, and the points that hold it.
function dataPicture(record, lights, tolerance, getTheta, setTheta, onBuild) {
  const { X, y, widest } = record;
  return fittedPicture((size) => {
    const view = plane(X, size);
    let measures = measureLine(record, getTheta(), tolerance);
    function describe(i) {
      const distance = measures.distances[i];
      const where = distance > 0 ? "right side" : "wrong side";
      const place = distance === 0 ? "on the line" : `${number(Math.abs(distance))} from the line, on the ${where}`;
      return `Point\u00a0${i}, class\u00a0${signed(y[i])}, at\u00a0${vector(X[i])}: ${place}.`;
    }
    const layer = pointLayer(view, record, lights, { describe });
    const handles = lineHandles(view, layer.places(), getTheta, setTheta);
    const widestShape = widestLine(view, record, layer.places());
    const [positive, negative, band, edges] = [
      "pla-positive-side",
      "pla-negative-side",
      "pla-band",
      "pla-line pla-dashed pla-margin",
    ].map((classes) => pathShape(classes));
    const [previousLine, line, nearestRings] = [
      "pla-line pla-previous",
      "pla-line pla-current-line",
      "pla-ring pla-nearest",
    ].map((classes) => pathShape(classes));
    const previousName = lineName(view, "before");
    const lines = [band, widestShape, previousLine, edges, line, previousName.node, handles.grip];
    const overlays = [layer.node, nearestRings, handles.node];
    const node = pictureWithHandles(view, "", positive, negative, axes(view), ...lines, ...overlays);
    layer.follow(node);

    function draw({ theta, before, isWidest, revealed, label }) {
      measures = measureLine(record, theta, tolerance);
      const { margin, separates, nearest } = measures;
      const half = halfPlane(view, theta);
      const opposite = halfPlane(
        view,
        theta.map((value) => -value),
      );
      const { edges: bandEdges, inner } = separates ? marginBand(view, theta, margin) : { edges: [], inner: "" };
      positive.setAttribute("d", polygon(half.side));
      negative.setAttribute("d", polygon(opposite.side));
      line.setAttribute("d", path(half.line));
      const former = before ? halfPlane(view, before).line : [];
      previousLine.setAttribute("d", path(former));
      band.setAttribute("d", inner);
      edges.setAttribute("d", bandEdges.map(path).join(""));
      const held = isWidest ? widest.support.map((i) => X[i]) : separates ? nearest : [];
      nearestRings.setAttribute("d", rings(held.map(view.to), 11));
      nearestRings.classList.toggle("pla-support", isWidest);
      layer.draw({ theta });
      handles.draw(theta, half.line);
      previousName.draw(former, layer.places(), [half.line, ...bandEdges, handles.arrow()]);
      widestShape.classList.toggle("pla-shown", revealed);
      node.setAttribute("aria-label", label);
    }
    onBuild();
    return { node, extras: layer.extras, draw, view, handles, stop: layer.stop };
  });
}

const pythonCode = ({ X, y }, theta) =>
  [
    "from pla_lib import Hyperplane, margin_explorer, max_margin",
    "",
    `X = [${X.map((x) => `[${x.join(", ")}]`).join(", ")}]`,
    `y = [${y.join(", ")}]`,
    `line = Hyperplane.from_theta([${theta.join(", ")}])`,
    "print(line.margin(X, y), max_margin(X, y).margin)",
    "widget = margin_explorer(X, y)",
    "widget.theta = line.theta.tolist()",
    "widget",
    "",
  ].join("\n");

function render({ model, el }) {
  const record = model.get("record");
  const { X, start, widest } = record;
  const usual = plane(X); // the size of a picture, where none is built yet
  const { middle } = usual;
  const tolerance = 1 / usual.scale; // about a pixel: less cannot be seen
  const near = nextNearest(record, 8 * tolerance); // a mark reaches over about so many
  const lights = spotlight();
  let ui = null;
  const getTheta = () => normalised(model.get("theta"));

  // The way from the reader's line to the widest.
  let way = { base: null, states: [] };
  function states() {
    const base = model.get("base");
    if (way.base !== base) way = { base, states: climb(record, normalised(base)) };
    return way.states;
  }
  const last = () => states().length - 1;
  const state = () => states()[steps.now()];

  // Several values change together, and are drawn once. Line, base and step always fit together: where one of them is
  // set from outside, the others follow.
  let isBusy = false;
  function together(act) {
    isBusy = true;
    act();
    isBusy = false;
    draw();
  }
  const go = (step) => together(() => change(model, { step, theta: states()[step].theta }));
  const startMargin = marginOf(record, start);
  const fresh = { base: start, step: 0, theta: start, revealed: false, best: startMargin };
  const steps = transport(model, last, {
    name: "Improvement",
    stay: () => 1300,
    go,
    first: {
      text: "Start again",
      act: () => together(() => ui.edit(fresh)),
      isThere: () =>
        steps.now() === 0 &&
        isEqual(getTheta(), start) &&
        !model.get("revealed") &&
        model.get("best") <= startMargin + SAME * widest.margin,
    },
  });
  const onTheta = () => isBusy || together(adoptTheta);
  const onWay = () => isBusy || together(() => change(model, { theta: state().theta }));
  function adoptTheta() {
    const theta = getTheta();
    if (!isEqual(theta, state().theta)) change(model, { base: theta, step: 0 });
  }
  let isDirect = false;
  function setTheta(theta, gesture) {
    steps.pause();
    isDirect = true;
    together(() => ui.edit({ base: theta, step: 0, theta }, gesture));
    isDirect = false;
  }

  const picture = dataPicture(record, lights, tolerance, getTheta, setTheta, () => queueMicrotask(() => say()));
  const handles = () => picture.now().handles;
  // The meter: a bar for the margin and a tick for the best so far, both in parts of the widest.
  const bar = element("i");
  const tick = element("b");
  const meter = element("div", { class: "pla-meter", "aria-hidden": true }, bar, tick);
  const thetaName = "\u03b8 = (b, w\u2081, w\u2082)";
  const numbers = facts("margin", "of the widest", "best so far", "nearest of +1", "nearest of \u22121", thetaName);
  const reveal = toggle("Show the widest", (revealed) => change(model, { revealed }));
  const marginPane = element(
    "div",
    { class: "pla-pane pla-with-main pla-margin-pane" },
    meter,
    element(
      "p",
      { class: "pla-hint" },
      "The bar shows your margin; a full bar is the widest margin. The tick is your best so far.",
    ),
    reveal.node,
    numbers.node,
  );
  const directed = (degrees, gesture) =>
    handles().turn([Math.cos(degrees * RADIANS), Math.sin(degrees * RADIANS)], gesture);
  const reach = Math.hypot(usual.width, usual.height) / 2 / usual.scale;
  const offsetOf = ([b, ...w]) => -(dot(w, middle) + b);
  const degreesOf = (theta) => angleOf(theta) / RADIANS;
  const turnSlider = slider("Turn", { min: -180, max: 180, step: 0.5 }, directed, degreesOf(start));
  const shiftLimits = { min: -reach, max: reach, step: reach / 250 };
  const shiftSlider = slider("Shift", shiftLimits, (by, gesture) => handles().shift(by, gesture), offsetOf(start));
  const hint = element(
    "p",
    { class: "pla-hint" },
    "In the picture: drag the arrow's tip to turn the line, drag the line or its dot to shift it.",
  );
  const sliders = element("div", { class: "pla-pane pla-with-main" }, turnSlider.node, shiftSlider.node, hint);
  const log = logTable("From this line to the widest", ["step", "change", "margin", "of the widest"], (k) => {
    const { kind, degrees, margin } = states()[k];
    const what = kind ? `${kind}${degrees ? ` ${number(degrees)}\u00b0` : ""}` : "your line";
    return { cells: [k, what, number(margin), shareText(margin)], act: () => steps.goTo(k) };
  });

  model.on("change:theta", onTheta);
  for (const name of ["base", "step"]) model.on(`change:${name}`, onWay);
  ui = shell(
    { model, el },
    {
      name: "Margin explorer",
      main: { name: "Data", picture },
      panes: { Margin: marginPane, Sliders: sliders, Steps: log.node },
      steps,
      state: { base: lineNumbers, step: count, revealed: oneOf(true, false) },
      edits: ["base", "step", "theta", "revealed", "best"],
      python: () => pythonCode(record, getTheta()),
      lights,
    },
  );

  const stage = motion();
  let shown = null;
  let shownStep = null;
  let shownBase = null;
  let shownBest = model.get("best");
  const shareText = (margin) => (margin > 0 ? percent(margin / widest.margin) : "none");
  function draw() {
    if (isBusy || !ui) return;
    const step = steps.now();
    const { theta, kind, margin } = state();
    const base = model.get("base");
    if (margin > model.get("best")) {
      isBusy = true;
      change(model, { best: margin });
      isBusy = false;
    }
    const isForward = base === shownBase && step === shownStep + 1;
    const from = shown ?? theta;
    const lines = linesBetween(record, middle, from, theta, isForward && kind === "turn");
    const milliseconds = isDirect || isEqual(from, theta) ? 0 : isForward ? UPDATE : SWING;
    const label = `The ${X.length} points and your line. ${say().text}`;
    const revealed = model.get("revealed");
    // The best so far grows with the line on its way, and not before.
    const [bestBefore, best] = [shownBest, model.get("best")];
    [shown, shownStep, shownBase, shownBest] = [theta, step, base, best];
    stage.play(steps.duration(milliseconds), (t) => {
      const line = lines(t === 1 ? 1 : phase(t));
      const before = step > 0 ? states()[step - 1]?.theta : null;
      picture.draw({ theta: line, before, isWidest: t === 1 && margin === widest.margin, revealed, label });
      showNumbers(line, t === 1 ? best : Math.min(best, Math.max(bestBefore, marginOf(record, line))));
    });
    log.forget();
    log.show(0, states().length - 1, step);
    reveal.box.checked = revealed;
    steps.show();
  }
  function say() {
    if (!ui) return { text: "" };
    const step = steps.now();
    const { theta } = state();
    const { now } = picture;
    const isOutside = now() && !halfPlane(now().view, theta).line.length;
    const isStart = step === 0 && isEqual(theta, start);
    const verdict =
      step > 0 || last() === 0
        ? {
            chip: step < last() ? `Step ${step} of ${last()}` : "Done",
            ...describeStep(record, states()[Math.max(0, step - 1)], state(), near, last()),
          }
        : describeLine(record, measureLine(record, theta, tolerance), {
            isStart,
            revealed: model.get("revealed"),
            tolerance,
            stepCount: last(),
          });
    if (isOutside) verdict.text += " The line runs outside the picture.";
    ui.show(verdict);
    return verdict;
  }
  function showNumbers(theta, best) {
    const { margin, nearestPlus, nearestMinus } = measureLine(record, theta);
    const thetaText = vector(theta.map((value) => Number(value.toFixed(9))));
    numbers.show(
      number(margin),
      shareText(margin),
      shareText(best),
      number(nearestPlus),
      number(nearestMinus),
      thetaText,
    );
    bar.style.width = `${clamp((100 * margin) / widest.margin, 0, 100)}%`;
    tick.style.left = `${clamp((100 * best) / widest.margin, 0, 100)}%`;
    turnSlider.show(degreesOf(theta), `${number(Math.round(10 * degreesOf(theta)) / 10)}\u00b0`);
    shiftSlider.show(offsetOf(theta), number(Number(offsetOf(theta).toFixed(9))));
  }

  together(adoptTheta);
  const unfollow = follow(model, ["revealed", "best"], draw);
  return () => {
    unfollow();
    model.off("change:theta", onTheta);
    for (const name of ["base", "step"]) model.off(`change:${name}`, onWay);
    stage.finish();
    ui.stop();
  };
}

export default { render };
