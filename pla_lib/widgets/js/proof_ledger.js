// The proof of the convergence theorem on a run, one update at a time. The model's `step` is the number m of updates
// made; `whole` says whether the chart reaches to the bound.

import { count, oneOf } from "./address.js";
import { chart, grid } from "./chart.js";
import { change, facts, follow, logTable, toggle } from "./controls.js";
import { dotPath, path, pathShape, picture, polygon, setAttributes, shape } from "./dom.js";
import { clamp, mix, motion, phase } from "./motion.js";
import { fittedPicture } from "./picture.js";
import { besideLine, dot, freePlace, halfPlane } from "./plane.js";
import { readout, spotlight } from "./points.js";
import { runPicture, SWING, UPDATE } from "./run_picture.js";
import { runInPython, score, weights } from "./run_record.js";
import { shell } from "./shell.js";
import { transport } from "./transport.js";
import { counted, number, signed, vector } from "./wording.js";

const MOST_ROWS = 200;
const ZOOM = 600; // milliseconds from the run's part of the chart to the whole of it

// The four quantities of the proof after m updates. All are divided by the length of theta~, so that progress and norm
// are lengths that can be compared. `holds` says whether the proof's inequalities are true there, up to rounding.
function proofQuantities(record) {
  const { eta, theta, bound } = record;
  const length = Math.sqrt(bound.theta2);
  const thetas = weights(record);
  const progress = thetas.map((theta_m) => dot(theta_m, theta) / length);
  const norm = thetas.map((theta_m) => Math.sqrt(dot(theta_m, theta_m)));
  const floor = (m) => (bound.start + m * eta * bound.functional) / length;
  const ceiling = (m) => Math.sqrt(bound.start2 + m * eta ** 2 * bound.radius2);
  const isAtMost = (low, high) => low <= high + 1e-9 * (1 + Math.abs(low) + Math.abs(high));
  const holds = (m) =>
    isAtMost(floor(m), progress[m]) && isAtMost(progress[m], norm[m]) && isAtMost(norm[m], ceiling(m));
  return { thetas, progress, norm, floor, ceiling, holds };
}

function describeStep({ X, y, mistakes, converged, eta, bound }, { thetas, progress, norm, floor, ceiling }, m) {
  const step = number(floor(1) - floor(0));
  const most = number(eta ** 2 * bound.radius2);
  const made = counted(mistakes.length, "mistake");
  const allowed = `the bound allows at most ${bound.allowed}`;
  const wrong = X.filter((x, i) => !(y[i] * score(thetas[m], x) > 0)).length;
  const end = converged
    ? { kind: "done", text: `${made}; ${allowed}. All ${counted(y.length, "point")} count as right.` }
    : {
        kind: "note",
        chip: "Stopped",
        text: `Stopped after ${made} (${allowed}), with ${counted(wrong, "point")} still wrong.`,
      };
  if (m === 0) {
    const why =
      `Every update adds at least ${step} to the progress, so its floor is a straight line. ` +
      `Every update adds at most ${most} to the squared norm, so the norm's ceiling is a square root. ` +
      `The line overtakes the root, so the updates must stop: there are at most ${counted(bound.allowed, "mistake")} ` +
      "(the bound).";
    if (!mistakes.length) return { ...end, why };
    const opening = `Progress ${number(progress[0])}, norm ${number(norm[0])}.`;
    return { kind: "start", text: `${opening} Every update adds at least ${step} to the progress.`, why };
  }
  const i = mistakes[m - 1];
  const point = `point\u00a0${i}`;
  const text =
    `Update ${m}, for ${point}: progress ${number(progress[m])} (at\u00a0least\u00a0${number(floor(m))}), ` +
    `norm ${number(norm[m])} (at\u00a0most\u00a0${number(ceiling(m))}).`;
  const scored = score(thetas[m - 1], X[i]);
  const mistake = `It scored ${signed(scored)}${scored === 0 ? ", a tie, and" : ", but"} its class is ${signed(y[i])}`;
  const why =
    `${mistake}, so the update ${y[i] > 0 ? "adds" : "subtracts"} ${point}. ` +
    `That changes the progress by ${signed(progress[m] - progress[m - 1])} (at least +${step}) ` +
    `and the squared norm by ${signed(norm[m] ** 2 - norm[m - 1] ** 2)} (at most +${most}).`;
  return m < mistakes.length ? { kind: "mistake", text, why } : { ...end, why: `${text} ${why}` };
}

