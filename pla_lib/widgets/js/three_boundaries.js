// Three ways to classify after `step` visits of a run: by the last weights, by their average, by the vote of all.

import { chart, grid } from "./chart.js";
import { assemble, change, facts, follow, liveText, row, toggle, transport } from "./controls.js";
import { path, pathShape, picture, setAttributes, shape } from "./dom.js";
import { axes, exampleRing, halfPlane, mark, plane } from "./plane.js";
import { nextMistake, score, visitedExample, weights } from "./run_record.js";
import { voteRegions } from "./vote_regions.js";
import { counted, number, signed } from "./wording.js";

// The run's weights as lines [b, w1, w2]; how many mistakes come before each visit; and for the average the sums of the
// weights that judged the first t visits.
function weightHistory(record) {
  const { times, visits } = record;
  const thetas = weights(record);
  const lines = thetas.map((theta) => (theta.length === 3 ? theta : [0, ...theta]));
  const mistakesBefore = new Int32Array(visits + 1);
  const sums = [[0, 0, 0]];
  for (let t = 0, k = 0; t < visits; t++) {
    sums.push(sums[t].map((value, j) => value + lines[k][j]));
    if (times[k] === t) k++;
    mistakesBefore[t + 1] = k;
  }
  return { thetas, lines, mistakesBefore, sums };
}

const scoreOf = ([b, w1, w2], x1, x2) => w1 * x1 + w2 * x2 + b;

// How many test points each classifier gets wrong after every number of visits. A score or a vote of zero says -1.
function testErrors({ visits, test }, { lines, mistakesBefore, sums }) {
  const [last, averaged, voted] = [0, 1, 2].map(() => new Int32Array(visits + 1));
  test.X.forEach(([x1, x2], i) => {
    const isPositive = test.y[i] > 0;
    for (let t = 0, votes = 0; t <= visits; t++) {
      const saysPositive = scoreOf(lines[mistakesBefore[t]], x1, x2) > 0;
      last[t] += saysPositive !== isPositive;
      averaged[t] += scoreOf(sums[t], x1, x2) > 0 !== isPositive;
      voted[t] += votes > 0 !== isPositive;
      votes += saysPositive ? 1 : -1;
    }
  });
  return { last, averaged, voted };
}

// The chart of test errors against visits. Visits still to come are paler.
function errorChart({ visits, test }, errors) {
  const percent = (count) => (100 * count) / test.y.length;
  const highest = Object.values(errors).map((counts) => counts.slice(1).reduce((a, b) => Math.max(a, b), 0));
  const view = chart([0, visits], [0, Math.max(5, 1.08 * percent(Math.max(...highest)))], ["visits", "test error"]);
  const { frame } = view;
  const curve = ([name, counts]) => {
    const points = Array.from(counts.slice(1), (count, t) => view.to([t + 1, percent(count)]));
    return [name, pathShape(`pla-line pla-${name} pla-curve`, path(points))];
  };
  const curves = Object.fromEntries(Object.entries(errors).map(curve));
  const future = shape("rect", { y: frame.top - 6, height: frame.bottom - frame.top + 12, class: "pla-future" });
  const now = shape("line", { y1: frame.top - 6, y2: frame.bottom, class: "pla-thin" });
  const dot = (name) => [name, shape("circle", { r: 3.6, class: "pla-position" })];
  const dots = Object.fromEntries(Object.keys(errors).map(dot));
  const node = picture(view, "", grid(view, "%"), ...Object.values(curves), future, now, ...Object.values(dots));
  function draw(step, layers) {
    const [u] = view.to([step, 0]);
    setAttributes(future, { x: u, width: Math.max(0, frame.right + 4 - u) });
    setAttributes(now, { x1: u, x2: u });
    for (const name in errors) {
      const isHidden = !layers.includes(name);
      curves[name].setAttribute("visibility", isHidden ? "hidden" : "visible");
      setAttributes(dots[name], {
        cx: u,
        cy: view.to([0, percent(errors[name][step])])[1],
        visibility: isHidden || step === 0 ? "hidden" : "visible",
      });
    }
  }
  return { node, draw };
}

// What visit number `step` did, and how many test points each classifier gets wrong after it.
function describeStep(record, { thetas, mistakesBefore }, errors, step) {
  if (step === 0) return "Start: no visit yet, so there is nothing to average and nobody votes.";
  const { X, y, times, test, visits } = record;
  const k = mistakesBefore[step - 1];
  const i = visitedExample(record, step - 1);
  const scored = `point\u00a0${i} (class\u00a0${signed(y[i])}) scored\u00a0${signed(score(thetas[k], X[i]))}`;
  const result = times[k] === step - 1 ? "a mistake" : "right";
  const counts = Object.entries(errors).map(([name, wrong]) => `${name}\u00a0${wrong[step]}`);
  return (
    `Visit ${step}${step === visits ? ", the last" : ""}: ${scored}, ${result}. ` +
    `Wrong of ${counted(test.y.length, "test point")}: ${counts.join(", ")}.`
  );
}

