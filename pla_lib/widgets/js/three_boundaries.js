// Three ways to decide after `step` visits: the last weights, their average over the visits, the vote of them all.

import { chart, rules } from "./chart.js";
import { assemble, facts, follow, row, spoken, stepping, toggle } from "./controls.js";
import { filled, path, picture, shape } from "./dom.js";
import { axes, dot, halfPlane, input, mark, plane, spotlight } from "./plane.js";
import { weights } from "./run_record.js";
import { ballot } from "./vote_regions.js";
import { counted, number, signed } from "./wording.js";

// The weights as [b, w1, w2], how many of the mistakes were made before each visit, and the sums of the weights that judged.
function past(record) {
  const { times, visits } = record,
    thetas = weights(record);
  const lines = thetas.map((theta) => (theta.length === 3 ? theta : [0, ...theta]));
  const made = new Int32Array(visits + 1),
    sums = [[0, 0, 0]];
  for (let t = 0, k = 0; t < visits; t++) {
    sums.push(sums[t].map((value, j) => value + lines[k][j]));
    if (times[k] === t) k++;
    made[t + 1] = k;
  }
  return { thetas, lines, made, sums };
}

const score = ([b, w1, w2], x1, x2) => w1 * x1 + w2 * x2 + b;

// How many test points each way gets wrong after every number of visits; a score or a vote of zero says class -1.
function testErrors({ visits, test }, { lines, made, sums }) {
  const [last, averaged, voted] = [0, 1, 2].map(() => new Int32Array(visits + 1));
  test.X.forEach(([x1, x2], i) => {
    const positive = test.y[i] > 0;
    for (let t = 0, votes = 0; t <= visits; t++) {
      const says = score(lines[made[t]], x1, x2) > 0;
      last[t] += says !== positive;
      averaged[t] += score(sums[t], x1, x2) > 0 !== positive;
      voted[t] += votes > 0 !== positive;
      votes += says ? 1 : -1;
    }
  });
  return { last, averaged, voted };
}

// Test errors against visits; what lies ahead is pale.
function errorChart({ visits, test }, errors) {
  const share = (count) => (100 * count) / test.y.length;
  const most = Math.max(...Object.values(errors).map((counts) => counts.slice(1).reduce((a, b) => Math.max(a, b), 0)));
  const view = chart([0, visits], [0, Math.max(5, 1.08 * share(most))], ["visits", "test error"]),
    { frame } = view;
  const curves = Object.fromEntries(
    Object.entries(errors).map(([name, counts]) => {
      const d = path(Array.from(counts.slice(1), (count, t) => view.to([t + 1, share(count)])));
      return [name, shape("path", { d, class: `pla-line pla-${name} pla-curve` })];
    }),
  );
  const veil = shape("rect", { y: frame.top - 6, height: frame.bottom - frame.top + 12, class: "pla-veil" });
  const now = shape("line", { y1: frame.top - 6, y2: frame.bottom, class: "pla-thin" });
  const dots = Object.fromEntries(
    Object.keys(errors).map((name) => [name, shape("circle", { r: 3.6, class: "pla-here" })]),
  );
  const node = picture(view, "", rules(view, "%"), ...Object.values(curves), veil, now, ...Object.values(dots));
  function draw(step, layers) {
    const [u] = view.to([step, 0]);
    filled(veil, { x: u, width: Math.max(0, frame.right + 4 - u) }, []);
    filled(now, { x1: u, x2: u }, []);
    for (const name in errors) {
      filled(dots[name], { cx: u, cy: view.to([0, share(errors[name][step])])[1] }, []);
      const hidden = !layers.includes(name);
      filled(curves[name], { visibility: hidden ? "hidden" : "visible" }, []);
      filled(dots[name], { visibility: hidden || step === 0 ? "hidden" : "visible" }, []);
    }
  }
  return { node, draw };
}

// What there is to say after `step` visits.
function tale({ X, y, order, times, test, visits }, { thetas, made }, errors, step) {
  if (step === 0) return "Start: no visit yet, so there is nothing to average and nobody votes.";
  const k = made[step - 1],
    i = order[(step - 1) % order.length],
    wrong = times[k] === step - 1;
  const said = dot(thetas[k], input(thetas[k], X[i])),
    place = step === visits ? `${step}, the last` : step;
  return (
    `Visit ${place}: point\u00a0${i} (class\u00a0${signed(y[i])}) scored\u00a0${signed(said)}, ${wrong ? "a mistake" : "right"}. ` +
    `Wrong of ${counted(test.y.length, "test point")}: last\u00a0${errors.last[step]}, averaged\u00a0${errors.averaged[step]}, voted\u00a0${errors.voted[step]}.`
  );
}

