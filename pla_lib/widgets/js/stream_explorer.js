// A stream of examples, one per round, and the mistakes so far against the bound of a comparator w*. The model's `step`
// is the number of rounds seen, `w` the reader's w*; the best w* for the whole stream was computed in Python.

import { count, numbers } from "./address.js";
import { chart, grid } from "./chart.js";
import { button, facts, follow, row, slider } from "./controls.js";
import { arrow, dotPath, element, path, pathShape, picture, setAttributes, shape } from "./dom.js";
import { clamp, mix, motion, phase } from "./motion.js";
import { fittedPicture } from "./picture.js";
import { clip, dot, freePlace, halfPlane, handle } from "./plane.js";
import { spotlight } from "./points.js";
import { FLASH, runPicture, SWING, UPDATE } from "./run_picture.js";
import { mistakeSteps, mistakesWithin, nextMistake, score, staysFor, weights } from "./run_record.js";
import { shell } from "./shell.js";
import { transport } from "./transport.js";
import { counted, number, signed, vector } from "./wording.js";

const ARRIVAL = 300; // milliseconds in which a point drops in, its class still unknown
const RIGHT = 200; // for which a round without a mistake stays when played
const BESIDE = [7, -7]; // where the dot of a past mistake is, from its point

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

// What happened in the first `step` rounds: theta after them and before the last of them, and how that one was judged.
function roundOf(record, thetas, step) {
  const { X, times } = record;
  const mistakeCount = mistakesWithin(record, step);
  const theta = thetas[mistakeCount];
  if (step === 0) return { step, mistakeCount, theta, previous: theta, example: null, isMistake: false };
  const isMistake = times[mistakeCount - 1] === step - 1;
  const previous = isMistake ? thetas[mistakeCount - 1] : theta;
  return { step, mistakeCount, theta, previous, example: step - 1, isMistake, score: score(previous, X[step - 1]) };
}

// The verdict on a round, with the bounds of the two comparators after it behind "why?".
function describeRound({ y }, { step, mistakeCount, theta, example, isMistake, score: scored }, w, yours, best) {
  if (step === 0) {
    return {
      kind: "start",
      text: "w* is any weight vector to compare with. It costs H on points it scores by less than 1.",
      why:
        `${counted(y.length, "point")} arrive, one per round. w predicts each class before it is revealed. ` +
        "The comparator w* is yours: drag its tip. Its loss on a point is what the signed score falls short of 1, or " +
        "zero if it reaches 1, and H is the sum of these losses. On the dashed lines w* scores \u22121 and +1.",
    };
  }
  const bounds = Object.values(describeBounds(step, mistakeCount, w, yours, best))
    .join(" ")
    .trim();
  if (step === y.length) {
    const made = `${counted(mistakeCount, "mistake")} in ${counted(step, "round")}`;
    const most = `${number(yours)} with your w* and ${number(best)} with the best`;
    return { kind: "done", text: `${made}. The bound is ${most}.`, why: bounds };
  }
  const point = `point\u00a0${example}`;
  const label = signed(y[example]);
  const predicted = `w predicts ${scored > 0 ? "+1" : "\u22121"} for ${point}`;
  const text =
    scored === 0
      ? `Round ${step}: ${point} scores 0. A tie counts as a mistake, so w changes.`
      : isMistake
        ? `Round ${step}: ${predicted}, but the class is\u00a0${label}. The line moves.`
        : `Round ${step}: ${predicted}, and the class is\u00a0${label}. Nothing changes.`;
  const [verb, to] = y[example] > 0 ? ["adds", "to"] : ["subtracts", "from"];
  const update = isMistake
    ? `The class is\u00a0${label}, so the update ${verb} ${point} ${to} w: w becomes ${vector(theta)}. `
    : `The score is ${signed(scored)}, which has the sign of the class. `;
  return { kind: isMistake ? "mistake" : "right", text, why: update + bounds };
}

// The bounds of the two comparators after `step` rounds, beside the mistakes.
function describeBounds(step, mistakeCount, w, yours, best) {
  const text =
    `Over ${counted(step, "round")}, the bound is ${number(yours)} with your w* ` +
    `and ${number(best)} with the best\u00a0w*. So far: ${counted(mistakeCount, "mistake")}.`;
  const why = w.some((value) => value)
    ? ""
    : "With w* = 0 every round has loss 1, so the bound is the number of rounds. Summed over the mistakes alone, " +
      `it is the number of mistakes itself, ${mistakeCount}, which tells you nothing.`;
  return { text, why };
}

