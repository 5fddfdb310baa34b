// The loss landscape: a loss over weight space as relief and contour lines, and the path of a run across it. The
// model's `step` is the number of updates made, `loss` the loss that is drawn.

import { count, oneOf } from "./address.js";
import { change, facts, follow, segments } from "./controls.js";
import { arrow, element, path, pathShape, picture, polygon, setAttributes, shape } from "./dom.js";
import { contour, heightGrid, LOSSES, losses, shadingImage } from "./losses.js";
import { clamp, mix, motion, phase } from "./motion.js";
import { fittedPicture } from "./picture.js";
import { axes, besideLine, clip, dot, freePlace, planeAroundOrigin, ticks } from "./plane.js";
import { readout, spotlight } from "./points.js";
import { runPicture, SWING, UPDATE } from "./run_picture.js";
import { runInPython, score, weights } from "./run_record.js";
import { shell } from "./shell.js";
import { transport } from "./transport.js";
import { counted, number, signed, vector } from "./wording.js";

const MOST_LINES = 60; // with more examples, their lines would hide the landscape
const TRAIL = 200; // how many past updates are drawn
const FADE = 400; // milliseconds from the relief of one loss to that of another
const DOWNHILL = 52; // pixels from the middle of "downhill from here" to its end
const TURN = 0.4; // the share of an update in which the section turns, before w moves along it

// A point on the way to `end`, `by` before it; `end` itself if the way is short.
function shortOf(start, end, by) {
  const length = Math.hypot(end[0] - start[0], end[1] - start[1]);
  return length > 2 * by ? [0, 1].map((i) => end[i] - (by * (end[i] - start[i])) / length) : end;
}

// The centre of gravity of a convex polygon: that of the triangles it consists of, each weighted by its area.
function centroid(corners) {
  let total = 0;
  let [u, v] = [0, 0];
  for (let k = 2; k < corners.length; k++) {
    const [a, b, c] = [corners[0], corners[k - 1], corners[k]];
    const area = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
    total += area;
    u += (area * (a[0] + b[0] + c[0])) / 3;
    v += (area * (a[1] + b[1] + c[1])) / 3;
  }
  return total ? [u / total, v / total] : [0, 0];
}

// A vector on its way from one to another: it turns, the shorter way round, and changes its length.
function turned(from, to, t) {
  const lengths = [from, to].map(([x, y]) => Math.hypot(x, y));
  if (t === 1 || !lengths[0] || !lengths[1]) return to;
  const [start, end] = [from, to].map(([x, y]) => Math.atan2(y, x));
  const angle = start + t * (((end - start + 3 * Math.PI) % (2 * Math.PI)) - Math.PI);
  const length = mix(...lengths, t);
  return [length * Math.cos(angle), length * Math.sin(angle)];
}

// Where the widget is after k updates: the weights w, and the section that runs through them: from + s * by, with s = 0
// before the update and s = 1 after it. It runs along the last update; before the first, along the next; if there is
// none, along the diagonal.
function placeAfter(ws, k) {
  const from = ws[Math.max(0, k - 1)];
  const to = ws[Math.max(1, k)] ?? from.map((value) => value + 1);
  return { w: ws[k], from, by: to.map((value, j) => value - from[j]), s: k ? 1 : 0 };
}

// The place on the way between two. Along an update the section turns first, about w, and then w moves along it.
function placeBetween(start, end, t, isUpdate) {
  if (t === 1) return end;
  const [turn, go] = isUpdate ? [phase(t, 0, TURN), phase(t, TURN, 1)] : [phase(t), phase(t)];
  const s = isUpdate ? start.s * (1 - turn) + go : mix(start.s, end.s, go);
  const w = mix(start.w, end.w, go);
  const by = turned(start.by, end.by, turn);
  return { w, by, s, from: w.map((value, j) => value - s * by[j]) };
}

