// The loss landscape: a loss over weight space as relief and contour lines, and the path of a run across it. The
// model's `step` is the number of updates made, `loss` the loss that is drawn.

import { assemble, button, change, facts, follow, liveText, transport } from "./controls.js";
import { arrow, element, path, pathShape, picture, polygon, setAttributes, shape, titledPicture } from "./dom.js";
import { contour, heightGrid, LOSSES, losses, shadingImage } from "./losses.js";
import { axes, clip, dot, planeAroundOrigin, ticks } from "./plane.js";
import { score, weights } from "./run_record.js";
import { number, signed, vector } from "./wording.js";

const SIZE = { width: 340, height: 270 };
const MOST_LINES = 60; // with more examples, their lines would hide the landscape
const TRAIL = 200; // how many past updates are drawn

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

// Weight space with the relief of the loss. What depends on the loss alone is made once for each loss.
function landscapePicture({ X, y }, ws, { sum, slope }) {
  const reach = ws.reduce((most, w) => Math.max(most, Math.abs(w[0]), Math.abs(w[1])), 0) || 1;
  const view = planeAroundOrigin(reach, { names: ["w\u2081", "w\u2082"], ...SIZE });
  const id = `pla-relief-${Math.random().toString(36).slice(2)}`; // unique, if two landscapes are on one page
  const image = shape("image", { ...SIZE, preserveAspectRatio: "none" });
  const mask = shape("mask", { id, maskUnits: "userSpaceOnUse", x: 0, y: 0, ...SIZE }, image);
  const relief = shape("g", {}, mask, shape("rect", { ...SIZE, class: "pla-relief", mask: `url(#${id})` }));
  const contours = shape("g");
  const kinkLines = shape("g");
  const zeroLoss = pathShape("pla-zero-loss");
  const zeroText = shape("text", { class: "pla-label", "text-anchor": "middle" }, "loss 0");
  const sectionLine = pathShape("pla-thin pla-dashed pla-cut");
  const trail = pathShape("pla-trail");
  const trailPoints = pathShape("pla-trail pla-trail-points");
  const updateArrow = pathShape("pla-line pla-update-arrow");
  const downhill = pathShape("pla-line pla-downhill");
  const position = shape("circle", { r: 6, class: "pla-position" });
  const ground = [relief, zeroLoss, axes(view), kinkLines, contours, zeroText, sectionLine];
  const node = picture(view, "", ...ground, trail, trailPoints, downhill, updateArrow, position);
  const reliefs = {};
  const places = ws.map((w) => view.to(w));
  let drawnLoss = null;

  function makeRelief(loss) {
    const heights = heightGrid(view, (w1, w2) => sum(loss, w1, w2), y.length);
    const step = loss === "counting" ? 0 : ticks(0, heights.highest / 3)[1];
    const count = step ? Math.floor(heights.highest / step) : 0;
    const levels = Array.from({ length: count }, (_, k) => (k + 1) * step);
    const aboveKink = (i) => (w) => y[i] * dot(w, X[i]) - LOSSES[loss].kink;
    const kinkLine = (_, i) => {
      const { cut } = clip(view.corners, aboveKink(i));
      return pathShape(`pla-thin pla-${y[i] > 0 ? "positive" : "negative"}-line`, path(cut.map(view.to)));
    };
    const contourLine = (level) =>
      setAttributes(pathShape("pla-contour", contour(view, heights, level)), { "data-level": level });
    return {
      href: shadingImage(heights),
      lines: y.length > MOST_LINES ? [] : X.map(kinkLine),
      zeroRegion: X.reduce((rest, _, i) => clip(rest, aboveKink(i)).side, view.corners).map(view.to),
      contours: levels.map(contourLine),
    };
  }

  function drawRelief(loss) {
    if (loss === drawnLoss) return;
    drawnLoss = loss;
    reliefs[loss] ??= makeRelief(loss);
    const { href, lines, zeroRegion, contours: contourLines } = reliefs[loss];
    image.setAttribute("href", href);
    contours.replaceChildren(...contourLines);
    kinkLines.replaceChildren(...lines);
    zeroLoss.setAttribute("d", polygon(zeroRegion));
    const [u, v] = centroid(zeroRegion);
    setAttributes(zeroText, { x: u, y: v + 4, visibility: zeroRegion.length ? "visible" : "hidden" });
  }

  function draw(loss, k, { from, by }) {
    drawRelief(loss);
    const now = places[k];
    const [v1, v2] = slope(loss, ...ws[k]) ?? [0, 0];
    const steepness = Math.hypot(v1, v2);
    setAttributes(position, { cx: now[0], cy: now[1] });
    const past = places.slice(Math.max(0, k - TRAIL), k);
    trail.setAttribute("d", path(past));
    trailPoints.setAttribute("d", past.map((place) => path([place, place])).join(""));
    updateArrow.setAttribute("d", k ? arrow(places[k - 1], shortOf(places[k - 1], now, 8)) : "");
    const below = [now[0] - (42 * v1) / steepness, now[1] + (42 * v2) / steepness];
    downhill.setAttribute("d", steepness ? arrow(now, below) : "");
    const { cut } = clip(view.corners, (w) => (w[0] - from[0]) * by[1] - (w[1] - from[1]) * by[0]);
    sectionLine.setAttribute("d", path(cut.map(view.to)));
    node.setAttribute(
      "aria-label",
      `The ${loss} loss over weight space: plain where it is 0, shaded as it rises. w is at ${vector(ws[k])}.` +
        (steepness ? " A dashed arrow points downhill." : ""),
    );
  }
  return { node, draw };
}

