// Three ways to classify after `step` visits of a run: by the last weights, by their average, by the vote of all.

import { count, oneOf, someOf } from "./address.js";
import { chart, grid } from "./chart.js";
import { change, facts, follow, segments, toggle } from "./controls.js";
import { element, path, pathShape, picture, pictureWithHandles, polygon, setAttributes, shape } from "./dom.js";
import { mix, motion, phase } from "./motion.js";
import { fittedPicture } from "./picture.js";
import { axes, halfPlane, lineAndArrow, lineBefore, lineBetween, plane } from "./plane.js";
import { mark, pointLayer, spotlight } from "./points.js";
import { runTransport } from "./run_controls.js";
import { SWING, UPDATE, updateShapes } from "./run_picture.js";
import { describeVisit, runInPython, weights } from "./run_record.js";
import { shell } from "./shell.js";
import { voteCounter, voteRegions } from "./vote_regions.js";
import { counted, signed, vector } from "./wording.js";

// What can be drawn, and what the reader sees of its name.
const LAYERS = { last: "last", averaged: "averaged", voted: "voted", test: "test points" };
const JUDGES = ["last", "averaged", "voted"];

// The run's weights as lines [b, w1, w2]; how many mistakes come before each visit; and for the average the sums of the
// weights that judged the first t visits.
function weightHistory({ times, visits }, thetas) {
  const lines = thetas.map((theta) => (theta.length === 3 ? theta : [0, ...theta]));
  const mistakesBefore = new Int32Array(visits + 1);
  const sums = [[0, 0, 0]];
  for (let t = 0, k = 0; t < visits; t++) {
    sums.push(sums[t].map((value, j) => value + lines[k][j]));
    if (times[k] === t) k++;
    mistakesBefore[t + 1] = k;
  }
  const last = (step) => lines[mistakesBefore[step]];
  const averaged = (step) => sums[step].map((sum) => sum / Math.max(1, step));
  return { lines, mistakesBefore, sums, last, averaged };
}

const scoreOf = ([b, w1, w2], [x1, x2]) => w1 * x1 + w2 * x2 + b;

// How many test points each classifier gets wrong after every number of visits. A score or a vote of zero says -1.
function testErrors({ visits, test }, { last, sums }) {
  const errors = Object.fromEntries(["last", "averaged", "voted"].map((name) => [name, new Int32Array(visits + 1)]));
  test.X.forEach((x, i) => {
    const isPositive = test.y[i] > 0;
    for (let t = 0, votes = 0; t <= visits; t++) {
      const saysPositive = scoreOf(last(t), x) > 0;
      errors.last[t] += saysPositive !== isPositive;
      errors.averaged[t] += scoreOf(sums[t], x) > 0 !== isPositive;
      errors.voted[t] += votes > 0 !== isPositive;
      votes += saysPositive ? 1 : -1;
    }
  });
  return errors;
}

// The classifier that tint and crosses follow: the one that the reader has chosen, or if that is not drawn, another.
const judgeOf = (layers, chosen) => [chosen, ...JUDGES].find((name) => layers.includes(name));

