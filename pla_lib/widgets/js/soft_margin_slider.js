// The soft margin slider: what a larger C does to line, margin and slack. The model's `index` is the place along the
// path of Cs. Python computed theta and the support vectors for each C; slacks and margin follow from theta.

import { assemble, change, facts, follow, liveText, row, slider } from "./controls.js";
import { cross, element, path, pathShape, picture, rings, setAttributes, shape } from "./dom.js";
import { axes, dot, halfPlane, mark, plane, pointerInPicture, separator, ticks } from "./plane.js";
import { number, signed } from "./wording.js";

const lengthText = (value) => (value === Infinity ? "\u221e" : number(value));

// The solution for C number k: slack_i = max(0, 1 - y_i * (w'x_i + b)), the two parts 1/2 ||w||^2 and C/N * total slack
// of the objective, and which points lie inside the margin or on the wrong side. Slack up to `least` counts as none.
function solution({ X, y, Cs, thetas, supports, least }, k) {
  const [b, ...w] = thetas[k];
  const slack = X.map((x, i) => Math.max(0, 1 - y[i] * (dot(w, x) + b)));
  const indicesWhere = (test) => slack.flatMap((value, i) => (test(value) ? [i] : []));
  const totalSlack = slack.reduce((sum, value) => sum + value, 0);
  const norm2 = dot(w, w);
  return {
    C: Cs[k],
    theta: thetas[k],
    b,
    w,
    norm2,
    margin: 1 / Math.sqrt(norm2),
    slack,
    totalSlack,
    slackCost: (Cs[k] / X.length) * totalSlack,
    support: supports[k],
    insideMargin: indicesWhere((value) => value > least && value <= 1 + least),
    wrong: indicesWhere((value) => value > 1 + least),
  };
}

function describeSolution({ C, b, norm2, insideMargin, wrong }) {
  const opening = `C\u00a0=\u00a0${number(C)}: `;
  const count = insideMargin.length + wrong.length;
  if (norm2 === 0)
    return `${opening}w = 0, so there is no line, and the margin is infinite. Every point scores\u00a0${signed(b)}.`;
  if (!count) return `${opening}no point needs slack. This is the hard margin, the widest that separates.`;
  const need =
    count === 1
      ? "1 point needs slack, the line to its margin"
      : `${count} points need slack, the lines to their margins`;
  return `${opening}${need}. Inside the margin: ${insideMargin.length}. On the wrong side: ${wrong.length}.`;
}

// The powers of ten from low to high; if there are fewer than two of them, low and high themselves.
function decades(low, high) {
  const first = Math.ceil(Math.log10(low) - 1e-9);
  const count = Math.floor(Math.log10(high) + 1e-9) - first + 1;
  return count < 2 ? [low, high] : Array.from({ length: count }, (_, k) => 10 ** (first + k));
}

// The place of a value on a logarithmic axis: 0 at low, 1 at high.
const logScale = (low, high) => (value) => Math.log(value / low) / Math.log(high / low);

// Two charts against C, the margin above and the total slack below. Pressing or dragging goes to the nearest C.
function pathChart(solutions, goTo) {
  const [left, right, top, bottom, depth] = [50, 386, 26, 268, 98];
  const Cs = solutions.map(({ C }) => C);
  const scaleC = logScale(Cs[0], Cs.at(-1));
  const across = (C) => left + (right - left) * scaleC(C);
  const text = (x, y, content, more = {}) => shape("text", { x, y, ...more }, content);
  // With many marks, every other one has its number.
  const hasNumber = (k, marks) => marks.length <= 4 || k % 2 === 0;
  const currentC = pathShape("pla-thin pla-current-c");
  const axis = shape("g", { class: "pla-axes" }, text(8, 290, "C", { class: "pla-axis-name" }));
  decades(Cs[0], Cs.at(-1)).forEach((C, k, all) => {
    axis.append(shape("line", { x1: across(C), x2: across(C), y1: top, y2: bottom }));
    const anchor = C < Cs.at(-1) ? "middle" : "end";
    if (hasNumber(k, all)) axis.append(text(across(C), 290, number(C), { "text-anchor": anchor }));
  });
  const node = picture({ width: 400, height: 300 }, "", axis, currentC);

  // Draws one curve, with its own axis that begins at height `start`; `scale` takes values to 0..1. Returns the
  // function that moves the curve's dot to a solution.
  function addCurve(name, start, quantity, scale, marks) {
    const down = (value) => start + depth * (1 - scale(value));
    const position = shape("circle", { r: 6, class: "pla-position" });
    marks.forEach((value, k) => {
      const v = down(value);
      axis.append(shape("line", { x1: left, x2: right, y1: v, y2: v }));
      if (hasNumber(k, marks)) axis.append(text(left - 7, v + 4, number(value), { "text-anchor": "end" }));
    });
    const finite = solutions.filter((one) => Number.isFinite(quantity(one)));
    const points = finite.map((one) => [across(one.C), down(quantity(one))]);
    const label = text(left, start - 9, name + (finite.length ? "" : ": infinite"), { class: "pla-label" });
    node.append(pathShape("pla-line pla-curve", path(points)), label, position);
    return (one) => {
      const hasPoint = Number.isFinite(quantity(one));
      position.setAttribute("visibility", hasPoint ? "visible" : "hidden");
      if (hasPoint) setAttributes(position, { cx: across(one.C), cy: down(quantity(one)) });
    };
  }
  const margins = solutions.map(({ margin }) => margin).filter(Number.isFinite);
  const [low, high] = margins.length ? [0.8 * Math.min(...margins), 1.25 * Math.max(...margins)] : [1, 10];
  const marginMarks = margins.length ? decades(low, high) : [];
  const mostSlack = 1.1 * (Math.max(...solutions.map(({ totalSlack }) => totalSlack)) || 1);
  const slackOf = ({ totalSlack }) => totalSlack;
  const slackScale = (value) => value / mostSlack;
  const moveDots = [
    addCurve("margin 1/\u2016w\u2016", top, ({ margin }) => margin, logScale(low, high), marginMarks),
    addCurve("total slack \u03a3\u03be", bottom - depth, slackOf, slackScale, ticks(0, mostSlack)),
  ];

  function goToPointer(event) {
    if (event.type === "pointermove" && !event.buttons) return;
    const [u] = pointerInPicture(node, event);
    const distances = Cs.map((C) => Math.abs(across(C) - u));
    goTo(distances.indexOf(Math.min(...distances)));
  }
  for (const kind of ["pointerdown", "pointermove"]) node.addEventListener(kind, goToPointer);
  node.classList.add("pla-chart");

  function draw(now) {
    const u = across(now.C);
    const ends = [top, bottom].map((v) => [u, v]);
    currentC.setAttribute("d", path(ends));
    for (const moveDot of moveDots) moveDot(now);
    const values = `the margin is ${lengthText(now.margin)} and the slack ${number(now.totalSlack)}`;
    node.setAttribute("aria-label", `Margin and total slack against C. Here, at C = ${number(now.C)}, ${values}.`);
  }
  return { node, draw };
}

