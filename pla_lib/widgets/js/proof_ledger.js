// The proof of the convergence theorem on a run, one update at a time. The model's `step` is the number m of updates
// made; `whole` says whether the chart reaches to the bound.

import { chart, grid } from "./chart.js";
import { assemble, change, follow, ledgerTable, liveText, toggle, transport } from "./controls.js";
import { dotPath, path, pathShape, picture, polygon, setAttributes, shape } from "./dom.js";
import { axes, dot, exampleRing, halfPlane, mark, plane, separator } from "./plane.js";
import { score, weights } from "./run_record.js";
import { counted, number, signed } from "./wording.js";

const LEDGER_ROWS = 5;

// The four quantities of the proof after m updates. All are divided by the length of theta~, so that progress and norm
// are lengths that can be compared.
function proofQuantities(record) {
  const { eta, theta, bound } = record;
  const length = Math.sqrt(bound.theta2);
  const thetas = weights(record);
  return {
    thetas,
    progress: thetas.map((theta_m) => dot(theta_m, theta) / length),
    norm: thetas.map((theta_m) => Math.sqrt(dot(theta_m, theta_m))),
    floor: (m) => (bound.start + m * eta * bound.functional) / length,
    ceiling: (m) => Math.sqrt(bound.start2 + m * eta ** 2 * bound.radius2),
  };
}

function describeUpdate({ X, y, mistakes, converged, bound }, { thetas, progress, norm, floor, ceiling }, m) {
  const outcome = converged
    ? ` The run is over: all ${y.length} points count as right.`
    : " The run was stopped here, with points still wrong.";
  const end = m < mistakes.length ? "" : `${outcome} The proof allows ${counted(bound.allowed, "update")}.`;
  if (m === 0)
    return (
      `Start: progress along \u03b8\u0303 ${number(progress[0])}, norm ${number(norm[0])}. ` +
      `Each update adds at least ${number(floor(1) - floor(0))} to the progress.${end}`
    );
  const i = mistakes[m - 1];
  const scored = signed(score(thetas[m - 1], X[i]));
  return (
    `Update ${m}, by point\u00a0${i} (class\u00a0${signed(y[i])}, scored\u00a0${scored}): ` +
    `progress ${number(progress[m])}, at least ${number(floor(m))}; ` +
    `norm ${number(norm[m])}, at most ${number(ceiling(m))}.${end}`
  );
}

// The chart of floor, progress, norm and ceiling against m: as far as the run goes, or as far as the bound.
function proofChart({ mistakes, bound }, { progress, norm, floor, ceiling }) {
  const gridGroup = shape("g");
  const betweenBounds = pathShape("pla-between-bounds");
  const limits = [0, 1].map(() => pathShape("pla-line pla-limit"));
  const names = ["floor", "ceiling", "progress", "norm"].map((name) => shape("text", { class: "pla-label" }, name));
  const meetingLine = pathShape("pla-line pla-limit");
  const meetingPoint = shape("circle", { r: 4.5, class: "pla-meeting-point" });
  const boundText = shape("text", { class: "pla-label", "text-anchor": "middle" }, `at most ${bound.allowed}`);
  const meeting = shape("g", {}, meetingLine, meetingPoint, boundText);
  const currentUpdate = pathShape("pla-line pla-current-update");
  const curves = [0, 1].map(() => pathShape("pla-line pla-run-curve"));
  // Progress has full dots; those of the norm are hollow: a smaller dot of paper on a dot of ink.
  const dots = ["pla-dots", "pla-dots pla-hollow-rim", "pla-dots pla-hollow"].map((classes) => pathShape(classes));
  const node = picture(
    { width: 400, height: 300 },
    "",
    betweenBounds,
    gridGroup,
    ...limits,
    meeting,
    ...names,
    currentUpdate,
    ...curves,
    ...dots,
  );
  let view;
  let drawnScale = null;

  // Draws what does not change from update to update.
  function scale(whole) {
    if (whole === drawnScale) return;
    drawnScale = whole;
    const last = whole ? 1.1 * Math.max(bound.value, 1) : Math.max(mistakes.length, 1);
    const low = progress.reduce((least, value) => Math.min(least, value), 0);
    const high = 1.04 * Math.max(ceiling(last), floor(last));
    view = chart([0, last], [low, high], ["updates m", "length"], { gutter: 78 });
    gridGroup.replaceChildren(grid(view));
    // The ceiling is a root, steep at its start: more corners there.
    const corners = (until) => Array.from({ length: 61 }, (_, k) => until * (k / 60) ** 2);
    const along = (curve, until) => corners(until).map((m) => view.to([m, curve(m)]));
    const until = Math.min(last, bound.value);
    limits.forEach((line, k) => line.setAttribute("d", path(along([floor, ceiling][k], last))));
    const region = [...along(ceiling, until), view.to([until, floor(until)]), view.to([0, floor(0)])];
    betweenBounds.setAttribute("d", polygon(region));
    meeting.setAttribute("visibility", whole ? "visible" : "hidden");
    const [u, v] = view.to([bound.value, ceiling(bound.value)]);
    setAttributes(meetingPoint, { cx: u, cy: v });
    const foot = [u, view.frame.bottom];
    meetingLine.setAttribute("d", path([[u, v], foot]));
    setAttributes(boundText, { x: u, y: view.frame.bottom - 8 });
    const onFloor = view.to([0.66 * last, floor(0.66 * last)]);
    const onCeiling = view.to([0.4 * last, ceiling(0.4 * last)]);
    const hasRoomBelow = onFloor[1] + 26 < view.frame.bottom;
    setAttributes(names[0], { x: onFloor[0], y: onFloor[1] + (hasRoomBelow ? 20 : -8) });
    setAttributes(names[1], { x: onCeiling[0], y: onCeiling[1] - 8, "text-anchor": "end" });
  }

  function draw(m) {
    const points = [progress, norm].map((values) => values.slice(0, m + 1).map((value, k) => view.to([k, value])));
    curves.forEach((curve, k) => curve.setAttribute("d", path(points[k])));
    // Where updates lie too close together for a dot each, only the last has one.
    const hasRoom = view.to([1, 0])[0] - view.to([0, 0])[0] > 9;
    const spots = points.map((all) => (hasRoom ? all : all.slice(-1)).map(dotPath).join(""));
    [spots[0], spots[1], spots[1]].forEach((d, k) => dots[k].setAttribute("d", d));
    currentUpdate.setAttribute("d", path([view.to([m, floor(m)]), view.to([m, ceiling(m)])]));
    // The two names stand beside the last points, moved apart where these are close.
    const [[u, low], [, high]] = points.map((all) => all.at(-1));
    const apart = Math.max(0, 15 - (low - high)) / 2;
    setAttributes(names[2], { x: u + 9, y: Math.min(low + apart, view.frame.bottom - 1) + 4 });
    setAttributes(names[3], { x: u + 9, y: Math.min(high - apart, view.frame.bottom - 16) + 4 });
    node.setAttribute(
      "aria-label",
      `After ${counted(m, "update")}: floor ${number(floor(m))}, progress ${number(progress[m])}, ` +
        `norm ${number(norm[m])}, ceiling ${number(ceiling(m))}. ` +
        `The floor is a straight line, the ceiling a root; they meet at ${number(bound.value)} updates.`,
    );
  }
  return { node, scale, draw };
}