// The chart of floor, progress, norm and ceiling against m. `extras` are nodes that lie over it.
function proofChart({ mistakes, bound }, { progress, norm, floor, ceiling }, lights, extras) {
  // The last m of the chart: as far as the run goes (reach 0), as far as the bound (1), or on the way.
  const ends = [Math.max(mistakes.length, 1), Math.max(1.12 * bound.value, 2)];
  const lastAt = (reach) => (reach === 0 || reach === 1 ? ends[reach] : ends[0] * (ends[1] / ends[0]) ** reach);
  const lowest = progress.reduce((least, value) => Math.min(least, value), 0);
  const meets = Math.max(0, bound.value);
  // The value at m updates; between two updates, on the way from one to the other.
  const at = (values, m) => (Number.isInteger(m) ? values[m] : mix(values[Math.floor(m)], values[Math.ceil(m)], m % 1));
  return fittedPicture((size) => {
    const gridGroup = shape("g");
    const room = pathShape("pla-between-bounds");
    const passed = pathShape("pla-between-bounds pla-passed");
    const noRoom = pathShape("pla-no-room");
    const limits = [0, 1].map(() => pathShape("pla-line pla-limit"));
    const labels = ["floor", "ceiling", "progress", "norm"].map((name) => shape("text", { class: "pla-label" }, name));
    for (const label of labels.slice(2)) label.classList.add("pla-run-label");
    const meetingLine = pathShape("pla-line pla-limit");
    const meetingPoint = shape("circle", { r: 5, class: "pla-meeting-point" });
    const boundText = shape(
      "text",
      { class: "pla-label pla-run-label" },
      `at most ${counted(bound.allowed, "mistake")}`,
    );
    const meeting = shape("g", {}, meetingLine, meetingPoint, boundText);
    const currentUpdate = pathShape("pla-line pla-current-update");
    const curves = [0, 1].map(() => pathShape("pla-line pla-run-curve"));
    // Progress has full dots; those of the norm are hollow: a smaller dot of paper on a dot of ink.
    const dots = ["pla-dots", "pla-dots pla-hollow-rim", "pla-dots pla-hollow"].map((classes) => pathShape(classes));
    const node = picture(
      size,
      "",
      room,
      passed,
      noRoom,
      gridGroup,
      ...limits,
      meeting,
      ...labels,
      currentUpdate,
      ...curves,
      ...dots,
    );
    let view;
    let drawnReach = null;
    let shown = 0;

    // The ceiling is a root, steep at its start: more corners there.
    const along = (curve, from, until) =>
      Array.from({ length: 61 }, (_, k) => from + (until - from) * (k / 60) ** 2).map((m) => view.to([m, curve(m)]));
    const between = (from, until) => polygon([...along(ceiling, from, until), ...along(floor, from, until).reverse()]);

    // Draws what does not change from update to update.
    function scale(reach) {
      if (reach === drawnReach) return;
      drawnReach = reach;
      const last = lastAt(reach);
      const highest = 1.04 * Math.max(ceiling(last), floor(last));
      view = chart([0, last], [lowest, highest], ["updates m", "length"], { ...size, gutter: 74, top: 46 });
      gridGroup.replaceChildren(grid(view));
      const until = Math.min(last, meets);
      limits.forEach((line, k) => line.setAttribute("d", path(along([floor, ceiling][k], 0, last))));
      room.setAttribute("d", between(0, until));
      noRoom.setAttribute("d", between(until, last));
      meeting.setAttribute("visibility", last > meets ? "visible" : "hidden");
      const [u, v] = view.to([meets, ceiling(meets)]);
      setAttributes(meetingPoint, { cx: u, cy: v });
      const foot = [u, view.frame.bottom];
      meetingLine.setAttribute("d", path([[u, v], foot]));
      setAttributes(boundText, { x: u - 8, y: v - 12, "text-anchor": "end" });
      const onCeiling = view.to([0.4 * last, ceiling(0.4 * last)]);
      // The floor's name stands below it, or where the axis is too near, at its end.
      const onFloor = view.to([0.8 * last, floor(0.8 * last)]);
      const hasRoomBelow = onFloor[1] + 24 < view.frame.bottom;
      const [x, y] = hasRoomBelow
        ? [onFloor[0], onFloor[1] + 20]
        : [view.frame.right + 6, view.to([0, floor(last)])[1] + 4];
      setAttributes(labels[0], { x, y });
      setAttributes(labels[1], { x: onCeiling[0], y: onCeiling[1] - 9, "text-anchor": "end" });
    }

    // Draws m updates, and if m is not whole a part of the next, as far as `reach`.
    function draw({ m, reach, label }) {
      scale(reach);
      shown = Math.floor(m);
      passed.setAttribute("d", m ? between(0, m) : "");
      const points = [progress, norm].map((values) => [
        ...values.slice(0, shown + 1).map((value, k) => view.to([k, value])),
        ...(m > shown ? [view.to([m, at(values, m)])] : []),
      ]);
      curves.forEach((curve, k) => curve.setAttribute("d", path(points[k])));
      // Where updates lie too close together for a dot each, only the last has one.
      const hasRoom = view.to([1, 0])[0] - view.to([0, 0])[0] > 9;
      const spots = points.map((all) => (hasRoom ? all : all.slice(-1)).map(dotPath).join(""));
      [spots[0], spots[1], spots[1]].forEach((d, k) => dots[k].setAttribute("d", d));
      currentUpdate.setAttribute("d", path([view.to([m, floor(m)]), view.to([m, ceiling(m)])]));
      // The two names stand beside the last points, moved apart where these are close.
      const [[u, low], [, high]] = points.map((all) => all.at(-1));
      const apart = Math.max(0, 16 - (low - high)) / 2;
      setAttributes(labels[2], { x: u + 10, y: Math.min(low + apart, view.frame.bottom - 1) + 4 });
      setAttributes(labels[3], { x: u + 10, y: Math.min(high - apart, view.frame.bottom - 17) + 4 });
      node.setAttribute("aria-label", label);
    }

    // On an update of the run the pointer shows its numbers, and lights up its point.
    const pointAt = (m) => mistakes[m - 1] ?? null;
    const tip = readout(node, size, (place) => {
      if (!place) return lights.light(null);
      const [u] = place;
      const [start, next] = [0, 1].map((m) => view.to([m, 0])[0]);
      const m = clamp(Math.round((u - start) / (next - start)), 0, shown);
      const [x, y] = view.to([m, norm[m]]);
      const isNear = Math.abs(u - x) < Math.max(12, (next - start) / 2);
      lights.light(isNear ? pointAt(m) : null);
      if (!isNear) return null;
      const numbers = [floor(m), progress[m], norm[m], ceiling(m)].map(number).join(" \u2264 ");
      return { at: [x, y], text: `${m ? `Update ${m}` : "Start"}: ${numbers}` };
    });
    return { node, extras: [tip, ...extras], draw };
  });
}