// Weight space with the relief of the loss. What depends on the loss alone is made once for each loss.
function landscapePicture({ X, y, mistakes }, ws, { sum, slope }, lights) {
  const reach = ws.reduce((most, w) => Math.max(most, Math.abs(w[0]), Math.abs(w[1])), 0) || 1;
  return fittedPicture((size) => {
    const view = planeAroundOrigin(reach, { names: ["w\u2081", "w\u2082"], ...size });
    const places = ws.map((w) => view.to(w));
    const below = shape("g");
    const above = shape("g");
    const sectionLine = pathShape("pla-thin pla-dashed pla-cut");
    const exampleLine = pathShape("pla-line pla-example-kink");
    const exampleName = shape("text", { class: "pla-label", "text-anchor": "middle" });
    const trail = pathShape("pla-trail");
    const trailPoints = pathShape("pla-trail pla-trail-points");
    const updateArrow = pathShape("pla-line pla-update-arrow");
    const downhill = pathShape("pla-line pla-downhill");
    const downhillName = shape("text", { class: "pla-label", "text-anchor": "middle" });
    const position = shape("circle", { r: 6.5, class: "pla-position" });
    const name = shape("text", { class: "pla-symbol" }, "w");
    const swatch = { width: 14, height: 14, x: size.width - 80, y: 8 };
    const key = shape(
      "g",
      { class: "pla-key", "aria-hidden": true },
      shape("rect", { ...swatch, class: "pla-key-paper" }),
      shape("rect", { ...swatch, class: "pla-key-high" }),
      shape("text", { x: size.width - 61, y: 19, class: "pla-label" }, "high loss"),
    );
    const node = picture(
      view,
      "",
      below,
      axes(view),
      above,
      sectionLine,
      exampleLine,
      exampleName,
      trail,
      trailPoints,
      updateArrow,
      downhill,
      downhillName,
      position,
      name,
      key,
    );
    const reliefs = {};
    // Where the path goes, and the name w beside it, no other name belongs.
    const taken = places.flatMap(([u, v]) => [-18, 0, 18].map((aside) => [u + aside, v]));
    const way = places.slice(1).map((place, k) => [places[k], place]);
    let current = null; // what was drawn last

    const aboveKink = (loss, i) => (w) => y[i] * dot(w, X[i]) - LOSSES[loss].kink;
    const kinkLine = (loss, i) => clip(view.corners, aboveKink(loss, i)).cut.map(view.to);
    const classOf = (i) => `pla-${y[i] > 0 ? "positive" : "negative"}-line`;
    function makeRelief(loss) {
      const heights = heightGrid(view, (w1, w2) => sum(loss, w1, w2), y.length);
      const step = loss === "counting" ? 0 : ticks(0, heights.highest / 3)[1];
      const levels = Array.from({ length: step ? Math.floor(heights.highest / step) : 0 }, (_, k) => (k + 1) * step);
      const zeroRegion = X.reduce((rest, _, i) => clip(rest, aboveKink(loss, i)).side, view.corners).map(view.to);
      const id = `pla-relief-${Math.random().toString(36).slice(2)}`; // unique, if two landscapes are on one page
      const image = shape("image", { ...size, preserveAspectRatio: "none", href: shadingImage(heights) });
      const mask = shape("mask", { id, maskUnits: "userSpaceOnUse", x: 0, y: 0, ...size }, image);
      const shading = shape("rect", { ...size, class: "pla-relief", mask: `url(#${id})` });
      const lines = X.map((_, i) => pathShape(`pla-thin pla-kink ${classOf(i)}`, path(kinkLine(loss, i))));
      const contours = levels.map((level) =>
        setAttributes(pathShape("pla-contour", contour(view, heights, level)), { "data-level": level }),
      );
      const zeroName = shape(
        "text",
        { class: "pla-label", "text-anchor": "middle" },
        zeroRegion.length ? "loss 0" : "",
      );
      const middle = centroid(zeroRegion);
      const inRegion = [0.2, 0.4, 0.6].flatMap((share) => zeroRegion.map((corner) => mix(middle, corner, share)));
      const edges = zeroRegion.map((corner, k) => [corner, zeroRegion[(k + 1) % zeroRegion.length]]);
      const onNothing = { lines: [...way, ...edges], half: [20, 8] };
      const [u, v] = freePlace(view, [middle, ...inRegion], taken, 26, onNothing);
      setAttributes(zeroName, { x: u, y: v + 4 });
      return {
        layers: [
          shape("g", {}, mask, shading, pathShape("pla-zero-loss", polygon(zeroRegion))),
          shape("g", {}, ...(y.length > MOST_LINES ? [] : lines), ...contours, zeroName),
        ],
        // The name reaches to both sides of its middle.
        named: zeroRegion.length ? [-18, 0, 18].map((aside) => [u + aside, v]) : [],
      };
    }

    // The relief of one loss, and on the way from another loss, fading, that of the other.
    function drawRelief(loss, before, share) {
      const shown = share < 1 && before !== loss ? [before, loss] : [loss];
      for (const one of shown) reliefs[one] ??= makeRelief(one);
      [below, above].forEach((layer, k) => {
        layer.replaceChildren(...shown.map((one) => reliefs[one].layers[k]));
        shown.forEach((one, j) =>
          reliefs[one].layers[k].setAttribute("opacity", shown.length < 2 ? 1 : j ? share : 1 - share),
        );
      });
    }

    // The kink of the point that the reader looks at, or of the last update.
    function drawExampleLine() {
      const i = lights.lit() ?? mistakes[current.k - 1] ?? null;
      const ends = i === null ? [] : kinkLine(current.loss, i);
      setAttributes(exampleLine, { d: path(ends), class: `pla-line pla-example-kink ${i === null ? "" : classOf(i)}` });
      exampleName.textContent = ends.length ? `point ${i}` : "";
      if (!ends.length) return;
      const along = [0.12, 0.88, 0.2, 0.8, 0.3, 0.7].map((share) => mix(ends[0], ends[1], share));
      const [u, v] = freePlace(view, along, [...taken, ...reliefs[current.loss].named], 34);
      setAttributes(exampleName, { x: u, y: v + 4 });
    }
    const stop = lights.onChange(() => current && drawExampleLine());

    function draw(state) {
      const { loss, lossBefore, share, k, place, isUpdate, label } = state;
      current = state;
      drawRelief(loss, lossBefore, share);
      drawExampleLine();
      const now = view.to(place.w);
      setAttributes(position, { cx: now[0], cy: now[1] });
      const past = places.slice(Math.max(0, k - TRAIL), k);
      trail.setAttribute("d", path(past));
      trailPoints.setAttribute("d", past.map((one) => path([one, one])).join(""));
      const tipOfArrow = isUpdate ? now : places[k];
      const start = places[k - 1];
      const isLong = k && Math.hypot(tipOfArrow[0] - start[0], tipOfArrow[1] - start[1]) > 1;
      updateArrow.setAttribute("d", isLong ? arrow(start, shortOf(start, tipOfArrow, 8)) : "");
      const [v1, v2] = slope(loss, ...place.w) ?? [0, 0];
      const steepness = Math.hypot(v1, v2);
      const along = (length) => [now[0] - (length * v1) / steepness, now[1] + (length * v2) / steepness];
      // The arrow does not touch w, and says of where w is: it is no step that the run has made.
      downhill.setAttribute("d", steepness ? arrow(along(15), along(46)) : "");
      downhillName.textContent = steepness ? "downhill from here" : "";
      if (steepness) {
        const beside = besideLine([now, along(48)], DOWNHILL, [0.9, 0.6]);
        const [u, v] = freePlace(view, [along(60), ...beside], [...reliefs[loss].named, now], DOWNHILL + 6, {
          lines: way,
          half: [DOWNHILL, 8],
        });
        setAttributes(downhillName, { x: clamp(u, DOWNHILL + 6, size.width - DOWNHILL - 6), y: v + 4 });
      }
      const around = [45, 135, 225, 315, 0, 180].map((angle) => {
        const turn = (angle * Math.PI) / 180;
        return [now[0] + 17 * Math.cos(turn), now[1] + 17 * Math.sin(turn)];
      });
      const arrows = [...past.slice(-2), ...(steepness ? [along(16), along(30)] : [])];
      if (start) arrows.push(shortOf(start, now, 16), shortOf(start, now, 30));
      const [u, v] = freePlace(view, around, arrows);
      setAttributes(name, { x: u, y: v + 5 });
      const { from, by } = place;
      const { cut } = clip(view.corners, (w) => (w[0] - from[0]) * by[1] - (w[1] - from[1]) * by[0]);
      sectionLine.setAttribute("d", path(cut.map(view.to)));
      node.setAttribute("aria-label", label + (steepness ? " A dashed arrow points downhill." : ""));
    }

    // The pointer reads the height off the landscape.
    const tip = readout(node, size, (at) => {
      if (!at || !current) return null;
      const w = view.from(at);
      return { at, text: `w = ${vector(w)}: loss\u00a0${number(sum(current.loss, ...w))}` };
    });
    return { node, extras: [tip], draw, stop };
  });
}