// What a point says of itself: how it was judged when it came, and how it would be now.
function describeArrival({ X, y, times }, thetas, theta, i) {
  const before = thetas[mistakesWithin({ times }, i)];
  const place = `Point\u00a0${i}, class\u00a0${signed(y[i])}, at\u00a0${vector(X[i])}.`;
  const judged = `score\u00a0${signed(score(before, X[i]))}, ${times.includes(i) ? "a mistake" : "right"}`;
  const scoreNow = score(theta, X[i]);
  const verdict = scoreNow === 0 ? "on the line" : y[i] * scoreNow > 0 ? "right" : "wrong";
  return `${place} Round\u00a0${i + 1}: ${judged}. Now: score\u00a0${signed(scoreNow)}, ${verdict}.`;
}

// The comparator w*, drawn in the plane of the points at a scale of its own: an arrow from the origin whose tip can be
// dragged, with dashed lines where its score is -1 and +1. `unit` is the length of 1 in the plane.
function comparator(view, X, unit, choose) {
  const scaled = {
    ...view,
    scale: view.scale * unit,
    to: (w) => view.to(w.map((value) => value * unit)),
    from: (position) => view.from(position).map((value) => value / unit),
  };
  let w = [0, 0];
  const touchArea = shape("circle", { r: 20, class: "pla-touch-area" });
  const knob = shape("circle", { r: 7, class: "pla-position" });
  const grip = handle(scaled, shape("g", { class: "pla-grip" }, touchArea, knob), {
    name: "w*: move it with the arrow keys",
    at: () => w,
    move: choose,
  });
  const margins = pathShape("pla-line pla-dashed pla-margins");
  // The dashed lines end above the numbers of the axis.
  const frame = [
    [0, 0],
    [view.width, 0],
    [view.width, view.height - 22],
    [0, view.height - 22],
  ].map(view.from);
  const shaft = pathShape("pla-line pla-comparator");
  const name = shape("text", { class: "pla-symbol" }, "w*");
  const invitation = shape("text", { class: "pla-label", "text-anchor": "middle" }, "drag the tip of w*");
  function draw({ w: chosen, theta, shownCount }) {
    w = chosen;
    const marginLines = [-1, 1].map((level) => clip(frame, (x) => dot(w, x) - level).cut.map(view.to));
    margins.setAttribute("d", marginLines.map(path).join(""));
    const origin = view.to([0, 0]);
    const tip = scaled.to(w);
    const length = Math.hypot(tip[0] - origin[0], tip[1] - origin[1]);
    const along = length ? tip.map((value, k) => (value - origin[k]) / length) : [0, -1];
    const beyond = (by, aside = 0) => [
      tip[0] + by * along[0] - aside * along[1],
      tip[1] + by * along[1] + aside * along[0],
    ];
    shaft.setAttribute("d", length > 8 ? arrow(origin, beyond(-8)) : "");
    // Its name keeps away from the points and from w, whose arrow begins in the origin, too.
    const norm = Math.hypot(...theta) || 1;
    const tipOfW = [40, 52].map((by) => [origin[0] + (by * theta[0]) / norm, origin[1] - (by * theta[1]) / norm]);
    const places = [...X.slice(0, shownCount).map(view.to), ...tipOfW];
    const line = halfPlane(view, theta)?.line ?? [];
    const lines = [line, ...marginLines].filter((one) => one.length);
    const around = [beyond(20), beyond(4, 20), beyond(4, -20), beyond(-16, 20), beyond(-16, -20)];
    const [u, v] = freePlace(view, around, places, 12, { lines, half: [10, 8] });
    setAttributes(name, { x: u, y: v + 5 });
    setAttributes(invitation, {
      x: clamp(tip[0], 64, view.width - 64),
      y: tip[1] + (tip[1] < view.height / 2 ? -22 : 30),
      visibility: shownCount ? "hidden" : "visible",
    });
    grip.setAttribute("transform", `translate(${tip.map((value) => value.toFixed(1)).join(" ")})`);
  }
  // Where other names do not belong: along the arrow, and to both sides of its tip, where its own name may be.
  function occupied() {
    const [u, v] = scaled.to(w);
    return [
      ...[0.5, 0.75].map((share) => scaled.to(w.map((value) => share * value))),
      ...[-24, 0, 24].map((by) => [u + by, v]),
    ];
  }
  return {
    under: { node: margins },
    over: { node: shape("g", {}, shaft, name, invitation, grip), draw },
    occupied,
  };
}

