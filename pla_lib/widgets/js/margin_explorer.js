// The margin explorer: the reader moves a line to widen its margin. The model's `theta` = [b, w1, w2] is the reader's
// line; the widest one was computed in Python, and `revealed` says whether it is shown.

import { assemble, button, change, facts, follow, liveText, row, slider } from "./controls.js";
import {
  arrow,
  cross,
  element,
  path,
  pathShape,
  pictureWithHandles,
  polygon,
  rings,
  setAttributes,
  shape,
} from "./dom.js";
import { axes, clip, dot, halfPlane, handle, inside, mark, plane } from "./plane.js";
import { counted, number, signed, vector } from "./wording.js";

const EDGE = 20; // how far from the edge of the picture the dot must stay, to be in easy reach
const RADIANS = Math.PI / 180;

const smallest = (values) => values.reduce((least, value) => Math.min(least, value), Infinity);
const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

// The signed distances y * (w'x + b) of the points from a line with ||w|| = 1: the smallest is the margin, negative
// ones are wrong. Distances that differ by less than `tolerance` look the same.
function measureLine({ X, y }, [b, ...w], tolerance) {
  const distances = X.map((x, i) => y[i] * (dot(w, x) + b));
  const margin = smallest(distances);
  const pointsWhere = (test) => X.filter((_, i) => test(distances[i]));
  const [nearestPlus, nearestMinus] = [1, -1].map((label) => smallest(distances.filter((_, i) => y[i] === label)));
  return {
    margin,
    nearestPlus,
    nearestMinus,
    separates: margin > 0,
    wrong: pointsWhere((distance) => !(distance > 0)),
    nearest: pointsWhere((distance) => distance <= margin + tolerance),
  };
}

// The same in words, with advice how to widen the margin; once the widest line is shown, that line instead of advice.
function describeLine({ X, widest }, { margin, nearestPlus, nearestMinus, separates, wrong }, revealed, tolerance) {
  const supportVectors = counted(widest.support.length, "support vector");
  const answer = `The widest margin is ${number(widest.margin)}. Dashed rings mark its ${supportVectors}.`;
  if (!separates) {
    const worst =
      margin < 0
        ? `the worst by\u00a0${number(-margin)}. So the margin is negative.`
        : "on the line itself. So the margin is\u00a00.";
    const wrongPoints = wrong.length === 1 ? "1 point is" : `${wrong.length} points are`;
    const advice = wrong.length === X.length ? "Turn it right round." : "Turn or shift it until no cross is left.";
    return `This line does not separate: ${wrongPoints} wrong, ${worst} ${revealed ? answer : advice}`;
  }
  const fartherClass = `class\u00a0${signed(nearestPlus > nearestMinus ? 1 : -1)}`;
  const advice =
    margin > 0.99 * widest.margin
      ? "It is the widest, as near as a hand can come."
      : Math.abs(nearestPlus - nearestMinus) > 2 * tolerance
        ? `Shift the line towards ${fartherClass} to widen it.`
        : "A shift cannot widen it any more. A turn can.";
  const distances = `${number(nearestPlus)} away in class\u00a0+1, ${number(nearestMinus)} in class\u00a0\u22121`;
  return `Nearest points: ${distances}. The smaller is the margin. ${revealed ? answer : advice}`;
}

// The band of points nearer to the line than its margin: its two edges, and its inside.
function marginBand(view, [b, ...w], margin) {
  const above = (x) => dot(w, x) + b + margin;
  const below = (x) => margin - dot(w, x) - b;
  const upper = clip(view.corners, below);
  const lower = clip(view.corners, above);
  return {
    edges: path(upper.cut.map(view.to)) + path(lower.cut.map(view.to)),
    inner: polygon(clip(upper.side, above).side.map(view.to)),
  };
}