// The section of the landscape: the loss at from + s * by, with s = 0 before the update and s = 1 after. Its axis
// reaches to the largest loss of the run, at every step the same, so that heights can be compared.
function sectionPicture({ sum }, ws) {
  const [first, last] = [-1, 2];
  const tops = {};
  const topOf = (loss) => {
    tops[loss] ??= 1.15 * (ws.reduce((most, w) => Math.max(most, sum(loss, ...w)), 0) || 1);
    return tops[loss];
  };
  return fittedPicture((size) => {
    const { width, height } = size;
    const [left, right, top, bottom] = [44, width - 14, 30, height - 34];
    const grid = shape("g", { class: "pla-axes", "aria-hidden": true });
    const curve = pathShape("pla-section");
    // Where the section is higher than that, the curve leaves the picture.
    const id = `pla-section-${Math.random().toString(36).slice(2)}`; // unique, if two landscapes are on one page
    const frame = shape(
      "clipPath",
      { id },
      shape("rect", { x: left, y: top, width: right - left, height: height - top }),
    );
    const clipped = shape("g", { "clip-path": `url(#${id})` }, curve);
    const positionBefore = shape("circle", { r: 5, class: "pla-position-before" });
    const position = shape("circle", { r: 6.5, class: "pla-position" });
    const node = picture(size, "", frame, grid, clipped, positionBefore, position);
    function draw({ loss, lossBefore, share, place, isMade, label }) {
      const { from, by, s } = place;
      const lossAt = (at) => {
        const w = from.map((value, j) => value + at * by[j]);
        const value = sum(loss, ...w);
        return lossBefore === loss ? value : mix(sum(lossBefore, ...w), value, share);
      };
      const all = Array.from({ length: 301 }, (_, k) => first + (k / 300) * (last - first));
      const values = all.map(lossAt);
      const highest = mix(topOf(lossBefore), topOf(loss), share);
      const to = (at, value) => [
        left + ((at - first) / (last - first)) * (right - left),
        bottom - (value / highest) * (bottom - top),
      ];
      const columns = (isMade ? ["before", "after"] : ["now", "next"]).map((name, at) => {
        const [u] = to(at, 0);
        const line = shape("line", { x1: u, x2: u, y1: top, y2: bottom });
        return [line, shape("text", { x: u, y: height - 12, "text-anchor": "middle" }, name)];
      });
      const rows = ticks(0, highest).map((value) => {
        const [, v] = to(0, value);
        const line = shape("line", { x1: left, x2: right, y1: v, y2: v });
        return [line, shape("text", { x: left - 8, y: v + 4, "text-anchor": "end" }, number(value))];
      });
      const axisName = shape("text", { x: 8, y: 16, class: "pla-axis-name" }, "loss along the dashed line");
      grid.replaceChildren(...[...columns, ...rows].flat(), axisName);
      curve.setAttribute("d", path(all.map((at, k) => to(at, values[k]))));
      const [u, v] = to(0, lossAt(0));
      const [p, q] = to(s, lossAt(s));
      setAttributes(positionBefore, { cx: u, cy: v, visibility: isMade ? "visible" : "hidden" });
      setAttributes(position, { cx: p, cy: q });
      node.setAttribute("aria-label", label);
    }
    return { node, draw };
  });
}

