// The stream: `step` rounds have been seen. Mistakes so far stand against the bound of the reader's w* and of the best one.

import { chart, rules } from "./chart.js";
import { assemble, button, facts, follow, row, slider, spoken, stepping } from "./controls.js";
import { arrow, cross, element, filled, path, picture, shape } from "./dom.js";
import { axes, clip, dot, handle, mark, plane, separator, spotlight } from "./plane.js";
import { made, weights } from "./run_record.js";
import { counted, number, signed, vector } from "./wording.js";

// After each round the bound H + s sqrt(H) + s^2 of w over the rounds so far: H = sum of max(0, 1 - y_t w'x_t), s = ||w|| max ||x_t||.
function bounds({ X, y }, w) {
  let losses = 0,
    radius2 = 0;
  const after = X.map((x, t) => {
    losses += Math.max(0, 1 - y[t] * dot(w, x));
    radius2 = Math.max(radius2, dot(x, x));
    const s2 = dot(w, w) * radius2;
    return { bound: losses + s2 + Math.sqrt(losses * s2), losses, s: Math.sqrt(s2) };
  });
  return [{ bound: 0, losses: 0, s: 0 }, ...after];
}

// What there is to say after `step` rounds; thetas are the weights after each mistake.
function told({ X, y, times }, thetas, step, w, yours, best) {
  const mistakes = made(times, step),
    theta = thetas[mistakes];
  if (step === 0)
    return {
      mistakes,
      theta,
      wrong: false,
      words: `${counted(y.length, "point")} will come, one a round. w predicts the class, then it is told. Choose a w*: what does it promise?`,
    };
  const wrong = times[mistakes - 1] === step - 1,
    score = dot(thetas[wrong ? mistakes - 1 : mistakes], X[step - 1]);
  const predicted = score === 0 ? "a tie" : `w predicted ${score > 0 ? "+1" : "\u22121"}`;
  const round = `Round ${step}: ${predicted}, the class is\u00a0${signed(y[step - 1])}: ${wrong ? "a mistake." : "right."} ${counted(mistakes, "mistake")} so far;`;
  // Over mistake rounds only the hinge losses of w* = 0 are one for each mistake: that bound is the number of mistakes itself.
  const promise = w.some((value) => value)
    ? `your w* promises at most\u00a0${number(yours)},`
    : `your w*\u00a0=\u00a00 promises at most\u00a0${number(yours)} (over mistake rounds only: ${mistakes}, a tautology),`;
  return {
    mistakes,
    theta,
    before: wrong ? thetas[mistakes - 1] : null,
    wrong,
    words: `${round} ${promise} the w* best in the end at most\u00a0${number(best)}.`,
  };
}