// The widest line with its margins and support vectors: drawn once, shown when the reader asks for it.
function widestLine(view, { X, widest: { theta, margin, support } }) {
  const { line } = halfPlane(view, theta);
  const [u, v] = [0, 1].map((k) => 0.84 * line[0][k] + 0.16 * line[1][k]);
  const supportVectors = support.map((i) => view.to(X[i]));
  return shape(
    "g",
    { class: "pla-widest" },
    pathShape("pla-line", path(line)),
    pathShape("pla-line pla-dashed", marginBand(view, theta, margin).edges),
    pathShape("pla-ring", rings(supportVectors, 15)),
    shape("text", { x: u, y: v + 5, class: "pla-label" }, "widest"),
  );
}

// The arrow w with its two handles: dragging the dot shifts the line, dragging the tip turns it about the dot. The dot
// is always on the line and in the picture. `getTheta` and `setTheta` read and change the reader's line.
function lineHandles(view, getTheta, setTheta) {
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
  let pivot = view.middle;
  let tip = view.middle;
  const setLineThrough = (point, w) => setTheta([-dot(w, point), ...w]);
  function turn(w) {
    const norm = Math.hypot(...w);
    const unit = w.map((value) => value / norm);
    if (norm > 0) setLineThrough(pivot, unit);
  }
  // `by` is the line's new distance from the middle of the picture, in the direction of w.
  function shift(by) {
    const w = getTheta().slice(1);
    const most = (Math.abs(w[0]) * (right - EDGE) + Math.abs(w[1]) * (bottom - EDGE)) / 2.04 / view.scale;
    const point = view.middle.map((value, k) => value + clamp(by, -most, most) * w[k]);
    setLineThrough(point, w);
  }
  function knob(...shapes) {
    const touchArea = shape("circle", { r: 22, class: "pla-touch-area" });
    return shape("g", {}, touchArea, shape("circle", { r: 12, class: "pla-halo" }), ...shapes);
  }
  const shifter = handle(view, knob(shape("circle", { r: 5, class: "pla-position" })), {
    name: "Shift the line",
    at: () => pivot,
    move(to) {
      pivot = nearestReachable(to);
      setLineThrough(pivot, getTheta().slice(1));
    },
  });
  const turner = handle(view, knob(), {
    name: "Turn the line",
    at: () => tip,
    move: (to) => turn(to.map((value, k) => value - pivot[k])),
  });
  const normal = pathShape("pla-line pla-arrow");
  const name = shape("text", { class: "pla-symbol" }, "w");
  const node = shape("g", {}, normal, name, shifter, turner);

  function draw([b, ...w]) {
    const { cut } = clip(reachable, (x) => dot(w, x) + b);
    node.setAttribute("visibility", cut.length ? "visible" : "hidden");
    if (!cut.length) return " The line runs outside the picture.";
    // The dot goes to the nearest point of the line; if that is out of reach, to the middle of the part within reach.
    const distance = dot(w, pivot) + b;
    pivot = pivot.map((value, k) => value - distance * w[k]);
    const isOut = nearestReachable(pivot).some((value, k) => Math.abs(value - pivot[k]) * view.scale > 0.01);
    if (isOut) pivot = [0, 1].map((k) => (cut[0][k] + cut[1][k]) / 2);
    const foot = view.to(pivot);
    const along = (length) => [foot[0] + length * w[0], foot[1] - length * w[1]];
    const length = [64, 52, 40].find((size) => inside(view, along(size + 14))) ?? 18;
    const end = along(length);
    const beyond = along(length + 16);
    tip = view.from(end);
    normal.setAttribute("d", arrow(foot, end));
    setAttributes(name, { x: beyond[0], y: beyond[1] + 5 });
    shifter.setAttribute("transform", `translate(${foot})`);
    turner.setAttribute("transform", `translate(${end})`);
    return "";
  }
  return { node, turn, shift, draw };
}