// At w = 0 every score is 0, and what a loss is there says little about it.
const isZero = (w) => w.every((value) => value === 0);

// How a loss went along the run, which had these values: how often it rose and fell. A run from w = 0 is followed from
// its first update on.
function describeWay(values, fromZero) {
  const after = fromZero ? values.slice(1) : values;
  const steps = after.slice(1).map((value, k) => value - after[k]);
  const [rises, falls] = [steps.filter((by) => by > 0), steps.filter((by) => by < 0)].map((all) => all.length);
  const ways = [rises && `rose ${counted(rises, "time")}`, falls && `fell ${counted(falls, "time")}`].filter(Boolean);
  const since = fromZero ? "After update 1 the loss" : "The loss";
  return ways.length ? `${since} ${ways.join(" and ")}.` : `The loss is ${number(after.at(-1))}.`;
}

// Where the run starts. At w = 0 no score has a sign, so the loss there is not one that a line could have.
function describeStart(loss, w, n, now) {
  const all = `all ${counted(n, "point")}`;
  if (!isZero(w)) return `w = ${vector(w)}. The ${loss} loss, summed over ${all}, is ${number(now)}.`;
  const opening = "At w = 0 every score is 0:";
  if (loss === "counting") return `${opening} there is no line, and ${now} of ${counted(n, "point")} count as wrong.`;
  if (loss === "hinge")
    return `${opening} there is no line, and each point costs 1. Summed over ${all}, that is ${now}.`;
  return `${opening} the loss, summed over ${all}, is ${number(now)}, but no point is right.`;
}