// The point that comes, while its class is unknown, with what w predicts.
function arrivalShape(view, X) {
  const prediction = shape("text", { x: 14, y: 4 });
  const node = shape(
    "g",
    { class: "pla-arrival", visibility: "hidden" },
    shape("circle", { r: 8 }),
    shape("text", { y: 4, "text-anchor": "middle" }, "?"),
    prediction,
  );
  function draw({ arrival = null }) {
    node.setAttribute("visibility", arrival ? "visible" : "hidden");
    if (!arrival) return;
    const fall = phase(arrival.t, 0, 0.5);
    const [u, v] = view.to(X[arrival.example]);
    setAttributes(node, { transform: `translate(${u} ${v - 40 * (1 - fall)})`, opacity: fall });
    prediction.textContent = fall < 1 ? "" : arrival.score ? `w: ${arrival.score > 0 ? "+1" : "\u22121"}` : "w: tie";
  }
  return { node, draw };
}

// A dot beside each point that was a mistake in its round.
function pastMistakes(view, { X, mistakes }) {
  const node = pathShape("pla-past-mistakes");
  const beside = (i) => view.to(X[i]).map((value, k) => value + BESIDE[k]);
  function draw({ shownCount }) {
    const dots = mistakes.filter((i) => i < shownCount).map((i) => dotPath(beside(i)));
    node.setAttribute("d", dots.join(""));
  }
  return { node, draw };
}

// What the marks of the stream mean.
function keyOfMarks() {
  const marks = { dot: "mistake in its round", cross: "wrong now", dashes: "w* scores \u00b11" };
  const entries = Object.entries(marks).map(([mark, words]) =>
    element("span", {}, element("i", { class: `pla-key-${mark}` }), words),
  );
  return element("p", { class: "pla-mark-key" }, ...entries);
}

// Mistakes and bounds against rounds. Its height follows the reader's w*, so that the bound on all rounds is in view; a
// bound that is far too large to say anything leaves the chart and ends at its upper edge. Bounds never fall.
function boundChart(record, best) {
  const { y, times } = record;
  const n = y.length;
  const most = Math.max(2 * n, 2.5 * best[n].bound);
  const topFor = (yours) => Math.max(3, Math.min(most, 1.08 * Math.max(best[n].bound, yours[n].bound)));
  const NAMES = { best: "best bound", yours: "your bound", mistakes: "mistakes" };
  const CLASSES = { best: "pla-best-bound", yours: "pla-bound", mistakes: "pla-line pla-mistake-curve" };
  function cutAtTop(points, top) {
    const out = points.findIndex(([, value]) => value > top);
    if (out < 1) return points;
    const [p, q] = [points[out - 1], points[out]];
    return [...points.slice(0, out), [p[0] + ((top - p[1]) / (q[1] - p[1])) * (q[0] - p[0]), top]];
  }
  return fittedPicture((size) => {
    let [top, view] = [null, null];
    const axes = shape("g");
    function scaleTo(height) {
      if (height === top) return;
      top = height;
      view = chart([0, n], [0, top], ["round", "mistakes"], { ...size, gutter: 72 });
      axes.replaceChildren(grid(view));
    }
    const curves = Object.keys(NAMES).map((kind) => ({
      kind,
      line: pathShape(CLASSES[kind]),
      label: shape("text", { class: "pla-label" }),
    }));
    const node = picture(size, "", axes, ...curves.flatMap(({ line, label }) => [line, label]));
    // `place` is the number of rounds, and a fraction while the curves grow.
    function draw({ place, yours }) {
      scaleTo(topFor(yours));
      const step = Math.floor(place);
      const mistakeCount = mistakesWithin(record, step);
      const stair = (time, k) => [
        [time + 1, k],
        [time + 1, k + 1],
      ];
      function boundCurve(bounds) {
        const points = bounds.slice(0, step + 1).map(({ bound }, t) => [t, bound]);
        return cutAtTop(place > step ? [...points, [place, boundAt(bounds, place)]] : points, top);
      }
      const points = {
        mistakes: [[0, 0], ...times.slice(0, mistakeCount).flatMap(stair), [place, mistakeCount]],
        yours: boundCurve(yours),
        best: boundCurve(best),
      };
      for (const { kind, line } of curves) line.setAttribute("d", place ? path(points[kind].map(view.to)) : "");
      // Names stand at the ends of the curves, from the lowest up, moved apart where the ends are close.
      const height = ({ kind }) => points[kind].at(-1)[1];
      const upwards = curves.toSorted((p, q) => height(p) - height(q) || (p.kind === "mistakes" ? -1 : 1));
      let lowest = view.frame.bottom + 16;
      for (const { kind, label } of upwards) {
        const [u, v] = view.to(points[kind].at(-1));
        lowest = Math.min(lowest - 16, v + 4);
        const isCut = kind === "yours" && yours[step].bound > top;
        label.textContent = place ? NAMES[kind] + (isCut ? " \u2191" : "") : "";
        setAttributes(label, { x: u + 6, y: lowest });
      }
      const [most, least] = [yours, best].map((bounds) => number(bounds[step].bound));
      const bounds = `the bound is ${most} with your w* and ${least} with the best`;
      node.setAttribute(
        "aria-label",
        `After ${counted(step, "round")}: ${counted(mistakeCount, "mistake")}, ${bounds}.`,
      );
    }
    return { node, draw };
  });
}

