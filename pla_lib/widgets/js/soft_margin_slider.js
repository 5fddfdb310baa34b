// The soft margin slider: `index` is the place along the path of Cs. Slacks follow from theta, which Python computed.

import { assemble, facts, follow, row, slider, spoken } from "./controls.js";
import { cross, element, filled, layer, path, picture, rings, shape } from "./dom.js";
import { axes, dot, halfPlane, mark, plane, separator, ticks } from "./plane.js";
import { number, signed } from "./wording.js";

const size = (value) => (value === Infinity ? "\u221e" : number(value));

// What there is to show at one C: slack_i = max(0, 1 - y_i * (w'x_i + b)), and the two parts of the objective.
function settled({ X, y, Cs, thetas, supports, least }, k) {
  const [b, ...w] = thetas[k],
    slack = X.map((x, i) => Math.max(0, 1 - y[i] * (dot(w, x) + b)));
  const those = (test) => slack.flatMap((value, i) => (test(value) ? [i] : []));
  const total = slack.reduce((sum, value) => sum + value, 0),
    square = dot(w, w);
  return {
    C: Cs[k],
    theta: thetas[k],
    b,
    w,
    square,
    margin: 1 / Math.sqrt(square),
    slack,
    total,
    price: (Cs[k] / X.length) * total,
    support: supports[k],
    between: those((value) => value > least && value <= 1 + least),
    wrong: those((value) => value > 1 + least),
  };
}

function told({ C, b, square, between, wrong }) {
  const at = `C\u00a0=\u00a0${number(C)}: `,
    count = between.length + wrong.length;
  if (square === 0)
    return `${at}w = 0, so there is no line, and the margin is infinite. Every point scores\u00a0${signed(b)}.`;
  if (!count) return `${at}no point needs slack. This is the hard margin, the widest that separates.`;
  const need =
    count === 1
      ? "1 point needs slack, the line to its margin"
      : `${count} points need slack, the lines to their margins`;
  return `${at}${need}. Inside the margin: ${between.length}. On the wrong side: ${wrong.length}.`;
}

// Powers of ten from low to high; if there are not two of them, low and high.
function decades(low, high) {
  const first = Math.ceil(Math.log10(low) - 1e-9),
    count = Math.floor(Math.log10(high) + 1e-9) - first + 1;
  return count < 2 ? [low, high] : Array.from({ length: count }, (_, k) => 10 ** (first + k));
}

// A number along a logarithmic axis, from 0 at low to 1 at high.
const onLog = (low, high) => (value) => Math.log(value / low) / Math.log(high / low);

// Margin and slack against C, one above the other. Press or drag to go to a C.
function chart(states, go) {
  const view = { width: 400, height: 300 },
    [left, right, top, bottom, deep] = [50, 386, 26, 268, 98];
  const Cs = states.map(({ C }) => C),
    along = onLog(Cs[0], Cs.at(-1)),
    across = (C) => left + (right - left) * along(C);
  const text = (x, y, words, more = {}) => shape("text", { x, y, ...more }, words),
    every = (all) => (all.length > 4 ? 2 : 1);
  const stem = layer("pla-thin pla-stem"),
    axis = shape("g", { class: "pla-axes" }, text(8, 290, "C", { class: "pla-name" }));
  decades(Cs[0], Cs.at(-1)).forEach((C, k, all) => {
    axis.append(shape("line", { x1: across(C), x2: across(C), y1: top, y2: bottom }));
    if (k % every(all) === 0)
      axis.append(text(across(C), 290, number(C), { "text-anchor": C < Cs.at(-1) ? "middle" : "end" }));
  });
  const node = picture(view, "", axis, stem);

  // One curve above its own axis; `level` takes its values to heights from 0 to 1. Gives what moves its dot.
  function curve(name, start, of, level, marks) {
    const down = (value) => start + deep * (1 - level(value)),
      here = shape("circle", { r: 6, class: "pla-here" });
    marks.forEach((value, k) => {
      axis.append(shape("line", { x1: left, x2: right, y1: down(value), y2: down(value) }));
      if (k % every(marks) === 0) axis.append(text(left - 7, down(value) + 4, number(value), { "text-anchor": "end" }));
    });
    const known = states.filter((state) => Number.isFinite(of(state)));
    node.append(
      layer("pla-line pla-curve", path(known.map((state) => [across(state.C), down(of(state))]))),
      text(left, start - 9, name + (known.length ? "" : ": infinite"), { class: "pla-label" }),
      here,
    );
    return (state) => {
      here.setAttribute("visibility", Number.isFinite(of(state)) ? "visible" : "hidden");
      if (Number.isFinite(of(state))) filled(here, { cx: across(state.C), cy: down(of(state)) }, []);
    };
  }
  const margins = states.map(({ margin }) => margin).filter(Number.isFinite),
    most = Math.max(...states.map(({ total }) => total)) || 1;
  const [low, high] = margins.length ? [0.8 * Math.min(...margins), 1.25 * Math.max(...margins)] : [1, 10];
  const moves = [
    curve(
      "margin 1/\u2016w\u2016",
      top,
      ({ margin }) => margin,
      onLog(low, high),
      margins.length ? decades(low, high) : [],
    ),
    curve(
      "total slack \u03a3\u03be",
      bottom - deep,
      ({ total }) => total,
      (value) => value / (1.1 * most),
      ticks(0, 1.1 * most),
    ),
  ];

  function pressed(event) {
    if (event.type === "pointermove" && !event.buttons) return;
    const { x } = new DOMPoint(event.clientX, event.clientY).matrixTransform(node.getScreenCTM().inverse());
    const off = Cs.map((C) => Math.abs(across(C) - x));
    go(off.indexOf(Math.min(...off)));
  }
  for (const kind of ["pointerdown", "pointermove"]) node.addEventListener(kind, pressed);
  node.classList.add("pla-chart");

  function draw(state) {
    stem.setAttribute(
      "d",
      path([
        [across(state.C), top],
        [across(state.C), bottom],
      ]),
    );
    for (const move of moves) move(state);
    node.setAttribute(
      "aria-label",
      `Margin and total slack against C. Here, at C = ${number(state.C)}, the margin is ${size(state.margin)} and the slack ${number(state.total)}.`,
    );
  }
  return { node, draw };
}