// The points so far, the perceptron's line, and w*: an arrow from the origin, with dashed lines where its score is -1 and +1.
// `most` is the longest w* there is room for.
function streamed({ X, y, times }, most, choose) {
  const reach = X.flat().reduce((far, value) => Math.max(far, Math.abs(value)), 0) || 1;
  const view = plane(
      [
        [-reach, -reach],
        [reach, reach],
      ],
      { height: 320 },
    ),
    unit = (1.1 * reach) / most;
  const weightView = {
    scale: view.scale * unit,
    to: (w) => view.to(w.map((value) => value * unit)),
    from: (at) => view.from(at).map((value) => value / unit),
  };
  const line = separator(view),
    light = spotlight(view),
    marks = X.map((x, i) => mark(view, x, y[i]));
  const margins = shape("path", { class: "pla-line pla-margins" }),
    past = shape("path", { class: "pla-cross pla-old pla-past" });
  const shaft = shape("path", { class: "pla-line pla-comparator" }),
    name = shape("text", { class: "pla-w" }, "w*");
  let w = null;
  const grip = handle(
    { ...view, ...weightView },
    shape(
      "g",
      { class: "pla-grip" },
      shape("circle", { r: 18, class: "pla-hit" }),
      shape("circle", { r: 6.5, class: "pla-here" }),
    ),
    { name: "w*, to be moved with the arrow keys", at: () => w, move: choose },
  );
  // A finger on it moves w*, not the page: touch-action does not reach a group within a picture.
  const node = picture(
    view,
    "",
    line.tint,
    axes(view),
    ...marks,
    past,
    line.over,
    margins,
    light.node,
    shaft,
    name,
    grip,
  );
  node.setAttribute("role", "group");
  function draw(step, now, chosen) {
    w = chosen;
    const seen = line.draw(now.theta, now.before),
      tip = weightView.to(w),
      [u, v] = view.to([0, 0]);
    marks.forEach((point, i) => point.setAttribute("visibility", i < step ? "visible" : "hidden"));
    light.draw(step ? X[step - 1] : null, now.wrong);
    past.setAttribute(
      "d",
      times
        .slice(0, now.mistakes - (now.wrong ? 1 : 0))
        .map((i) => cross(view.to(X[i])))
        .join(""),
    );
    margins.setAttribute(
      "d",
      [-1, 1].map((level) => path(clip(view.corners, (x) => dot(w, x) - level).cut.map(view.to))).join(""),
    );
    const away = Math.hypot(tip[0] - u, tip[1] - v),
      beyond = (by) => tip.map((c, k) => c + (by * (c - [u, v][k])) / (away || 1));
    shaft.setAttribute("d", away > 8 ? arrow([u, v], beyond(-8)) : "");
    filled(name, { x: beyond(20)[0], y: beyond(20)[1] + (away ? 5 : -12) }, []);
    grip.setAttribute("transform", `translate(${tip.map((c) => c.toFixed(1)).join(" ")})`);
    node.setAttribute("aria-label", `The points of ${counted(step, "round")}, the perceptron\u2019s line and w*.`);
    return seen;
  }
  return { node, draw };
}

// Mistakes and bounds over the rounds. Bounds never fall; one that leaves the chart ends at its upper edge.
function race({ y, times }, best) {
  const n = y.length,
    top = Math.max(3, Math.min(n, 2.5 * best[n].bound));
  const view = chart([0, n], [0, top], ["round", "mistakes"], { height: 320, gutter: 72 });
  const kinds = { best: "pla-best", yours: "pla-bound", mistakes: "pla-line pla-made" };
  const lines = Object.entries(kinds).map(([kind, name]) => [
    kind,
    shape("path", { class: name }),
    shape("text", { class: "pla-label" }),
  ]);
  const node = picture(view, "", rules(view), ...lines.flatMap(([, line, label]) => [line, label]));
  function within(points) {
    const out = points.findIndex(([, value]) => value > top);
    if (out < 1) return points;
    const [p, q] = [points[out - 1], points[out]];
    return [...points.slice(0, out), [p[0] + ((top - p[1]) / (q[1] - p[1])) * (q[0] - p[0]), top]];
  }
  function draw(step, now, yours) {
    const stairs = [
      [0, 0],
      ...times.slice(0, now.mistakes).flatMap((t, k) => [
        [t + 1, k],
        [t + 1, k + 1],
      ]),
      [step, now.mistakes],
    ];
    const so_far = (all) => within(all.slice(0, step + 1).map(({ bound }, t) => [t, bound]));
    const curves = { mistakes: stairs, yours: so_far(yours), best: so_far(best) };
    const texts = { mistakes: "mistakes", yours: "your w*", best: "best w*" };
    for (const [kind, line] of lines) line.setAttribute("d", step ? path(curves[kind].map(view.to)) : "");
    // Names stand at the ends of the curves, moved apart where these meet.
    let low = view.frame.bottom + 16;
    for (const [kind, , label] of lines.toSorted(
      (p, q) => curves[p[0]].at(-1)[1] - curves[q[0]].at(-1)[1] || (p[0] === "mistakes" ? -1 : 1),
    )) {
      const [u, v] = view.to(curves[kind].at(-1));
      low = Math.min(low - 16, v + 4);
      label.textContent = step ? texts[kind] + (kind === "yours" && yours[step].bound > top ? " \u2191" : "") : "";
      filled(label, { x: u + 6, y: low }, []);
    }
    node.setAttribute(
      "aria-label",
      `Over ${counted(step, "round")}: ${counted(now.mistakes, "mistake")}, at most ${number(yours[step].bound)} promised by your w*, at most ${number(best[step].bound)} by the best.`,
    );
  }
  return { node, draw };
}