// The same four quantities in numbers, update by update; a press on a row goes there.
function proofTable({ mistakes }, { progress, norm, floor, ceiling, holds }, lights, goTo) {
  const headings = ["m", "floor", "progress", "norm", "ceiling", "holds"];
  function rowOf(k) {
    const values = [floor(k), progress[k], norm[k], ceiling(k)].map(number);
    const cells = [k, ...values, holds(k) ? "\u2713" : "\u2717"];
    return { cells, point: mistakes[k - 1] ?? null, act: () => goTo(k) };
  }
  const table = logTable("floor \u2264 progress \u2264 norm \u2264 ceiling", headings, rowOf, lights);
  const draw = (m) => table.show(Math.max(0, m - MOST_ROWS + 1), m);
  table.node.classList.add("pla-proof-table");
  return { node: table.node, draw };
}

// The line of theta~, which separates the points, thin and with its name.
function separatingLine(view, theta, X) {
  const half = halfPlane(view, theta);
  if (!half?.foot) return { node: shape("g") };
  const [u, v] = freePlace(view, besideLine(half.line, 8, [0.1, 0.9, 0.2, 0.8, 0.3, 0.7]), X.map(view.to), 20);
  const name = shape("text", { x: u, y: v + 5, class: "pla-symbol" }, "\u03b8\u0303");
  return { node: shape("g", {}, pathShape("pla-thin pla-separating-line", path(half.line)), name) };
}