// What stands beside the name of each layer: how its line, region or points are drawn.
function layerKeys() {
  const swatch = (...shapes) =>
    shape("svg", { viewBox: "0 0 34 16", class: "pla-swatch", "aria-hidden": true }, ...shapes);
  const stroke = (name) => pathShape(`pla-line pla-${name}`, "M2,8H32");
  const disc = shape("circle", { cx: 10, cy: 8, r: 5, class: "pla-positive" });
  const square = shape("rect", { x: 20, y: 3, width: 10, height: 10, class: "pla-negative" });
  return {
    last: swatch(stroke("last")),
    averaged: swatch(stroke("averaged")),
    voted: swatch(shape("rect", { width: 34, height: 16, class: "pla-positive-side" }), stroke("voted")),
    test: swatch(shape("g", { class: "pla-test-points" }, disc, square)),
  };
}

function render({ model, el }) {
  const record = model.get("record");
  const { X, y, visits, test } = record;
  const history = weightHistory(record);
  const errors = testErrors(record, history);
  const view = plane([...X, ...test.X]);
  const votes = voteRegions(view, record, history);
  const ring = exampleRing(view);
  const [tint, edge] = ["pla-positive-side", "pla-line pla-voted"].map((classes) =>
    setAttributes(pathShape(classes), { "fill-rule": "evenodd" }),
  );
  const [last, averaged] = ["last", "averaged"].map((name) => pathShape(`pla-line pla-${name}`));
  const testMarks = test.X.map((point, i) => mark(view, point, test.y[i]));
  const testPoints = shape("g", { class: "pla-test-points" }, ...testMarks);
  const marks = X.map((point, i) => mark(view, point, y[i]));
  const data = picture(view, "", tint, axes(view), testPoints, ...marks, edge, averaged, last, ring.node);
  const graph = errorChart(record, errors);
  const text = liveText();
  const numbers = facts("visit", "mistakes", "test points", "last errs", "averaged errs", "voted errs");
  const steps = transport(model, visits, { name: "Visit", jump: nextMistake(() => record) });
  const keys = layerKeys();
  const layers = Object.fromEntries(
    Object.keys(keys).map((name) => {
      const layer = toggle(name === "test" ? "test points" : name, (on) => {
        const isShown = (other) => (other === name ? on : model.get("layers").includes(other));
        change(model, { layers: Object.keys(keys).filter(isShown) });
      });
      layer.box.after(keys[name]);
      return [name, layer];
    }),
  );

  function draw() {
    const step = steps.now();
    const shown = model.get("layers");
    const mistakeCount = history.mistakesBefore[step];
    const average = history.sums[step].map((sum) => sum / Math.max(1, step));
    for (const name in layers) layers[name].box.checked = shown.includes(name);
    const line = (name, theta) => path((shown.includes(name) && halfPlane(view, theta)?.line) || []);
    last.setAttribute("d", line("last", history.lines[mistakeCount]));
    averaged.setAttribute("d", line("averaged", average));
    votes.countUntil(step);
    const region = shown.includes("voted") ? votes.outline() : "";
    for (const node of [tint, edge]) node.setAttribute("d", region);
    testPoints.setAttribute("visibility", shown.includes("test") ? "visible" : "hidden");
    const isMistake = mistakeCount > history.mistakesBefore[Math.max(0, step - 1)];
    ring.draw(step ? X[visitedExample(record, step - 1)] : null, isMistake);
    graph.draw(step, shown);
    const percent = (counts) => (step ? `${number((100 * counts[step]) / test.y.length)}%` : "\u2013");
    numbers.show(`${step} of ${visits}`, mistakeCount, test.y.length, ...Object.values(errors).map(percent));
    text.textContent = describeStep(record, history, errors, step);
    const boundaries = shown.filter((name) => name !== "test").join(", ") || "none chosen";
    const name = `The ${X.length} points with the boundaries after ${counted(step, "visit")}: ${boundaries}.`;
    data.setAttribute("aria-label", name);
    graph.node.setAttribute("aria-label", `Test error against visits. ${text.textContent}`);
    steps.show();
  }

  const root = assemble(el, "Three boundaries", {
    pictures: [data, graph.node],
    panel: [text, numbers.node],
    controls: [row(...Object.values(layers).map((layer) => layer.node)), ...steps.nodes],
    onKey: steps.onKey,
  });
  root.classList.add("pla-three-boundaries");
  const unfollow = follow(model, ["step", "layers"], draw);
  return () => {
    unfollow();
    steps.stop();
  };
}

export default { render };
