// The proof of the convergence theorem on a run, one update at a time. The model's `step` is the number m of updates
// made; the step after the last update is the finale, which shows where floor and ceiling meet. `whole` says whether
// the chart reaches that far on the other steps too.

import { count, oneOf } from "./address.js";
import { chart, grid } from "./chart.js";
import { change, facts, follow, logTable, toggle } from "./controls.js";
import { dotPath, path, pathShape, picture, polygon, setAttributes, shape } from "./dom.js";
import { clamp, mix, motion, phase } from "./motion.js";
import { fittedPicture } from "./picture.js";
import { dot, lineAndArrow, namedLine } from "./plane.js";
import { readout, spotlight } from "./points.js";
import { runPicture, SWING, UPDATE } from "./run_picture.js";
import { runInPython, score, weights } from "./run_record.js";
import { shell } from "./shell.js";
import { transport } from "./transport.js";
import { counted, number, signed, vector } from "./wording.js";

const MOST_ROWS = 200;
const ZOOM = 600; // milliseconds from the run's part of the chart to the whole of it
const FINALE = 1500; // the same at the end of the run, when it is the step itself
const KNOT = 0.2; // a run that takes up less of the chart than this has no room for names of its own

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

// Where a value is beside its limit, as the reader sees the two numbers.
const besideLimit = (value, limit, side, name) =>
  number(value) === number(limit) ? `on its ${name}` : `${side} its ${name}`;

function describeStep({ X, y, mistakes, converged, eta, bound }, { thetas, progress, norm, floor, ceiling }, m) {
  const step = number(floor(1) - floor(0));
  const most = number(eta ** 2 * bound.radius2);
  const made = counted(mistakes.length, "mistake");
  const allowed = `The bound allows at most ${bound.allowed}.`;
  const wrong = X.filter((x, i) => !(y[i] * score(thetas[m], x) > 0)).length;
  const onwards = "Press Next to see where every run must end.";
  const end = converged
    ? { kind: "done", text: `${made}, and all ${counted(y.length, "point")} count as right. ${onwards}` }
    : {
        kind: "note",
        chip: "Stopped",
        text: `Stopped after ${made}, with ${counted(wrong, "point")} still wrong. ${onwards}`,
      };
  if (m === 0) {
    const why =
      `Every update adds at least ${step} to the progress, so its floor is a straight line. ` +
      `Every update adds at most ${most} to the squared norm, so the norm's ceiling is a square root. ` +
      `The line overtakes the root, so the updates must stop: there are at most ${counted(bound.allowed, "mistake")} ` +
      "(the bound).";
    if (!mistakes.length) return { ...end, why };
    const [start, length] = [number(progress[0]), number(norm[0])];
    const text =
      start === length
        ? `Progress and norm start at ${start}. Every update adds at least ${step} to the progress.`
        : `Progress starts at ${start}, the norm at ${length}. Every update moves both.`;
    return { kind: "start", text, why };
  }
  const i = mistakes[m - 1];
  const point = `point\u00a0${i}`;
  const places = [
    besideLimit(progress[m], floor(m), "above", "floor"),
    besideLimit(norm[m], ceiling(m), "below", "ceiling"),
  ];
  const text =
    `Update ${m}: progress is ${number(progress[m])}, ${places[0]}; ` + `the norm is ${number(norm[m])}, ${places[1]}.`;
  const scored = score(thetas[m - 1], X[i]);
  const mistake =
    `The update is for ${point}. ` +
    `It scored ${signed(scored)}${scored === 0 ? ", a tie, and" : ", but"} its class is ${signed(y[i])}`;
  const why =
    `${mistake}, so the update ${y[i] > 0 ? "adds" : "subtracts"} ${point}. ` +
    `That changes the progress by ${signed(progress[m] - progress[m - 1])} (at least +${step}) ` +
    `and the squared norm by ${signed(norm[m] ** 2 - norm[m - 1] ** 2)} (at most +${most}). ` +
    `After ${counted(m, "update")} the floor is at ${number(floor(m))}, the ceiling at ${number(ceiling(m))}.`;
  return m < mistakes.length ? { kind: "mistake", text, why } : { ...end, why: `${text} ${why} ${allowed}` };
}