// The data: the boundaries and the points. Tint and crosses follow the judge, and the key says which that is.
function dataPicture(record, history, pointVotes, lights, describe) {
  const { X, y, test } = record;
  return fittedPicture((size) => {
    const view = plane([...X, ...test.X], size);
    const layer = pointLayer(view, { X, y }, lights, { describe });
    const votes = voteRegions(view, record, history);
    const update = updateShapes(view, layer.places);
    const [side, otherSide, edge] = ["pla-positive-side", "pla-negative-side", "pla-line pla-voted"].map((classes) =>
      setAttributes(pathShape(classes), { "fill-rule": "evenodd" }),
    );
    const [last, averaged] = ["last", "averaged"].map((name) => pathShape(`pla-line pla-${name}`));
    const before = lineBefore(view);
    const testPoints = shape("g", { class: "pla-test-points" });
    test.X.forEach((x, i) => {
      const [u, v] = view.to(x).map((value) => value.toFixed(2));
      testPoints.append(setAttributes(mark(test.y[i]), { transform: `translate(${u} ${v})` }));
    });
    const key = element("div", { class: "pla-key", "aria-hidden": true });
    const keyPlaces = Array.from({ length: 8 }, (_, k) => [size.width - 20 * (k + 1), 12]);
    const everything = polygon(view.corners.map(view.to));
    const node = pictureWithHandles(
      view,
      "",
      shape("g", {}, side, otherSide),
      axes(view),
      testPoints,
      edge,
      before.node,
      averaged,
      last,
      layer.node,
      update.above,
    );
    layer.follow(node);
    let keyed = null;
    function draw({ step, from, visit, isUpdate, layers, judge, t, label }) {
      const swing = isUpdate ? phase(t, 0.5, 1) : phase(t);
      const isShown = (name) => layers.includes(name);
      const between = (thetas) => lineBetween(view, thetas(from), thetas(step))(t < 1 ? swing : 1);
      const lines = { last: between(history.last), averaged: between(history.averaged) };
      const line = (name) => path((isShown(name) && halfPlane(view, lines[name])?.line) || []);
      last.setAttribute("d", line("last"));
      averaged.setAttribute("d", line("averaged"));
      const ghost = visit.isMistake && isShown("last") ? visit.previous : null;
      before.draw(ghost, [...layer.places(), ...keyPlaces], lineAndArrow(view, history.last(step)));
      testPoints.setAttribute("visibility", isShown("test") ? "visible" : "hidden");
      const judging = lines[judge] ?? null;
      const region = isShown("voted") && step ? votes.outline(step, from, t < 1 ? swing : 1) : "";
      edge.setAttribute("d", region);
      const half = judging && halfPlane(view, judging);
      // Where w = 0 there is no line, and one class is said everywhere.
      const whole = judging?.[0] > 0 ? everything : "";
      const positive = half ? polygon(half.side) : judge === "voted" ? region : whole;
      side.setAttribute("d", positive);
      const isJudged = half || (judge && step > 0);
      otherSide.setAttribute("d", isJudged ? everything + positive : "");
      // A score or a vote of zero says -1.
      const says = judging ? X.map((x) => scoreOf(judging, x)) : pointVotes.between(step, from, t < 1 ? swing : 1);
      const wrong = isJudged ? y.flatMap((label, i) => (says[i] > 0 === label > 0 ? [] : [i])) : [];
      layer.draw({ theta: judging, wrong, current: visit.example });
      const at = visit.example === null ? null : X[visit.example];
      update.draw({ ...visit, at, ghost, tip: null, names: before.names(), t });
      node.setAttribute("aria-label", label);
      const keying = [judge, ...layers].join();
      if (keyed === keying) return;
      keyed = keying;
      const names = layers.map((name) =>
        name === judge
          ? element("span", { class: "pla-judge" }, swatch(name), `${name} (tint and crosses)`)
          : element("span", {}, swatch(name), LAYERS[name]),
      );
      key.replaceChildren(...names);
    }
    return { node, extras: [...layer.extras, key], draw, stop: layer.stop };
  });
}

// The chart of test errors against visits, as far as the run has got.
function errorChart({ visits, test }, errors) {
  const highest = Object.values(errors).map((counts) => counts.slice(1).reduce((a, b) => Math.max(a, b), 0));
  return fittedPicture((size) => {
    const view = chart(
      [0, visits],
      [0, Math.max(4, 1.08 * Math.max(...highest))],
      ["visits", `test errors of ${test.y.length}`],
      size,
    );
    const { frame } = view;
    const places = ([name, counts]) => [name, Array.from(counts, (wrong, t) => view.to([t, wrong])).slice(1)];
    const points = Object.fromEntries(Object.entries(errors).map(places));
    const curve = (name) => [name, pathShape(`pla-line pla-${name} pla-curve`)];
    const curves = Object.fromEntries(Object.keys(errors).map(curve));
    const now = shape("line", { y1: frame.top - 6, y2: frame.bottom, class: "pla-thin" });
    const dot = (name) => [name, shape("circle", { r: 4.2, class: "pla-position" })];
    const dots = Object.fromEntries(Object.keys(errors).map(dot));
    const node = picture(view, "", grid(view), ...Object.values(curves), now, ...Object.values(dots));
    function draw({ step, from, layers, t, text }) {
      const position = mix(from, step, t < 1 ? phase(t) : 1);
      const [u] = view.to([position, 0]);
      setAttributes(now, { x1: u, x2: u });
      for (const name in errors) {
        const isHidden = !layers.includes(name);
        setAttributes(curves[name], {
          d: path(points[name].slice(0, Math.round(position))),
          visibility: isHidden ? "hidden" : "visible",
        });
        setAttributes(dots[name], {
          cx: u,
          cy: view.to([0, errors[name][Math.round(position)]])[1],
          visibility: isHidden || step === 0 ? "hidden" : "visible",
        });
      }
      node.setAttribute("aria-label", `Test errors against visits. ${text}`);
    }
    return { node, draw };
  });
}

