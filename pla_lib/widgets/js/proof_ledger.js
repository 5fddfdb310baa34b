// The proof of the convergence theorem as a run goes: `step` updates have been made.

import { chart, rules } from "./chart.js";
import { assemble, follow, spoken, stepping, toggle } from "./controls.js";
import { area, element, filled, path, picture, shape } from "./dom.js";
import { axes, dot, halfPlane, input, mark, plane, separator, spotlight } from "./plane.js";
import { weights } from "./run_record.js";
import { counted, number, signed } from "./wording.js";

// What the proof says of every update m, divided by the length of theta~, so that progress and norm are lengths to compare.
function proof(record) {
  const { eta, order, times, theta, bound } = record,
    length = Math.sqrt(bound.theta2),
    thetas = weights(record);
  return {
    thetas,
    examples: times.map((time) => order[time % order.length]),
    progress: thetas.map((now) => dot(now, theta) / length),
    norm: thetas.map((now) => Math.sqrt(dot(now, now))),
    floor: (m) => (bound.start + m * eta * bound.functional) / length,
    ceiling: (m) => Math.sqrt(bound.start2 + m * eta ** 2 * bound.radius2),
  };
}

// What there is to say after `m` updates.
function account({ X, y, converged, bound }, { thetas, examples, progress, norm, floor, ceiling }, m) {
  const lengths = `progress ${number(progress[m])}, at least ${number(floor(m))}; norm ${number(norm[m])}, at most ${number(ceiling(m))}.`;
  const allowed = `The proof allows ${counted(bound.allowed, "update")}.`;
  const end =
    m < examples.length
      ? ""
      : converged
        ? ` The run is over: all ${y.length} points count as right. ${allowed}`
        : ` The run was stopped here, with points still wrong. ${allowed}`;
  if (m === 0)
    return `Start: progress along \u03b8\u0303 ${number(progress[0])}, norm ${number(norm[0])}. Each update adds at least ${number(floor(1) - floor(0))} to the progress.${end}`;
  const i = examples[m - 1],
    score = dot(thetas[m - 1], input(thetas[0], X[i]));
  return `Update ${m}, by point\u00a0${i} (class\u00a0${signed(y[i])}, scored\u00a0${signed(score)}): ${lengths}${end}`;
}

// Floor, progress, norm and ceiling against the number of updates: for the run alone, or as far as the bound.
function squeeze({ times, bound }, { progress, norm, floor, ceiling }) {
  const grid = shape("g"),
    allowed = shape("path", { class: "pla-allowed" });
  const limits = [0, 1].map(() => shape("path", { class: "pla-line pla-limit" }));
  const names = ["floor", "ceiling", "progress", "norm"].map((name) => shape("text", { class: "pla-label" }, name));
  const meeting = shape("path", { class: "pla-line pla-limit" }),
    meets = shape("circle", { r: 4.5, class: "pla-meets" });
  const bounded = shape("text", { class: "pla-label", "text-anchor": "middle" }, `at most ${bound.allowed}`);
  const end = shape("g", {}, meeting, meets, bounded);
  const now = shape("path", { class: "pla-line pla-between" });
  const curves = [0, 1].map(() => shape("path", { class: "pla-line pla-grown" }));
  const dots = ["pla-dots", "pla-dots pla-hollow-rim", "pla-dots pla-hollow"].map((name) =>
    shape("path", { class: name }),
  );
  const node = picture(
    { width: 400, height: 300 },
    "",
    allowed,
    grid,
    ...limits,
    end,
    ...names,
    now,
    ...curves,
    ...dots,
  );
  let view,
    scaled = null;

  function scale(whole) {
    if (whole === scaled) return;
    scaled = whole;
    const last = whole ? 1.1 * Math.max(bound.value, 1) : Math.max(times.length, 1);
    const low = progress.reduce((least, value) => Math.min(least, value), 0),
      high = 1.04 * Math.max(ceiling(last), floor(last));
    view = chart([0, last], [low, high], ["updates m", "length"], { gutter: 78 });
    grid.replaceChildren(rules(view));
    // A root is steep at its start: more corners there.
    const corners = (until) => Array.from({ length: 61 }, (_, k) => until * (k / 60) ** 2);
    const along = (curve, until) => corners(until).map((m) => view.to([m, curve(m)]));
    const until = Math.min(last, bound.value);
    limits.forEach((line, k) => line.setAttribute("d", path(along([floor, ceiling][k], last))));
    allowed.setAttribute("d", area([...along(ceiling, until), view.to([until, floor(until)]), view.to([0, floor(0)])]));
    end.setAttribute("visibility", whole ? "visible" : "hidden");
    const [u, v] = view.to([bound.value, ceiling(bound.value)]);
    filled(meets, { cx: u, cy: v }, []);
    meeting.setAttribute(
      "d",
      path([
        [u, v],
        [u, view.frame.bottom],
      ]),
    );
    filled(bounded, { x: u, y: view.frame.bottom - 8 }, []);
    const below = view.to([0.66 * last, floor(0.66 * last)]),
      above = view.to([0.4 * last, ceiling(0.4 * last)]);
    filled(names[0], { x: below[0], y: below[1] + (below[1] + 26 < view.frame.bottom ? 20 : -8) }, []);
    filled(names[1], { x: above[0], y: above[1] - 8, "text-anchor": "end" }, []);
  }

  function draw(m) {
    const points = [progress, norm].map((values) => values.slice(0, m + 1).map((value, k) => view.to([k, value])));
    curves.forEach((curve, k) => curve.setAttribute("d", path(points[k])));
    // Where updates lie close together only the last has its dot.
    const apart = view.to([1, 0])[0] - view.to([0, 0])[0] > 9;
    const spots = points.map((all) => (apart ? all : all.slice(-1)).map((point) => path([point]) + "h0").join(""));
    [spots[0], spots[1], spots[1]].forEach((d, k) => dots[k].setAttribute("d", d));
    now.setAttribute("d", path([view.to([m, floor(m)]), view.to([m, ceiling(m)])]));
    const [[u, low], [, high]] = points.map((all) => all.at(-1)),
      push = Math.max(0, 15 - (low - high)) / 2;
    filled(names[2], { x: u + 9, y: Math.min(low + push, view.frame.bottom - 1) + 4 }, []);
    filled(names[3], { x: u + 9, y: Math.min(high - push, view.frame.bottom - 16) + 4 }, []);
    node.setAttribute(
      "aria-label",
      `After ${counted(m, "update")}: floor ${number(floor(m))}, progress ${number(progress[m])}, norm ${number(norm[m])}, ceiling ${number(ceiling(m))}. The floor is a straight line, the ceiling a root; they meet at ${number(bound.value)} updates.`,
    );
  }
  return { node, scale, draw };
}