// What the chart shows at the end: where floor and ceiling meet, however long the run was.
function describeFinale({ mistakes, converged, bound }) {
  const made = mistakes.length || "none";
  const run = converged ? `This one made ${made}.` : `This one was stopped after ${made}.`;
  const why =
    "Progress is never below the floor and never above the norm, and the norm is never above the ceiling. " +
    "Past the place where the two meet, the floor is above the ceiling, so no run gets there. " +
    "The bound has to cover the longest possible run, in any order: most runs end long before it.";
  const most = counted(bound.allowed, "mistake");
  const text = `The bound: floor and ceiling meet, so no run can make more than ${most}. ${run}`;
  return { kind: "done", text, why };
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
      `the bound: at most ${counted(bound.allowed, "mistake")}`,
    );
    const meeting = shape("g", {}, meetingLine, meetingPoint, boundText);
    const currentUpdate = pathShape("pla-line pla-current-update");
    const curves = [0, 1].map(() => pathShape("pla-line pla-run-curve"));
    // Progress has full dots; those of the norm are hollow: a smaller dot of paper on a dot of ink.
    const dots = ["pla-dots", "pla-dots pla-hollow-rim", "pla-dots pla-hollow"].map((classes) => pathShape(classes));
    // Where the run is, when it is too small in the chart to have names for its curves.
    const callout = shape("text", { class: "pla-label pla-run-label pla-callout" });
    const leader = pathShape("pla-line pla-leader");
    const node = picture(
      size,
      "",
      room,
      passed,
      noRoom,
      gridGroup,
      ...limits,
      meeting,
      currentUpdate,
      leader,
      ...curves,
      ...dots,
      ...labels,
      callout,
    );
    let view;
    let drawnReach = null;
    let shown = 0;
    let isKnot = false;

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
      isKnot = ends[0] / last < KNOT;
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
      // The floor's name stands below it, away from the bound's line; or where the axis is too near, at its end.
      const share = last > meets ? 0.6 : 0.8;
      const onFloor = view.to([share * last, floor(share * last)]);
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
      const apart = Math.max(0, 20 - (low - high)) / 2;
      setAttributes(labels[2], { x: u + 10, y: Math.min(low + apart, view.frame.bottom - 8) + 4 });
      setAttributes(labels[3], { x: u + 10, y: Math.min(high - apart, view.frame.bottom - 28) + 4 });
      for (const one of labels.slice(2)) one.setAttribute("visibility", isKnot ? "hidden" : "visible");
      drawCallout([u, (low + high) / 2]);
      node.setAttribute("aria-label", label);
    }

    // "The run ends here" stands below the floor, to the right of where the floor leaves room for it.
    function drawCallout([u, v]) {
      callout.textContent = isKnot ? `the run ${shown < mistakes.length ? "is" : "ends"} here, at ${shown}` : "";
      leader.setAttribute("d", "");
      if (!isKnot) return;
      const { frame, xRange } = view;
      const [y, width] = [frame.bottom - 9, 6.6 * callout.textContent.length];
      const places = Array.from({ length: 61 }, (_, k) => (k / 60) * xRange[1]).map((m) => view.to([m, floor(m)]));
      const free = places.find(([x, onFloor]) => x > u + 14 && onFloor < y - 18);
      const x = Math.min(free?.[0] ?? u + 20, frame.right - width);
      setAttributes(callout, { x, y });
      leader.setAttribute(
        "d",
        path([
          [u, v],
          [x - 4, y - 5],
        ]),
      );
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

// The line of theta~, which separates the points, thin and with its name, out of the way of the perceptron's own line.
function separatingLine(view, theta) {
  const { node, draw, names } = namedLine(view, "pla-thin pla-separating-line", "a separator");
  return { node, draw: (state) => draw(theta, state.occupied, [[], ...lineAndArrow(view, state.theta)]), names };
}

function render({ model, el }) {
  const record = model.get("record");
  const { X, y, mistakes, theta, bound } = record;
  const quantities = proofQuantities(record);
  const { thetas, progress, norm, floor, ceiling } = quantities;
  const lights = spotlight();
  const last = mistakes.length;
  const isFinale = () => steps.now() > last;
  const steps = transport(model, last + 1, { name: "Update", stay: (step) => (step === last ? 2000 : 1100) });
  // In the finale the chart reaches to the bound anyway: who does not want that goes back.
  const reach = toggle("Show up to the bound", (on) =>
    change(model, { whole: on, ...(isFinale() && !on ? { step: last } : {}) }),
  );
  reach.node.classList.add("pla-reach");
  const graph = proofChart(record, quantities, lights, [reach.node]);
  const data = runPicture({ data: { X, y }, lights, under: (view) => [separatingLine(view, theta)] });
  const table = proofTable(record, quantities, lights, steps.goTo);
  const names = theta.length === 3 ? "(b, w\u2081, w\u2082)" : "(w\u2081, w\u2082)";
  const numbers = facts(
    "updates",
    "bound",
    "progress",
    "its floor",
    "norm",
    "its ceiling",
    "least signed score \u03c1",
    "radius \u03c4",
    `weights \u03b8 = ${names}`,
    "separator \u03b8\u0303",
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
    const m = Math.min(steps.now(), last);
    const isWhole = isFinale() || model.get("whole");
    const to = { m, reach: Number(isWhole), isFinale: isFinale() };
    const from = shown ?? to;
    shown = to;
    const isUpdate = m === from.m + 1;
    const zoom = to.isFinale === from.isFinale ? ZOOM : FINALE;
    const milliseconds =
      to.reach !== from.reach ? zoom : isUpdate ? (steps.isBrief() ? SWING : UPDATE) : m !== from.m ? SWING : 0;
    const example = m ? mistakes[m - 1] : null;
    const after = `after ${counted(m, "update")}`;
    const graphLabel =
      `The proof ${after}: floor ${number(floor(m))}, progress ${number(progress[m])}, norm ${number(norm[m])}, ` +
      `ceiling ${number(ceiling(m))}. The floor is a straight line, the ceiling a square root; ` +
      `they meet at ${number(bound.value)}, the bound.`;
    const dataLabel = `The ${X.length} points, the line ${after}, and the line of a separator, \u03b8\u0303.`;
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
        noLine: "The perceptron has no line yet.",
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
    reach.box.checked = isWhole;
    ui.show(isFinale() ? describeFinale(record) : describeStep(record, quantities, m));
    steps.show();
    const slider = steps.node.querySelector("input");
    slider.setAttribute("aria-valuetext", isFinale() ? "the bound" : `${m} of ${last}`);
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