// A bound after so many rounds, or between two of them.
function boundAt(bounds, place) {
  const step = Math.floor(place);
  return place > step ? mix(bounds[step].bound, bounds[step + 1].bound, place - step) : bounds[step].bound;
}

// The Python that shows the same.
const pythonCode = ({ X, y }, step, w) =>
  [
    "from pla_lib import stream_explorer",
    "",
    `X = ${JSON.stringify(X)}`,
    `y = ${JSON.stringify(y)}`,
    "widget = stream_explorer(X, y)",
    `widget.step, widget.w = ${step}, ${JSON.stringify(w)}`,
    "widget",
    "",
  ].join("\n");

function render({ model, el }) {
  const record = model.get("record");
  const { X, y } = record;
  const thetas = weights(record);
  const best = hingeMistakeBounds(record, record.best);
  const bestLength = Math.hypot(...record.best);
  // The slider goes to about twice the best w*, in steps of a round number.
  const radius = X.reduce((most, x) => Math.max(most, Math.hypot(...x)), 0) || 1;
  const roughly = 2 * Math.max(bestLength, 1 / radius);
  const unit = 10 ** Math.floor(Math.log10(roughly / 50));
  const longest = Math.ceil(roughly / unit) * unit;
  const degreesOf = (w) => (Math.atan2(w[1], w[0]) * 180) / Math.PI;
  // What the reader moves by hand is there at once; what a button or undo does is seen to move.
  let isByHand = false;
  function choose(w, gesture) {
    const length = Math.hypot(...w);
    const shrink = length > longest ? longest / length : 1;
    isByHand = true;
    ui.edit({ w: w.map((value) => value * shrink) }, gesture);
    isByHand = false;
  }
  // A w* of length 0 has no direction: the last one is kept for when it grows again.
  let angle = 0;
  function point(degrees, length, gesture) {
    angle = degrees;
    choose(
      [Math.cos, Math.sin].map((f) => length * f((degrees * Math.PI) / 180)),
      gesture,
    );
  }
  const directionSlider = slider(
    "w* direction",
    { min: -180, max: 180, step: 1 },
    (degrees, gesture) => point(degrees, Math.hypot(...model.get("w")), gesture),
    () => degreesOf(record.best),
  );
  const lengthSlider = slider(
    "w* length",
    { min: 0, max: longest, step: unit },
    (length, gesture) => point(angle, length, gesture),
    () => bestLength,
  );
  const hint = element(
    "p",
    { class: "pla-hint" },
    "w* scores \u22121 or +1 on the dashed lines. The arrow w* has its own scale.",
  );
  const comparatorPane = element(
    "div",
    { class: "pla-pane pla-with-main pla-comparator-pane" },
    directionSlider.node,
    lengthSlider.node,
    row(button("Best w*", () => ui.edit({ w: record.best }))),
    hint,
  );

  const lights = spotlight();
  const reach = X.flat().reduce((most, value) => Math.max(most, Math.abs(value)), 0) || 1;
  // The picture has the points that have come, `shown.X` and `shown.y`.
  let shown = { X: [], y: [] };
  let shownTheta = null;
  function showPoints(length) {
    if (length !== shown.X.length) shown = { X: X.slice(0, length), y: y.slice(0, length) };
  }
  const layersOf = new WeakMap();
  function comparatorIn(view) {
    if (!layersOf.has(view)) layersOf.set(view, comparator(view, X, (1.1 * reach) / longest, choose));
    return layersOf.get(view);
  }
  const data = runPicture({
    data: () => shown,
    frame: [
      [-reach, -reach],
      [reach, reach],
    ],
    lights,
    options: { describe: (i) => describeArrival(record, thetas, shownTheta, i) },
    under: (view) => [comparatorIn(view).under],
    over: (view) => [pastMistakes(view, record), arrivalShape(view, X), comparatorIn(view).over],
    avoid: (view) => comparatorIn(view).occupied(),
  });
  const graph = boundChart(record, best);
  const table = facts(
    "mistakes",
    "your bound",
    "best bound",
    "your w*",
    "H: how far scores of w* fall short of 1, summed",
    "\u2016w*\u2016\u2009L: length of w* times the longest \u2016x\u2016",
  );
  const stay = staysFor(() => record);
  const steps = transport(model, X.length, {
    name: "Round",
    jump: nextMistake(() => record),
    marks: () => mistakeSteps(record),
    marksAre: "Each tick is a mistake",
    stay: (step) => (roundOf(record, thetas, step).isMistake ? ARRIVAL + stay(step) : RIGHT),
  });
  const stage = motion();
  const keyed = element("div", { class: "pla-keyed" }, element("div", {}, data.node), keyOfMarks());
  const ui = shell(
    { model, el },
    {
      name: "Stream explorer",
      main: { name: "Stream", picture: { ...data, node: keyed } },
      panes: { Bounds: graph.node, "w*": comparatorPane, Numbers: table.node },
      steps,
      state: { step: count, w: numbers(2) },
      edits: ["w"],
      python: () => pythonCode(record, steps.now(), model.get("w")),
      lights,
    },
  );
  ui.root.classList.add("pla-stream-explorer");

  let last = null; // what was drawn last: round and w
  function draw() {
    const step = steps.now();
    const w = model.get("w");
    const yours = hingeMistakeBounds(record, w);
    const bounds = [yours[step].bound, best[step].bound];
    const round = roundOf(record, thetas, step);
    if (w.some((value) => value)) angle = degreesOf(w);
    const from = last ?? { step, w, theta: round.theta };
    last = { step, w, theta: round.theta };
    const hasNewW = from.w.some((value, k) => value !== w[k]);
    const isForward = step === from.step + 1;
    // Rounds without a mistake pass quickly when they are played.
    const isQuick = steps.isBrief() || (steps.isPlaying() && !round.isMistake);
    const arrival = isForward && !isQuick ? ARRIVAL : 0;
    const change = isForward && round.isMistake && !steps.isBrief() ? UPDATE : isForward ? FLASH : SWING;
    const milliseconds = step !== from.step ? arrival + change : hasNewW && !isByHand ? SWING : 0;
    const label = `The ${counted(step, "point")} so far, the perceptron\u2019s line and w*.`;
    stage.play(steps.duration(milliseconds), (t) => {
      const drawnW = mix(from.w, w, phase(t));
      drawStream(t, milliseconds ? arrival / milliseconds : 0, from, round, { w: drawnW, label });
      const place = mix(from.step, step, phase(t));
      const drawnBounds = t < 1 && hasNewW ? hingeMistakeBounds(record, drawnW) : yours;
      graph.draw({ place, yours: drawnBounds });
      table.show(
        t < 1 ? mistakesWithin(record, Math.floor(place)) : round.mistakeCount,
        `\u2264 ${number(boundAt(drawnBounds, place))}`,
        `\u2264 ${number(boundAt(best, place))}`,
        vector(drawnW.map((value) => Math.round(value / unit) * unit)),
        number(drawnBounds[step].H),
        number(drawnBounds[step].s),
      );
    });
    const verdict = describeRound(record, round, w, ...bounds);
    const isAnswer = hasNewW && step === from.step && step > 0 && step < y.length;
    const answer = describeBounds(step, round.mistakeCount, w, ...bounds);
    ui.show(isAnswer ? { kind: "note", chip: "Bound", ...answer } : verdict);
    directionSlider.show(angle, `${Math.round(angle)}\u00b0`);
    lengthSlider.show(Math.hypot(...w), number(Math.hypot(...w)));
    steps.show();
  }

  // The stream on its way to a round, as far as t: for the share `arrives` of the way the point drops in, its class
  // unknown, and is scored; then its class is revealed, and after a mistake the line swings.
  function drawStream(t, arrives, from, round, rest) {
    const { step, theta, example, isMistake } = round;
    const isUpdate = isMistake && step === from.step + 1;
    const isArriving = t < arrives;
    showPoints(isArriving ? step - 1 : step);
    shownTheta = isArriving ? from.theta : theta;
    const shared = { ...rest, shownCount: shown.X.length, brief: steps.isBrief() };
    if (isArriving) {
      data.draw({ ...shared, theta: from.theta, arrival: { example, score: round.score, t: t / arrives } });
      return;
    }
    data.draw({
      ...shared,
      theta,
      from: from.theta,
      ghost: isMistake ? round.previous : null,
      example,
      isMistake: isUpdate,
      score: round.score,
      t: (t - arrives) / (1 - arrives),
    });
  }

  const unfollow = follow(model, ["step", "w"], draw);
  return () => {
    unfollow();
    stage.finish();
    graph.stop();
    ui.stop();
  };
}

export default { render };