function render({ model, el }) {
  const record = model.get("record");
  const { X, y, start, widest } = record;
  const view = plane(X);
  const tolerance = 1 / view.scale; // one unit of the picture: less cannot be seen
  function getTheta() {
    const theta = model.get("theta");
    const norm = Math.hypot(theta[1], theta[2]);
    return theta.map((value) => value / norm);
  }
  let bestSoFar = 0;

  const handles = lineHandles(view, getTheta, (theta) => change(model, { theta }));
  const widestShape = widestLine(view, record);
  const [tint, band, line] = ["pla-positive-side", "pla-band", "pla-line pla-current-line"].map((c) => pathShape(c));
  const [edges, nearestRings, crosses] = ["pla-line pla-dashed pla-margin", "pla-ring", "pla-cross"].map((c) =>
    pathShape(c),
  );
  const marks = X.map((point, i) => mark(view, point, y[i]));
  const lines = [band, widestShape, edges, line];
  const overlays = [nearestRings, crosses, handles.node];
  const data = pictureWithHandles(view, "", tint, axes(view), ...lines, ...marks, ...overlays);

  const reach = Math.hypot(view.width, view.height) / 2 / view.scale;
  const turnSlider = slider("Turn", { min: -180, max: 180, step: 0.5 }, (degrees) =>
    handles.turn([Math.cos(degrees * RADIANS), Math.sin(degrees * RADIANS)]),
  );
  const shiftSlider = slider("Shift", { min: -reach, max: reach, step: reach / 250 }, handles.shift);
  const reveal = button("", () => change(model, { revealed: !model.get("revealed") }));
  const restart = button("Start again", () => {
    bestSoFar = 0;
    change(model, { revealed: false, theta: [...start] });
  });
  const numbers = facts("margin", "of the widest", "best so far", "\u03b8 = (b, w\u2081, w\u2082)");
  const text = liveText();
  // The meter: a bar for the margin and a tick for the best so far, both in parts of the widest.
  const bar = element("i");
  const tick = element("b");
  const meter = element("div", { class: "pla-meter", "aria-hidden": true }, bar, tick);

  function draw() {
    const theta = getTheta();
    const revealed = model.get("revealed");
    const measures = measureLine(record, theta, tolerance);
    const { margin, separates } = measures;
    const half = halfPlane(view, theta);
    const { edges: bandEdges, inner } = separates ? marginBand(view, theta, margin) : { edges: "", inner: "" };
    tint.setAttribute("d", polygon(half.side));
    line.setAttribute("d", path(half.line));
    band.setAttribute("d", inner);
    edges.setAttribute("d", bandEdges);
    nearestRings.setAttribute("d", separates ? rings(measures.nearest.map(view.to), 11) : "");
    crosses.setAttribute("d", measures.wrong.map((x) => cross(view.to(x))).join(""));
    text.textContent = describeLine(record, measures, revealed, tolerance) + handles.draw(theta);
    data.setAttribute("aria-label", `The ${X.length} points and your line. ${text.textContent}`);
    bestSoFar = Math.max(bestSoFar, margin);
    const percent = (value) => (value > 0 ? `${number((100 * value) / widest.margin)}\u00a0%` : "none");
    const thetaText = vector(theta.map((value) => Number(value.toFixed(9))));
    numbers.show(number(margin), percent(margin), percent(bestSoFar), thetaText);
    bar.style.width = `${Math.max(0, (100 * margin) / widest.margin)}%`;
    tick.style.left = `${(100 * bestSoFar) / widest.margin}%`;
    turnSlider.value = Math.atan2(theta[2], theta[1]) / RADIANS;
    turnSlider.setAttribute("aria-valuetext", `w points to ${number(turnSlider.valueAsNumber)} degrees`);
    shiftSlider.value = -(dot(theta.slice(1), view.middle) + theta[0]);
    shiftSlider.setAttribute("aria-valuetext", `${number(shiftSlider.valueAsNumber)} from the middle`);
    widestShape.classList.toggle("pla-shown", revealed);
    reveal.textContent = revealed ? "Hide the widest" : "Show the widest";
  }

  const labelled = (name, node) => element("label", { class: "pla-labelled-slider" }, name, node);
  const hint = element("span", { class: "pla-hint" }, "Or drag the dot and the arrow.");
  const sliders = row(labelled("Turn", turnSlider), labelled("Shift", shiftSlider));
  const root = assemble(el, "Margin explorer", {
    pictures: [data],
    panel: [meter, numbers.node],
    controls: [text, sliders, row(reveal, restart, hint)],
  });
  root.classList.add("pla-margin-explorer");
  return follow(model, ["theta", "revealed"], draw);
}

export default { render };
