// A stream of examples, one a round, and the mistakes so far against the bound of a comparator w*. The model's `step`
// is the number of rounds seen, `w` the reader's w*; the best w* for the whole stream was computed in Python.

import { chart, grid } from "./chart.js";
import { assemble, button, change, facts, follow, liveText, row, slider, transport } from "./controls.js";
import { arrow, cross, element, path, pathShape, picture, pictureWithHandles, setAttributes, shape } from "./dom.js";
import { axes, clip, dot, exampleRing, handle, mark, planeAroundOrigin, separator } from "./plane.js";
import { mistakesWithin, nextMistake, score, weights } from "./run_record.js";
import { counted, number, signed, vector } from "./wording.js";

// Hsu's bound on the mistakes of the online perceptron, against a comparator w: H + s sqrt(H) + s^2, where H is the sum
// of w's hinge losses max(0, 1 - y_t w'x_t) and s = ||w|| L with L the largest ||x_t||. As hinge_mistake_bound in
// pla_lib has it over all rounds; here after 0, 1, ..., n of them.
function hingeMistakeBounds({ X, y }, w) {
  let H = 0;
  let radius2 = 0;
  const bounds = [{ bound: 0, H: 0, s: 0 }];
  X.forEach((x, t) => {
    H += Math.max(0, 1 - y[t] * dot(w, x));
    radius2 = Math.max(radius2, dot(x, x));
    const s2 = dot(w, w) * radius2;
    bounds.push({ bound: H + s2 + Math.sqrt(H * s2), H, s: Math.sqrt(s2) });
  });
  return bounds;
}

// What happened in round number `step`, and what the two comparators promise after it.
function describeRound(record, thetas, step, w, yourBound, bestBound) {
  const { X, y, times } = record;
  const mistakeCount = mistakesWithin(record, step);
  const theta = thetas[mistakeCount];
  if (step === 0) {
    const coming = `${counted(y.length, "point")} will come, one a round.`;
    const text = `${coming} w predicts the class, then it is told. Choose a w*: what does it promise?`;
    return { mistakeCount, theta, previous: null, isMistake: false, text };
  }
  const isMistake = times[mistakeCount - 1] === step - 1;
  const previous = isMistake ? thetas[mistakeCount - 1] : null;
  const scored = score(previous ?? theta, X[step - 1]);
  const prediction = scored === 0 ? "a tie" : `w predicted ${scored > 0 ? "+1" : "\u22121"}`;
  const result = `the class is\u00a0${signed(y[step - 1])}: ${isMistake ? "a mistake." : "right."}`;
  // Over mistake rounds only, w* = 0 has a hinge loss of 1 for each mistake: its bound is the number of mistakes
  // itself.
  const promise = w.some((value) => value)
    ? `your w* promises at most\u00a0${number(yourBound)},`
    : `your w*\u00a0=\u00a00 promises at most\u00a0${number(yourBound)} ` +
      `(over mistake rounds only: ${mistakeCount}, a tautology),`;
  const text =
    `Round ${step}: ${prediction}, ${result} ${counted(mistakeCount, "mistake")} so far; ${promise} ` +
    `the w* best in the end at most\u00a0${number(bestBound)}.`;
  return { mistakeCount, theta, previous, isMistake, text };
}