// Points, line, margins, slacks, rings round support vectors and crosses on what is wrong.
function scenery({ X, y }) {
  const view = plane(X),
    line = separator(view),
    to = X.map(view.to),
    half = (theta) => path(halfPlane(view, theta)?.line ?? []);
  const slacks = [1, -1].map((label) => layer(`pla-thin pla-slack pla-${label > 0 ? "positive" : "negative"}-line`));
  const margins = layer("pla-line pla-dashed pla-margin"),
    ringed = layer("pla-ring pla-ringed"),
    crossed = layer("pla-cross");
  const points = X.map((point, i) => mark(view, point, y[i]));
  const node = picture(view, "", line.tint, axes(view), ...slacks, margins, ...points, line.over, ringed, crossed);
  function draw({ theta, b, w, square, slack, between, wrong, support }) {
    margins.setAttribute("d", half([b - 1, ...w]) + half([b + 1, ...w]));
    // From the point along w to where y * (w'x + b) = 1.
    const segment = (i) => path([to[i], view.to(X[i].map((value, k) => value + ((y[i] * slack[i]) / square) * w[k]))]);
    const some = square > 0 ? [...between, ...wrong] : [];
    slacks.forEach((node, k) =>
      node.setAttribute(
        "d",
        some
          .filter((i) => y[i] > 0 === (k === 0))
          .map(segment)
          .join(""),
      ),
    );
    ringed.setAttribute(
      "d",
      rings(
        support.map((i) => to[i]),
        10,
      ),
    );
    crossed.setAttribute("d", wrong.map((i) => cross(to[i])).join(""));
    const seen = line.draw(theta);
    return square > 0 ? seen : "";
  }
  return { node, draw };
}

function render({ model, el }) {
  const record = model.get("record"),
    { X, Cs } = record,
    states = Cs.map((_, k) => settled(record, k));
  const go = (index) => {
    model.set("index", index);
    model.save_changes();
  };
  const data = scenery(record),
    curves = chart(states, go),
    words = spoken();
  const numbers = facts(
    "C",
    "margin",
    "total slack",
    "inside",
    "wrong side",
    "support vectors",
    `\u00bd\u2016w\u2016\u00b2 + C/${X.length} \u00b7 total slack`,
  );
  const place = slider("C", { min: 0, max: Cs.length - 1, step: 1 }, go);
  const scale = element(
    "div",
    { class: "pla-scale" },
    element("span", {}, "slack is cheap"),
    place,
    element("span", {}, "slack is dear"),
  );

  function draw() {
    const now = states[model.get("index")],
      { C, margin, total, square, price } = now,
      seen = data.draw(now);
    curves.draw(now);
    numbers.show(
      number(C),
      size(margin),
      number(total),
      now.between.length,
      now.wrong.length,
      now.support.length,
      `${number(square / 2)} + ${number(price)} = ${number(square / 2 + price)}`,
    );
    words.textContent = told(now) + seen;
    data.node.setAttribute("aria-label", `The ${X.length} points, the line and its margins. ${words.textContent}`);
    place.value = model.get("index");
    place.setAttribute("aria-valuetext", `C = ${number(C)}`);
  }

  assemble(el, "Soft margin slider", {
    pictures: [data.node, curves.node],
    panel: [words, numbers.node],
    controls: [row(scale)],
  }).classList.add("pla-soft-margin-slider");
  return follow(model, ["index"], draw);
}

export default { render };