// The verdict on visit number `step`: what the run did, and how many test points each classifier now gets wrong.
function describeStep({ y, test, visits, epochs, converged }, visit, errors, step) {
  if (step === 0) return { kind: "start", text: "No visits yet, so there is no average and there are no votes." };
  const results = Object.entries(errors).map(([name, wrong]) => `${name}\u00a0${wrong[step]}`);
  const { kind, why } = visit.verdict;
  if (step === visits) {
    const made = `${counted(visit.mistakeCount, "mistake")} in ${counted(epochs, "epoch")}`;
    const chip = converged ? "Done" : "Stopped";
    return {
      kind,
      chip,
      text: `${made}. Errors on ${counted(test.y.length, "test point")}: ${results.join(", ")}.`,
      why,
    };
  }
  const tie = visit.score === 0 ? ", a tie" : "";
  const point = `point\u00a0${visit.example}, class\u00a0${signed(y[visit.example])},`;
  return {
    kind,
    text: `Visit ${step}: ${point} scores\u00a0${signed(visit.score)}${tie}. ` + `Test errors: ${results.join(", ")}.`,
    why:
      `${why} The weights that judged visit ${step} now count once more in the average and cast one more vote. ` +
      `The test errors are counted on ${counted(test.y.length, "test point")} that the run never visits.`,
  };
}

// How a layer is drawn: its line or points.
function swatch(name) {
  const stroke = () => pathShape(`pla-line pla-${name}`, "M2,8H32");
  const shapes = {
    last: () => [stroke()],
    averaged: () => [stroke()],
    voted: () => [stroke()],
    test: () => {
      const discs = [
        setAttributes(mark(1), { transform: "translate(10 8)" }),
        setAttributes(mark(-1), { transform: "translate(25 8)" }),
      ];
      return [shape("g", { class: "pla-test-points" }, ...discs)];
    },
  };
  return shape("svg", { viewBox: "0 0 34 16", class: "pla-swatch", "aria-hidden": true }, ...shapes[name]());
}