const swatch = (...shapes) =>
  shape("svg", { viewBox: "0 0 34 16", class: "pla-swatch", "aria-hidden": true }, ...shapes);
const stroke = (name) => shape("path", { d: "M2,8H32", class: `pla-line pla-${name}` });

function render({ model, el }) {
  const record = model.get("record"),
    { X, y, visits, times, test } = record;
  const before = past(record),
    errors = testErrors(record, before),
    view = plane([...X, ...test.X]);
  const votes = ballot(view, record, before),
    light = spotlight(view);
  const [tint, edge] = ["pla-side", "pla-line pla-voted"].map((name) =>
    shape("path", { class: name, "fill-rule": "evenodd" }),
  );
  const [last, averaged] = ["pla-last", "pla-averaged"].map((name) => shape("path", { class: `pla-line ${name}` }));
  const unseen = shape("g", { class: "pla-unseen" }, ...test.X.map((point, i) => mark(view, point, test.y[i])));
  const data = picture(
    view,
    "",
    tint,
    axes(view),
    unseen,
    ...X.map((point, i) => mark(view, point, y[i])),
    edge,
    averaged,
    last,
    light.node,
  );
  const graph = errorChart(record, errors),
    words = spoken();
  const numbers = facts("visit", "mistakes", "test points", "last errs", "averaged errs", "voted errs");
  const steps = stepping(model, visits, {
    name: "Visit",
    jump: { text: "Next mistake", to: (step) => (times[before.made[step]] ?? visits - 1) + 1 },
  });
  const keys = {
    last: swatch(stroke("last")),
    averaged: swatch(stroke("averaged")),
    voted: swatch(shape("rect", { width: 34, height: 16, class: "pla-side" }), stroke("voted")),
    test: swatch(
      shape(
        "g",
        { class: "pla-unseen" },
        shape("circle", { cx: 10, cy: 8, r: 5, class: "pla-positive" }),
        shape("rect", { x: 20, y: 3, width: 10, height: 10, class: "pla-negative" }),
      ),
    ),
  };
  const layers = Object.fromEntries(
    Object.keys(keys).map((name) => {
      const layer = toggle(name === "test" ? "test points" : name, (on) => {
        model.set(
          "layers",
          Object.keys(keys).filter((other) => (other === name ? on : model.get("layers").includes(other))),
        );
        model.save_changes();
      });
      layer.box.after(keys[name]);
      return [name, layer];
    }),
  );

  function draw() {
    const step = steps.now(),
      shown = model.get("layers"),
      mean = before.sums[step].map((sum) => sum / Math.max(1, step));
    for (const name in layers) layers[name].box.checked = shown.includes(name);
    const drawn = (name, theta) => path((shown.includes(name) && halfPlane(view, theta)?.line) || []);
    last.setAttribute("d", drawn("last", before.lines[before.made[step]]));
    averaged.setAttribute("d", drawn("averaged", mean));
    votes.count(step);
    const region = shown.includes("voted") ? votes.outline() : "";
    for (const node of [tint, edge]) node.setAttribute("d", region);
    unseen.setAttribute("visibility", shown.includes("test") ? "visible" : "hidden");
    light.draw(
      step ? X[record.order[(step - 1) % record.order.length]] : null,
      before.made[step] > before.made[Math.max(0, step - 1)],
    );
    graph.draw(step, shown);
    const wrong = (counts) => (step ? `${number((100 * counts[step]) / test.y.length)}%` : "\u2013");
    numbers.show(`${step} of ${visits}`, before.made[step], test.y.length, ...Object.values(errors).map(wrong));
    words.textContent = tale(record, before, errors, step);
    data.setAttribute(
      "aria-label",
      `The ${X.length} points with the boundaries after ${counted(step, "visit")}: ${shown.filter((name) => name !== "test").join(", ") || "none chosen"}.`,
    );
    graph.node.setAttribute("aria-label", `Test error against visits. ${words.textContent}`);
    steps.show();
  }

  const root = assemble(el, "Three boundaries", {
    pictures: [data, graph.node],
    panel: [words, numbers.node],
    keys: steps.listen,
    controls: [row(...Object.values(layers).map((layer) => layer.node)), ...steps.nodes],
  });
  root.classList.add("pla-three-boundaries");
  const forget = follow(model, ["step", "layers"], draw);
  return () => {
    forget();
    steps.stop();
  };
}

export default { render };