// The points with line, margins and slacks, rings round the support vectors and crosses on what is wrong.
function dataPicture({ X, y }) {
  const view = plane(X);
  const line = separator(view);
  const places = X.map(view.to);
  const lineOf = (theta) => path(halfPlane(view, theta)?.line ?? []);
  const slackLines = [1, -1].map((label) =>
    pathShape(`pla-thin pla-slack pla-${label > 0 ? "positive" : "negative"}-line`),
  );
  const margins = pathShape("pla-line pla-dashed pla-margin");
  const supportVectors = pathShape("pla-ring pla-support-vectors");
  const crosses = pathShape("pla-cross");
  const marks = X.map((point, i) => mark(view, point, y[i]));
  const lines = [...slackLines, margins];
  const node = picture(view, "", line.tint, axes(view), ...lines, ...marks, line.over, supportVectors, crosses);
  function draw({ theta, b, w, norm2, slack, insideMargin, wrong, support }) {
    margins.setAttribute("d", lineOf([b - 1, ...w]) + lineOf([b + 1, ...w]));
    // The slack of a point is drawn along w, as far as the margin of its class, where y * (w'x + b) = 1.
    function slackLine(i) {
      const onMargin = X[i].map((value, k) => value + ((y[i] * slack[i]) / norm2) * w[k]);
      return path([places[i], view.to(onMargin)]);
    }
    const needSlack = norm2 > 0 ? [...insideMargin, ...wrong] : [];
    [1, -1].forEach((label, k) => {
      const ofClass = needSlack.filter((i) => y[i] === label);
      slackLines[k].setAttribute("d", ofClass.map(slackLine).join(""));
    });
    const ringed = support.map((i) => places[i]);
    supportVectors.setAttribute("d", rings(ringed, 10));
    crosses.setAttribute("d", wrong.map((i) => cross(places[i])).join(""));
    const lineText = line.draw(theta);
    return norm2 > 0 ? lineText : ""; // the description already says that there is no line
  }
  return { node, draw };
}

function render({ model, el }) {
  const record = model.get("record");
  const { X, Cs } = record;
  const solutions = Cs.map((_, k) => solution(record, k));
  const goTo = (index) => change(model, { index });
  const data = dataPicture(record);
  const curves = pathChart(solutions, goTo);
  const text = liveText();
  const objective = `\u00bd\u2016w\u2016\u00b2 + C/${X.length} \u00b7 total slack`;
  const numbers = facts("C", "margin", "total slack", "inside", "wrong side", "support vectors", objective);
  const sliderC = slider("C", { min: 0, max: Cs.length - 1, step: 1 }, goTo);
  const [cheap, dear] = ["slack is cheap", "slack is dear"].map((words) => element("span", {}, words));
  const scale = element("div", { class: "pla-c-slider" }, cheap, sliderC, dear);

  function draw() {
    const now = solutions[model.get("index")];
    const lineText = data.draw(now);
    curves.draw(now);
    const [half, cost] = [now.norm2 / 2, now.slackCost];
    numbers.show(
      number(now.C),
      lengthText(now.margin),
      number(now.totalSlack),
      now.insideMargin.length,
      now.wrong.length,
      now.support.length,
      `${number(half)} + ${number(cost)} = ${number(half + cost)}`,
    );
    text.textContent = describeSolution(now) + lineText;
    data.node.setAttribute("aria-label", `The ${X.length} points, the line and its margins. ${text.textContent}`);
    sliderC.value = model.get("index");
    sliderC.setAttribute("aria-valuetext", `C = ${number(now.C)}`);
  }

  const root = assemble(el, "Soft margin slider", {
    pictures: [data.node, curves.node],
    panel: [text, numbers.node],
    controls: [row(scale)],
  });
  root.classList.add("pla-soft-margin-slider");
  return follow(model, ["index"], draw);
}

export default { render };