// The points so far, the perceptron's line, and w*: an arrow from the origin that can be dragged, with dashed lines
// where its score is -1 and +1. `longest` is the longest w* that fits into the picture.
function streamPicture({ X, y, mistakes }, longest, choose) {
  const reach = X.flat().reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  const view = planeAroundOrigin(reach, { height: 320 });
  // w* is drawn in the plane of the points, at a scale of its own.
  const unit = (1.1 * reach) / longest;
  const weightView = {
    scale: view.scale * unit,
    to: (w) => view.to(w.map((value) => value * unit)),
    from: (position) => view.from(position).map((value) => value / unit),
  };
  const line = separator(view);
  const ring = exampleRing(view);
  const marks = X.map((x, i) => mark(view, x, y[i]));
  const margins = pathShape("pla-line pla-margins");
  const pastMistakes = pathShape("pla-cross pla-previous pla-past-mistakes");
  const shaft = pathShape("pla-line pla-comparator");
  const name = shape("text", { class: "pla-symbol" }, "w*");
  let w = null;
  const touchArea = shape("circle", { r: 18, class: "pla-touch-area" });
  const knob = shape("circle", { r: 6.5, class: "pla-position" });
  const grip = handle({ ...view, ...weightView }, shape("g", { class: "pla-grip" }, touchArea, knob), {
    name: "w*, to be moved with the arrow keys",
    at: () => w,
    move: choose,
  });
  const layers = [line.tint, axes(view), ...marks, pastMistakes, line.over, margins, ring.node, shaft, name, grip];
  const node = pictureWithHandles(view, "", ...layers);
  function draw(step, round, chosen) {
    w = chosen;
    const lineText = line.draw(round.theta, round.previous);
    marks.forEach((point, i) => point.setAttribute("visibility", i < step ? "visible" : "hidden"));
    ring.draw(step ? X[step - 1] : null, round.isMistake);
    const past = mistakes.slice(0, round.mistakeCount - (round.isMistake ? 1 : 0));
    pastMistakes.setAttribute("d", past.map((i) => cross(view.to(X[i]))).join(""));
    const marginLine = (level) => path(clip(view.corners, (x) => dot(w, x) - level).cut.map(view.to));
    margins.setAttribute("d", [-1, 1].map(marginLine).join(""));
    const origin = view.to([0, 0]);
    const tip = weightView.to(w);
    const length = Math.hypot(tip[0] - origin[0], tip[1] - origin[1]);
    const beyondTip = (by) => tip.map((c, k) => c + (by * (c - origin[k])) / (length || 1));
    shaft.setAttribute("d", length > 8 ? arrow(origin, beyondTip(-8)) : "");
    setAttributes(name, { x: beyondTip(20)[0], y: beyondTip(20)[1] + (length ? 5 : -12) });
    grip.setAttribute("transform", `translate(${tip.map((c) => c.toFixed(1)).join(" ")})`);
    node.setAttribute("aria-label", `The points of ${counted(step, "round")}, the perceptron\u2019s line and w*.`);
    return lineText;
  }
  return { node, draw };
}

// Mistakes and bounds against rounds. Bounds never fall; one that leaves the chart ends at its upper edge.
function boundChart({ y, times }, best) {
  const n = y.length;
  const top = Math.max(3, Math.min(n, 2.5 * best[n].bound));
  const view = chart([0, n], [0, top], ["round", "mistakes"], { height: 320, gutter: 72 });
  const NAMES = { best: "best w*", yours: "your w*", mistakes: "mistakes" };
  const CLASSES = { best: "pla-best-bound", yours: "pla-bound", mistakes: "pla-line pla-mistake-curve" };
  const curves = Object.keys(NAMES).map((kind) => ({
    kind,
    line: pathShape(CLASSES[kind]),
    label: shape("text", { class: "pla-label" }),
  }));
  const node = picture(view, "", grid(view), ...curves.flatMap(({ line, label }) => [line, label]));
  function cutAtTop(points) {
    const out = points.findIndex(([, value]) => value > top);
    if (out < 1) return points;
    const [p, q] = [points[out - 1], points[out]];
    return [...points.slice(0, out), [p[0] + ((top - p[1]) / (q[1] - p[1])) * (q[0] - p[0]), top]];
  }
  function draw(step, { mistakeCount }, yours) {
    const stair = (time, k) => [
      [time + 1, k],
      [time + 1, k + 1],
    ];
    const boundCurve = (bounds) => cutAtTop(bounds.slice(0, step + 1).map(({ bound }, t) => [t, bound]));
    const points = {
      mistakes: [[0, 0], ...times.slice(0, mistakeCount).flatMap(stair), [step, mistakeCount]],
      yours: boundCurve(yours),
      best: boundCurve(best),
    };
    for (const { kind, line } of curves) line.setAttribute("d", step ? path(points[kind].map(view.to)) : "");
    // Names stand at the ends of the curves, from the lowest up, moved apart where the ends are close.
    const height = ({ kind }) => points[kind].at(-1)[1];
    const upwards = curves.toSorted((p, q) => height(p) - height(q) || (p.kind === "mistakes" ? -1 : 1));
    let lowest = view.frame.bottom + 16;
    for (const { kind, label } of upwards) {
      const [u, v] = view.to(points[kind].at(-1));
      lowest = Math.min(lowest - 16, v + 4);
      const isCut = kind === "yours" && yours[step].bound > top;
      label.textContent = step ? NAMES[kind] + (isCut ? " \u2191" : "") : "";
      setAttributes(label, { x: u + 6, y: lowest });
    }
    node.setAttribute(
      "aria-label",
      `Over ${counted(step, "round")}: ${counted(mistakeCount, "mistake")}, ` +
        `at most ${number(yours[step].bound)} promised by your w*, at most ${number(best[step].bound)} by the best.`,
    );
  }
  return { node, draw };
}