function render({ model, el }) {
  const record = model.get("record"),
    { X, y, times } = record,
    n = y.length;
  const thetas = weights({ ...record, theta0: [0, 0], eta: 1, order: X.map((_, i) => i) }),
    best = bounds(record, record.best);
  const radius = X.reduce((far, x) => Math.max(far, Math.hypot(...x)), 0) || 1;
  const rough = 2 * Math.max(Math.hypot(...record.best), 1 / radius),
    step = 10 ** Math.floor(Math.log10(rough / 50)),
    most = Math.ceil(rough / step) * step;
  const choose = (w) => {
    const length = Math.hypot(...w),
      fits = length > most ? most / length : 1;
    model.set(
      "w",
      w.map((value) => value * fits),
    );
    model.save_changes();
  };
  // A w* of length 0 keeps its direction for when it grows again.
  let angle = 0;
  const pointing = (degrees, length) => {
    angle = degrees;
    choose([Math.cos, Math.sin].map((f) => length * f((degrees * Math.PI) / 180)));
  };
  const direction = slider("w* direction", { min: -180, max: 180, step: 1 }, (degrees) =>
    pointing(degrees, Math.hypot(...model.get("w"))),
  );
  const length = slider("w* length", { min: 0, max: most, step }, (value) => pointing(angle, value));
  const named = [direction, length].map((node) => element("label", {}, node.getAttribute("aria-label"), node));
  const data = streamed(record, most, choose),
    over = race(record, best),
    words = spoken();
  const numbers = facts("mistakes", "your bound", "best bound", "your w*", "its loss H", "\u2016w*\u2016\u2009L");
  const steps = stepping(model, n, {
    name: "Round",
    jump: { text: "Next mistake", to: (at) => (times[made(times, at)] ?? n - 1) + 1 },
  });
  steps.nodes[1].firstChild.after(button("Best w*", () => choose(record.best)));

  function draw() {
    const at = steps.now(),
      w = model.get("w"),
      yours = bounds(record, w);
    const now = told(record, thetas, at, w, yours[at].bound, best[at].bound);
    if (w.some((value) => value)) angle = (Math.atan2(w[1], w[0]) * 180) / Math.PI;
    const seen = data.draw(at, now, w);
    over.draw(at, now, yours);
    words.textContent = now.words + (at ? seen : "");
    numbers.show(
      now.mistakes,
      `\u2264 ${number(yours[at].bound)}`,
      `\u2264 ${number(best[at].bound)}`,
      vector(w.map((value) => Math.round(value / step) * step)),
      number(yours[at].losses),
      number(yours[at].s),
    );
    direction.value = angle;
    length.value = Math.hypot(...w);
    direction.setAttribute("aria-valuetext", `${Math.round(angle)} degrees`);
    steps.show();
  }

  const root = assemble(el, "Stream explorer", {
    pictures: [data.node, over.node],
    panel: [words, numbers.node],
    controls: [...steps.nodes, row(element("div", { class: "pla-sliders" }, ...named))],
    keys: steps.listen,
  });
  root.classList.add("pla-stream-explorer");
  const forget = follow(model, ["step", "w"], draw);
  return () => {
    forget();
    steps.stop();
  };
}

export default { render };