// The section of the landscape along the update: the loss at from + t * by, with t = 0 before the update and t = 1
// after.
function sectionPicture({ sum }) {
  const { width, height } = SIZE;
  const [left, right, top, bottom] = [44, width - 14, 30, height - 34];
  const [first, last] = [-1, 2];
  const grid = shape("g", { class: "pla-axes", "aria-hidden": true });
  const curve = pathShape("pla-section");
  const positionBefore = shape("circle", { r: 5, class: "pla-position-before" });
  const position = shape("circle", { r: 6, class: "pla-position" });
  const node = picture(SIZE, "", grid, curve, positionBefore, position);
  function draw(loss, { from, by, isMade }) {
    const lossAt = (t) => sum(loss, from[0] + t * by[0], from[1] + t * by[1]);
    const ts = Array.from({ length: 301 }, (_, k) => first + (k / 300) * (last - first));
    const values = ts.map(lossAt);
    const highest = 1.1 * (Math.max(...values) || 1);
    const to = (t, value) => [
      left + ((t - first) / (last - first)) * (right - left),
      bottom - (value / highest) * (bottom - top),
    ];
    const names = isMade ? ["before", "after"] : ["now", "next"];
    const columns = names.map((name, t) => {
      const [u] = to(t, 0);
      const line = shape("line", { x1: u, x2: u, y1: top, y2: bottom });
      return [line, shape("text", { x: u, y: height - 12, "text-anchor": "middle" }, name)];
    });
    const rows = ticks(0, highest).map((value) => {
      const [, v] = to(0, value);
      const line = shape("line", { x1: left, x2: right, y1: v, y2: v });
      return [line, shape("text", { x: left - 8, y: v + 4, "text-anchor": "end" }, number(value))];
    });
    const axisName = shape("text", { x: 8, y: 16, class: "pla-axis-name" }, "loss");
    grid.replaceChildren(...[...columns, ...rows].flat(), axisName);
    curve.setAttribute("d", path(ts.map((t, k) => to(t, values[k]))));
    const [u, v] = to(0, lossAt(0));
    const [p, q] = isMade ? to(1, lossAt(1)) : [u, v];
    setAttributes(positionBefore, { cx: u, cy: v, visibility: isMade ? "visible" : "hidden" });
    setAttributes(position, { cx: p, cy: q });
    const [before, after] = [0, 1].map((t) => number(lossAt(t)));
    const change = isMade ? `${before} before, ${after} after` : `${before} now, ${after} after the next update`;
    node.setAttribute("aria-label", `The ${loss} loss along the update: ${change}.`);
  }
  return { node, draw };
}