function render({ model, el }) {
  const record = model.get("record");
  const { X } = record;
  const thetas = weights(record);
  const best = hingeMistakeBounds(record, record.best);
  // The slider goes to about twice the best w*, in steps of a round number.
  const radius = X.reduce((most, x) => Math.max(most, Math.hypot(...x)), 0) || 1;
  const roughly = 2 * Math.max(Math.hypot(...record.best), 1 / radius);
  const unit = 10 ** Math.floor(Math.log10(roughly / 50));
  const longest = Math.ceil(roughly / unit) * unit;
  function choose(w) {
    const length = Math.hypot(...w);
    const shrink = length > longest ? longest / length : 1;
    change(model, { w: w.map((value) => value * shrink) });
  }
  // A w* of length 0 has no direction: the last one is kept for when it grows again.
  let angle = 0;
  function point(degrees, length) {
    angle = degrees;
    choose([Math.cos, Math.sin].map((f) => length * f((degrees * Math.PI) / 180)));
  }
  const turn = (degrees) => point(degrees, Math.hypot(...model.get("w")));
  const directionSlider = slider("w* direction", { min: -180, max: 180, step: 1 }, turn);
  const lengthSlider = slider("w* length", { min: 0, max: longest, step: unit }, (length) => point(angle, length));
  const sliders = [directionSlider, lengthSlider].map((node) =>
    element("label", {}, node.getAttribute("aria-label"), node),
  );
  const data = streamPicture(record, longest, choose);
  const graph = boundChart(record, best);
  const text = liveText();
  const numbers = facts("mistakes", "your bound", "best bound", "your w*", "its loss H", "\u2016w*\u2016\u2009L");
  const steps = transport(model, X.length, { name: "Round", jump: nextMistake(() => record) });
  steps.nodes[1].firstChild.after(button("Best w*", () => choose(record.best)));

  function draw() {
    const step = steps.now();
    const w = model.get("w");
    const yours = hingeMistakeBounds(record, w);
    const round = describeRound(record, thetas, step, w, yours[step].bound, best[step].bound);
    if (w.some((value) => value)) angle = (Math.atan2(w[1], w[0]) * 180) / Math.PI;
    const lineText = data.draw(step, round, w);
    graph.draw(step, round, yours);
    text.textContent = round.text + (step ? lineText : "");
    numbers.show(
      round.mistakeCount,
      `\u2264 ${number(yours[step].bound)}`,
      `\u2264 ${number(best[step].bound)}`,
      vector(w.map((value) => Math.round(value / unit) * unit)),
      number(yours[step].H),
      number(yours[step].s),
    );
    directionSlider.value = angle;
    lengthSlider.value = Math.hypot(...w);
    directionSlider.setAttribute("aria-valuetext", `${Math.round(angle)} degrees`);
    steps.show();
  }

  const root = assemble(el, "Stream explorer", {
    pictures: [data.node, graph.node],
    panel: [text, numbers.node],
    controls: [...steps.nodes, row(element("div", { class: "pla-sliders" }, ...sliders))],
    onKey: steps.onKey,
  });
  root.classList.add("pla-stream-explorer");
  const unfollow = follow(model, ["step", "w"], draw);
  return () => {
    unfollow();
    steps.stop();
  };
}

export default { render };