// The same four quantities in numbers, for the last few updates.
function proofTable({ bound }, { progress, norm, floor, ceiling }) {
  const caption = `The ledger, with room for ${counted(bound.allowed, "update")}`;
  const table = ledgerTable(caption, ["m", "floor", "\u2264 progress", "\u2264 norm", "\u2264 ceiling"]);
  function draw(m) {
    const rows = [];
    for (let k = Math.max(0, m - LEDGER_ROWS + 1); k <= m; k++)
      rows.push([k, ...[floor(k), progress[k], norm[k], ceiling(k)].map(number)]);
    table.show(rows);
  }
  return { node: table.node, draw };
}

// The line of theta~, which separates the points, thin and with its name.
function separatingLine(view, theta) {
  const half = halfPlane(view, theta);
  if (!half?.foot) return shape("g");
  const [from, to] = half.line;
  const [u, v] = [0, 1].map((k) => 0.9 * from[k] + 0.1 * to[k] + 12 * half.normal[k]);
  const name = shape("text", { x: u, y: v + 5, class: "pla-symbol" }, "\u03b8\u0303");
  return shape("g", {}, pathShape("pla-thin pla-separating-line", path(half.line)), name);
}

function render({ model, el }) {
  const record = model.get("record");
  const { X, y, mistakes, theta } = record;
  const quantities = proofQuantities(record);
  const { thetas } = quantities;
  const view = plane(X);
  const line = separator(view);
  const ring = exampleRing(view);
  const marks = X.map((point, i) => mark(view, point, y[i]));
  const known = separatingLine(view, theta);
  const data = picture(view, "", line.tint, axes(view), known, ...marks, line.over, ring.node);
  const graph = proofChart(record, quantities);
  const table = proofTable(record, quantities);
  const text = liveText();
  const steps = transport(model, mistakes.length, { name: "Update" });
  const reach = toggle("As far as the bound", (on) => change(model, { whole: on }));
  steps.nodes[1].append(reach.node);

  function draw() {
    const m = steps.now();
    const lineText = line.draw(thetas[m], m ? thetas[m - 1] : null);
    ring.draw(m ? X[mistakes[m - 1]] : null, true);
    reach.box.checked = model.get("whole");
    graph.scale(model.get("whole"));
    graph.draw(m);
    table.draw(m);
    text.textContent = describeUpdate(record, quantities, m) + lineText;
    const lines = `the line after ${counted(m, "update")}, and the line of \u03b8\u0303, which separates them`;
    data.setAttribute("aria-label", `The ${X.length} points, ${lines}.${lineText}`);
    steps.show();
  }

  const root = assemble(el, "The convergence proof", {
    pictures: [data, graph.node],
    panel: [text, table.node],
    controls: steps.nodes,
    onKey: steps.onKey,
  });
  root.classList.add("pla-proof-ledger");
  const unfollow = follow(model, ["step", "whole"], draw);
  return () => {
    unfollow();
    steps.stop();
  };
}

export default { render };