function render({ model, el }) {
  const record = model.get("record");
  const { X, y, mistakes, theta, bound } = record;
  const quantities = proofQuantities(record);
  const { thetas, progress, norm, floor, ceiling } = quantities;
  const lights = spotlight();
  const steps = transport(model, mistakes.length, { name: "Update", stay: () => 1100 });
  const reach = toggle("Show up to the bound", (on) => change(model, { whole: on }));
  reach.node.classList.add("pla-reach");
  const graph = proofChart(record, quantities, lights, [reach.node]);
  const data = runPicture({ data: { X, y }, lights, under: (view) => [separatingLine(view, theta, X)] });
  const table = proofTable(record, quantities, lights, steps.goTo);
  const names = theta.length === 3 ? "(b, w\u2081, w\u2082)" : "(w\u2081, w\u2082)";
  const numbers = facts(
    "updates",
    "bound",
    "progress",
    "its floor",
    "norm",
    "its ceiling",
    "\u03c1",
    "\u03c4",
    `\u03b8 = ${names}`,
    "\u03b8\u0303",
  );
  const stage = motion();

  const ui = shell(
    { model, el },
    {
      name: "The convergence proof",
      main: { name: "Proof", picture: graph },
      panes: { Data: data.node, Ledger: table.node, Numbers: numbers.node },
      steps,
      state: { step: count, whole: oneOf(false, true) },
      python: () =>
        [
          "from pla_lib import perceptron, proof_ledger",
          "",
          ...runInPython(record),
          `proof_ledger(run, [${theta.join(", ")}])`,
          "",
        ].join("\n"),
      lights,
    },
  );

  let shown = null; // { m, reach } as it was drawn last
  function draw() {
    const m = steps.now();
    const to = { m, reach: Number(model.get("whole")) };
    const from = shown ?? to;
    shown = to;
    const isUpdate = m === from.m + 1;
    const milliseconds =
      to.reach !== from.reach ? ZOOM : isUpdate ? (steps.isBrief() ? SWING : UPDATE) : m !== from.m ? SWING : 0;
    const example = m ? mistakes[m - 1] : null;
    const after = `after ${counted(m, "update")}`;
    const graphLabel =
      `The proof ${after}: floor ${number(floor(m))}, progress ${number(progress[m])}, norm ${number(norm[m])}, ` +
      `ceiling ${number(ceiling(m))}. The floor is a straight line, the ceiling a square root; ` +
      `they meet at ${number(bound.value)}, the bound.`;
    const dataLabel = `The ${X.length} points, the line ${after}, and the line of \u03b8\u0303, which separates them.`;
    stage.play(steps.duration(milliseconds), (t) => {
      const share = phase(t);
      graph.draw({ m: mix(from.m, m, share), reach: mix(from.reach, to.reach, share), label: graphLabel });
      data.draw({
        theta: thetas[m],
        from: thetas[from.m],
        ghost: m ? thetas[m - 1] : null,
        example,
        isMistake: isUpdate,
        score: m ? score(thetas[m - 1], X[example]) : undefined,
        t,
        brief: steps.isBrief(),
        label: dataLabel,
      });
      const rolled = [progress, floor, norm, ceiling].map((values) => {
        const value = (k) => (Array.isArray(values) ? values[k] : values(k));
        return number(mix(value(from.m), value(m), share));
      });
      const constants = [bound.functional, Math.sqrt(bound.radius2)].map(number);
      const vectors = [mix(thetas[from.m], thetas[m], share), theta].map(vector);
      numbers.show(`${m} of ${mistakes.length}`, bound.allowed, ...rolled, ...constants, ...vectors);
    });
    table.draw(m);
    reach.box.checked = model.get("whole");
    ui.show(describeStep(record, quantities, m));
    steps.show();
  }

  const unfollow = follow(model, ["step", "whole"], draw);
  return () => {
    unfollow();
    stage.finish();
    data.stop();
    ui.stop();
  };
}

export default { render };