// The ledger: a row for each update, the last ones in view.
function book({ bound }, { progress, norm, floor, ceiling }) {
  const body = element("tbody"),
    shown = 5;
  const head = ["m", "floor", "\u2264 progress", "\u2264 norm", "\u2264 ceiling"].map((text) =>
    element("th", { scope: "col" }, text),
  );
  const node = element(
    "table",
    { class: "pla-ledger" },
    element("caption", {}, `The ledger, with room for ${counted(bound.allowed, "update")}`),
    element("thead", {}, element("tr", {}, ...head)),
    body,
  );
  function draw(m) {
    const rows = [];
    for (let k = Math.max(0, m - shown + 1); k <= m; k++) {
      const cells = [k, ...[floor(k), progress[k], norm[k], ceiling(k)].map(number)];
      rows.push(element("tr", {}, ...cells.map((text) => element("td", {}, String(text)))));
    }
    body.replaceChildren(...rows);
  }
  return { node, draw };
}

// The line of theta~, thin, with its name.
function witness(view, theta) {
  const there = halfPlane(view, theta);
  if (!there?.foot) return shape("g");
  const [from, to] = there.line,
    at = [0, 1].map((k) => 0.9 * from[k] + 0.1 * to[k] + 12 * there.normal[k]);
  return shape(
    "g",
    {},
    shape("path", { d: path(there.line), class: "pla-thin pla-witness" }),
    shape("text", { x: at[0], y: at[1] + 5, class: "pla-w" }, "\u03b8\u0303"),
  );
}

function render({ model, el }) {
  const record = model.get("record"),
    { X, y, times, theta } = record;
  const numbers = proof(record),
    view = plane(X),
    line = separator(view),
    light = spotlight(view);
  const data = picture(
    view,
    "",
    line.tint,
    axes(view),
    witness(view, theta),
    ...X.map((point, i) => mark(view, point, y[i])),
    line.over,
    light.node,
  );
  const graph = squeeze(record, numbers),
    table = book(record, numbers),
    words = spoken();
  const steps = stepping(model, times.length, { name: "Update" });
  const far = toggle("As far as the bound", (on) => {
    model.set("whole", on);
    model.save_changes();
  });
  steps.nodes[1].append(far.node);

  function draw() {
    const m = steps.now(),
      said = account(record, numbers, m);
    const seen = line.draw(numbers.thetas[m], m ? numbers.thetas[m - 1] : null);
    light.draw(m ? X[numbers.examples[m - 1]] : null, true);
    far.box.checked = model.get("whole");
    graph.scale(model.get("whole"));
    graph.draw(m);
    table.draw(m);
    words.textContent = said + seen;
    data.setAttribute(
      "aria-label",
      `The ${X.length} points, the line after ${counted(m, "update")}, and the line of \u03b8\u0303, which separates them.${seen}`,
    );
    steps.show();
  }

  const root = assemble(el, "The convergence proof", {
    pictures: [data, graph.node],
    panel: [words, table.node],
    controls: steps.nodes,
    keys: steps.listen,
  });
  root.classList.add("pla-proof-ledger");
  const forget = follow(model, ["step", "whole"], draw);
  return () => {
    forget();
    steps.stop();
  };
}

export default { render };