// What update k did to the loss of its own point, and to the sum.
function describeStep({ X, y, mistakes, converged }, ws, { ofExample, sum }, loss, k) {
  const now = sum(loss, ...ws[k]);
  const { note } = LOSSES[loss];
  const all = `all ${counted(y.length, "point")}`;
  if (k === 0) {
    if (mistakes.length) return { kind: "start", text: describeStart(loss, ws[0], y.length, now), why: note };
    const text = `The run made no mistake. The ${loss} loss, summed over ${all}, is ${number(now)}.`;
    return { kind: "done", text, why: note };
  }
  const i = mistakes[k - 1];
  const before = sum(loss, ...ws[k - 1]);
  const [ownBefore, ownAfter] = [k - 1, k].map((j) => number(ofExample(i).sum(loss, ...ws[j])));
  const own = ownBefore === ownAfter ? `stays at ${ownAfter}` : `goes from ${ownBefore} to ${ownAfter}`;
  const sumText =
    now === before
      ? `the sum stays at ${number(now)}`
      : `the sum ${now < before ? "falls" : "rises"} from ${number(before)} to ${number(now)}`;
  const point = `point\u00a0${i}`;
  const text = `Update ${k}, for ${point}: its own loss ${own}; ${sumText}.`;
  const scored = `It has class\u00a0${signed(y[i])} and scored\u00a0${signed(score(ws[k - 1], X[i]))}`;
  const why = `${scored}, so w went to ${vector(ws[k])}. ${note}`;
  if (k < mistakes.length) {
    if (k > 1 || !isZero(ws[0])) return { kind: "mistake", text, why };
    // The first step from w = 0 is no step downhill or uphill: it makes the first line.
    const first = `Update 1, for ${point}, leaves w = 0: now there is a line, and its ${loss} loss is ${number(now)}.`;
    return { kind: "mistake", text: first, why: `${text} ${why}` };
  }
  const made = counted(k, "update");
  const values = ws.map((w) => sum(loss, ...w));
  const way = describeWay(values, isZero(ws[0]));
  const end = converged
    ? { kind: "done", text: `${made}, and ${all} count as right. ${way}` }
    : { kind: "note", chip: "Stopped", text: `Stopped after ${made}, with points still wrong. ${way}` };
  return { ...end, why: `${text} ${why}` };
}