function render({ model, el }) {
  const record = model.get("record");
  const { X, y, visits, test } = record;
  const thetas = weights(record);
  const history = weightHistory(record, thetas);
  const errors = testErrors(record, history);
  const votes = voteCounter(X, record, history);
  const lights = spotlight();
  const steps = runTransport(model, () => record);

  // What the three say of point i of the run.
  function describe(i) {
    const step = steps.now();
    const sides = (value) => (value === 0 ? "on the line" : value * y[i] > 0 ? "right" : "wrong");
    const scored = (name, theta) => {
      const value = scoreOf(theta, X[i]);
      return theta.some(Boolean) ? ` ${name}: score\u00a0${signed(value)}, ${sides(value)}.` : "";
    };
    const lead = votes.after(step)[i];
    const [plus, minus] = [(step + lead) / 2, (step - lead) / 2];
    const verdict = lead > 0 === y[i] > 0 ? "right" : "wrong";
    const voted = ` Voted: ${plus}\u00a0for\u00a0+1, ${minus}\u00a0for\u00a0\u22121, ${verdict}.`;
    return (
      `Point\u00a0${i}, class\u00a0${signed(y[i])}, at\u00a0${vector(X[i])}.` +
      scored("Last", history.last(step)) +
      (step ? scored("Averaged", history.averaged(step)) + voted : "")
    );
  }
  const data = dataPicture(record, history, votes, lights, describe);
  const graph = errorChart(record, errors);
  const numbers = facts("visit", "mistakes", ...JUDGES.map((name) => `test errors, ${name}`));
  const layers = Object.fromEntries(
    Object.entries(LAYERS).map(([name, text]) => {
      const layer = toggle(text, (on) => {
        const isShown = (other) => (other === name ? on : model.get("layers").includes(other));
        change(model, { layers: Object.keys(LAYERS).filter(isShown) });
      });
      layer.box.after(swatch(name));
      return [name, layer];
    }),
  );
  const toggles = element(
    "div",
    { class: "pla-layers", role: "group", "aria-label": "What is drawn" },
    ...Object.values(layers).map((layer) => layer.node),
  );
  // A judge that is chosen is drawn, too.
  const judges = segments(
    "Tint and crosses follow",
    Object.fromEntries(JUDGES.map((name) => [name, name])),
    (judge) => {
      const isShown = (name) => name === judge || model.get("layers").includes(name);
      change(model, { judge, layers: Object.keys(LAYERS).filter(isShown) });
    },
  );
  const judgeRow = element("div", { class: "pla-judges" }, element("span", {}, "Tint and crosses:"), judges.node);
  const pane = element("div", { class: "pla-graph" }, element("div", {}, graph.node), toggles, judgeRow);

  const ui = shell(
    { model, el },
    {
      name: "Three boundaries",
      main: { name: "Data", picture: data },
      panes: { "Test errors": pane, Numbers: numbers.node },
      steps,
      state: { step: count, layers: someOf(...Object.keys(LAYERS)), judge: oneOf(...JUDGES) },
      python: () => pythonCode(record, steps.now(), model.get("layers"), model.get("judge")),
      lights,
    },
  );
  ui.root.classList.add("pla-three-boundaries");
  const stage = motion();

  let shownStep = null;
  function draw() {
    const step = steps.now();
    const shown = model.get("layers");
    const visit = describeVisit(record, thetas, step);
    const verdict = describeStep(record, visit, errors, step);
    const from = shownStep ?? step;
    const isUpdate = step === from + 1 && visit.isMistake;
    const milliseconds = step === from ? 0 : isUpdate && !steps.isBrief() ? UPDATE : SWING;
    shownStep = step;
    for (const name in layers) layers[name].box.checked = shown.includes(name);
    const boundaries = shown.filter((name) => name !== "test").join(", ") || "none chosen";
    const judge = judgeOf(shown, model.get("judge"));
    judges.show(judge);
    const label =
      `The ${X.length} points with the boundaries after ${counted(step, "visit")}: ${boundaries}.` +
      (judge ? ` Tint and crosses: ${judge}.` : "");
    stage.play(steps.duration(milliseconds), (t) => {
      data.draw({ step, from, visit, isUpdate: isUpdate && !steps.isBrief(), layers: shown, judge, t, label });
      graph.draw({ step, from, layers: shown, t, text: verdict.text });
    });
    const result = (wrong) => (step ? `${wrong[step]} of ${test.y.length}` : "\u2013");
    numbers.show(`${step} of ${visits}`, visit.mistakeCount, ...Object.values(errors).map(result));
    ui.show(verdict);
    steps.show();
  }

  const unfollow = follow(model, ["step", "layers", "judge"], draw);
  return () => {
    unfollow();
    stage.finish();
    graph.stop();
    ui.stop();
  };
}

// The Python that makes the same run, with the same test points, and shows the same step.
function pythonCode(record, step, layers, judge) {
  const list = (values) => `[${values.join(", ")}]`;
  const { X, y } = record.test;
  return [
    "from pla_lib import perceptron, three_boundaries",
    "",
    ...runInPython(record),
    `test = ([${X.map(list).join(", ")}], ${list(y)})`,
    "widget = three_boundaries(run, test)",
    `widget.step, widget.layers = ${step}, ${list(layers.map((name) => `"${name}"`))}`,
    `widget.judge = "${judge}"`,
    "widget",
    "",
  ].join("\n");
}

export default { render };