// What update k did to the weights, to the loss of its own point, and to the sum.
function describeUpdate({ X, y, mistakes, converged }, ws, { ofExample, sum }, loss, k) {
  const now = sum(loss, ...ws[k]);
  if (k === 0)
    return (
      `Start: w = ${vector(ws[0])}. The ${loss} loss, summed over all ${y.length} points, is ${number(now)}.` +
      (mistakes.length ? "" : " The run made no update.")
    );
  const i = mistakes[k - 1];
  const before = sum(loss, ...ws[k - 1]);
  const [ownBefore, ownAfter] = [k - 1, k].map((j) => number(ofExample(i).sum(loss, ...ws[j])));
  const sumText =
    now === before
      ? `the sum stayed at ${number(now)}`
      : `the sum ${now < before ? "fell" : "rose"} from ${number(before)} to ${number(now)}`;
  const outcome = converged ? " The run is over: all points are right." : " Here the run was stopped.";
  const scored = `scored\u00a0${signed(score(ws[k - 1], X[i]))}`;
  return (
    `Update ${k}: point\u00a0${i} (class\u00a0${signed(y[i])}) ${scored}, so w went to ${vector(ws[k])}. ` +
    `The point's own loss: ${ownBefore} \u2192 ${ownAfter}; ${sumText}.${k < mistakes.length ? "" : outcome}`
  );
}

const slopeText = (loss, slope) =>
  !slope ? `none: a ${loss === "counting" ? "cliff" : "kink"}` : slope.some(Boolean) ? vector(slope) : "(0, 0): flat";

function render({ model, el }) {
  const record = model.get("record");
  const { mistakes } = record;
  const ws = weights(record);
  const lossFunctions = losses(record);
  const landscape = landscapePicture(record, ws, lossFunctions);
  const section = sectionPicture(lossFunctions);
  const text = liveText();
  const note = element("p", { class: "pla-note" });
  const numbers = facts("update", "w = (w\u2081, w\u2082)", "loss, summed", "slope here");
  const steps = transport(model, mistakes.length, { name: "Update" });
  const lossButtons = Object.entries(LOSSES).map(([loss, { name }]) =>
    button(name, () => change(model, { loss }), { "data-loss": loss }),
  );
  const lossGroup = { class: "pla-control-group", role: "group", "aria-label": "Loss" };
  steps.nodes[1].prepend(element("span", lossGroup, ...lossButtons));

  function draw() {
    const loss = model.get("loss");
    const k = steps.now();
    // The section runs along the last update; before the first, along the next; if there is none, along the diagonal.
    const from = ws[Math.max(0, k - 1)];
    const to = ws[Math.max(1, k)] ?? from.map((value) => value + 1);
    const update = { from, by: to.map((value, j) => value - from[j]), isMade: k > 0 };
    landscape.draw(loss, k, update);
    section.draw(loss, update);
    text.textContent = describeUpdate(record, ws, lossFunctions, loss, k);
    note.textContent = LOSSES[loss].note;
    const slope = slopeText(loss, lossFunctions.slope(loss, ...ws[k]));
    numbers.show(`${k} of ${mistakes.length}`, vector(ws[k]), number(lossFunctions.sum(loss, ...ws[k])), slope);
    for (const node of lossButtons) node.setAttribute("aria-pressed", node.dataset.loss === loss);
    steps.show();
  }

  const root = assemble(el, "Loss landscape", {
    pictures: [
      titledPicture("The landscape.", " Dashed arrow: downhill.", landscape.node),
      titledPicture("Its section", " along the dashed line.", section.node),
    ],
    panel: [text, element("div", { class: "pla-loss-facts" }, numbers.node, note)],
    controls: steps.nodes.toReversed(),
    onKey: steps.onKey,
  });
  root.classList.add("pla-loss-landscape");
  const unfollow = follow(model, ["step", "loss"], draw);
  return () => {
    unfollow();
    steps.stop();
  };
}

export default { render };