const slopeText = (loss, slope) =>
  !slope ? `none: a ${loss === "counting" ? "cliff" : "kink"}` : slope.some(Boolean) ? vector(slope) : "(0, 0): flat";

function render({ model, el }) {
  const record = model.get("record");
  const { X, y, mistakes } = record;
  const ws = weights(record);
  const lossFunctions = losses(record);
  const { sum, slope } = lossFunctions;
  const lights = spotlight();
  const steps = transport(model, mistakes.length, { name: "Update", stay: () => 1200 });
  const names = Object.fromEntries(Object.entries(LOSSES).map(([loss, { name }]) => [loss, name]));
  const choice = segments("Loss", names, (loss) => change(model, { loss }));
  const landscape = landscapePicture(record, ws, lossFunctions, lights);
  const section = sectionPicture(lossFunctions, ws);
  const data = runPicture({ data: { X, y }, frame: [...X, [0, 0]], lights });
  const numbers = facts("update", "w = (w\u2081, w\u2082)", "loss, summed", "slope here");
  const note = element("p", { class: "pla-note" });
  const stage = motion();

  const ui = shell(
    { model, el },
    {
      name: "Loss landscape",
      main: { name: "Landscape", picture: landscape },
      panes: {
        Section: section.node,
        Data: data.node,
        Numbers: element("div", { class: "pla-loss-numbers" }, numbers.node, note),
      },
      steps,
      controls: [choice.node],
      state: { step: count, loss: oneOf(...Object.keys(LOSSES)) },
      python: () =>
        [
          "from pla_lib import loss_landscape, perceptron",
          "",
          ...runInPython(record),
          `loss_landscape(run, "${model.get("loss")}")`,
          "",
        ].join("\n"),
      lights,
    },
  );

  let shown = null; // { k, loss } as it was drawn last
  function draw() {
    const k = steps.now();
    const loss = model.get("loss");
    const before = shown ?? { k, loss };
    shown = { k, loss };
    const isForward = k === before.k + 1;
    const isUpdate = isForward && !steps.isBrief();
    const milliseconds = isUpdate ? UPDATE : k !== before.k ? SWING : loss !== before.loss ? FADE : 0;
    const [start, end] = [placeAfter(ws, before.k), placeAfter(ws, k)];
    const example = k ? mistakes[k - 1] : null;
    const after = `after ${counted(k, "update")}`;
    const [low, high] = [0, 1].map((s) => number(sum(loss, ...end.from.map((value, j) => value + s * end.by[j]))));
    const changed = k ? `${low} before, ${high} after` : `${low} now, ${high} after the next update`;
    const labels = {
      landscape:
        `The ${loss} loss over weight space: plain where it is 0, shaded as it rises. ` + `w is at ${vector(ws[k])}.`,
      section: `The ${loss} loss along the update: ${changed}.`,
      data: `The ${X.length} points and the line of w ${after}.`,
    };
    stage.play(steps.duration(milliseconds), (t) => {
      const share = phase(t);
      const place = placeBetween(start, end, t, isUpdate);
      const state = { k, loss, lossBefore: t < 1 ? before.loss : loss, share, place, isUpdate, isMade: k > 0 };
      landscape.draw({ ...state, label: labels.landscape });
      section.draw({ ...state, label: labels.section });
      data.draw({
        theta: ws[k],
        from: ws[before.k],
        ghost: k ? ws[k - 1] : null,
        example,
        isMistake: isForward,
        score: k ? score(ws[k - 1], X[example]) : undefined,
        t,
        brief: steps.isBrief(),
        label: labels.data,
      });
      const slopeHere = slopeText(loss, slope(loss, ...place.w));
      numbers.show(`${k} of ${mistakes.length}`, vector(place.w), number(sum(loss, ...place.w)), slopeHere);
    });
    note.textContent = LOSSES[loss].note;
    choice.show(loss);
    ui.show(describeStep(record, ws, lossFunctions, loss, k));
    steps.show();
  }

  const unfollow = follow(model, ["step", "loss"], draw);
  return () => {
    unfollow();
    stage.finish();
    section.stop();
    data.stop();
    ui.stop();
  };
}

export default { render };
