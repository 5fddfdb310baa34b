// The loss landscape: a loss over weight space as relief and contour lines, and the way of a run across it.

import { assemble, button, facts, follow, spoken, stepping } from "./controls.js";
import { area, arrow, element, filled, path, picture, shape, titled } from "./dom.js";
import { contour, LOSSES, losses, shading, surveyed } from "./losses.js";
import { axes, clip, dot, plane, ticks } from "./plane.js";
import { number, signed, vector } from "./wording.js";

// The weights at the start and after every update, summed as pla_lib sums them.
function weights({ X, y, theta0, eta, mistakes }) {
  const all = [theta0];
  for (const i of mistakes) all.push(all.at(-1).map((value, j) => value + eta * y[i] * X[i][j]));
  return all;
}

// A place on the way to `end`, a little before it.
function short(start, end, by) {
  const length = Math.hypot(end[0] - start[0], end[1] - start[1]);
  return length > 2 * by ? [0, 1].map((i) => end[i] - (by * (end[i] - start[i])) / length) : end;
}

// The centre of gravity of a convex polygon: of the triangles that make it, each weighed by its area.
function centre(polygon) {
  let whole = 0,
    [u, v] = [0, 0];
  for (let k = 2; k < polygon.length; k++) {
    const [a, b, c] = [polygon[0], polygon[k - 1], polygon[k]],
      part = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
    whole += part;
    u += (part * (a[0] + b[0] + c[0])) / 3;
    v += (part * (a[1] + b[1] + c[1])) / 3;
  }
  return whole ? [u / whole, v / whole] : [0, 0];
}

// Weight space as a landscape. What depends on the loss alone is drawn once for each loss.
function landscape({ X, y }, ws, { sum, slope }) {
  const reach = ws.reduce((most, w) => Math.max(most, Math.abs(w[0]), Math.abs(w[1])), 0) || 1;
  const view = plane(
    [
      [-reach, -reach],
      [reach, reach],
    ],
    { names: ["w\u2081", "w\u2082"], width: 340, height: 270 },
  );
  const id = `pla-relief-${Math.random().toString(36).slice(2)}`,
    image = shape("image", { width: view.width, height: view.height, preserveAspectRatio: "none" });
  const whole = { width: view.width, height: view.height };
  const relief = shape(
    "g",
    {},
    shape("mask", { id, maskUnits: "userSpaceOnUse", x: 0, y: 0, ...whole }, image),
    shape("rect", { ...whole, class: "pla-relief", mask: `url(#${id})` }),
  );
  const contours = shape("g"),
    bends = shape("g"),
    zero = shape("path", { class: "pla-zero" }),
    nought = shape("text", { class: "pla-label", "text-anchor": "middle" }, "loss 0");
  const cut = shape("path", { class: "pla-thin pla-dashed pla-cut" });
  const trail = shape("path", { class: "pla-trail" }),
    stops = shape("path", { class: "pla-trail pla-stops" }),
    way = shape("path", { class: "pla-line pla-way" });
  const downhill = shape("path", { class: "pla-line pla-downhill" }),
    here = shape("circle", { r: 6, class: "pla-here" });
  const node = picture(
    view,
    "",
    relief,
    zero,
    axes(view),
    bends,
    contours,
    nought,
    cut,
    trail,
    stops,
    downhill,
    way,
    here,
  );
  const drawn = {},
    places = ws.map((w) => view.to(w));
  let shown = null;

  function ground(loss) {
    const survey = surveyed(view, (w1, w2) => sum(loss, w1, w2), y.length),
      step = loss === "counting" ? 0 : ticks(0, survey.most / 3)[1];
    const levels = step ? Array.from({ length: Math.floor(survey.most / step) }, (_, k) => (k + 1) * step) : [];
    // Each point's bend is a line. Many points would hide the landscape behind them.
    const lines =
      y.length > 60
        ? []
        : X.map((x, i) => {
            const edge = clip(view.corners, (w) => y[i] * dot(w, x) - LOSSES[loss].bend).cut;
            return shape("path", {
              d: path(edge.map(view.to)),
              class: `pla-thin pla-${y[i] > 0 ? "positive" : "negative"}-line`,
            });
          });
    const region = X.reduce(
      (rest, x, i) => clip(rest, (w) => y[i] * dot(w, x) - LOSSES[loss].bend).side,
      view.corners,
    ).map(view.to);
    return {
      href: shading(survey),
      lines,
      region,
      contours: levels.map((level) =>
        shape("path", { d: contour(view, survey, level), "data-level": level, class: "pla-contour" }),
      ),
    };
  }

  function draw(loss, k, { from, by }) {
    if (loss !== shown) {
      const land = (drawn[loss] ??= ground(loss));
      image.setAttribute("href", land.href);
      contours.replaceChildren(...land.contours);
      bends.replaceChildren(...land.lines);
      zero.setAttribute("d", area(land.region));
      const [u, v] = centre(land.region);
      filled(nought, { x: u, y: v + 4, visibility: land.region.length ? "visible" : "hidden" }, []);
      shown = loss;
    }
    const at = places[k],
      [v1, v2] = slope(loss, ...ws[k]) ?? [0, 0],
      steep = Math.hypot(v1, v2);
    filled(here, { cx: at[0], cy: at[1] }, []);
    const past = places.slice(Math.max(0, k - 200), k);
    trail.setAttribute("d", path(past));
    stops.setAttribute("d", past.map((place) => path([place, place])).join(""));
    way.setAttribute("d", k ? arrow(places[k - 1], short(places[k - 1], at, 8)) : "");
    downhill.setAttribute("d", steep ? arrow(at, [at[0] - (42 * v1) / steep, at[1] + (42 * v2) / steep]) : "");
    cut.setAttribute(
      "d",
      path(clip(view.corners, (w) => (w[0] - from[0]) * by[1] - (w[1] - from[1]) * by[0]).cut.map(view.to)),
    );
    node.setAttribute(
      "aria-label",
      `The ${loss} loss over weight space: plain where it is 0, shaded as it rises. w is at ${vector(ws[k])}.` +
        (steep ? " A dashed arrow points downhill." : ""),
    );
  }
  return { node, draw };
}

// The landscape cut along the update: the loss at from + t * by, where t = 0 is before the update and t = 1 after it.
function section({ sum }) {
  const width = 340,
    height = 270,
    left = 44,
    right = width - 14,
    top = 30,
    bottom = height - 34,
    [first, last] = [-1, 2];
  const grid = shape("g", { class: "pla-axes", "aria-hidden": true }),
    curve = shape("path", { class: "pla-section" });
  const was = shape("circle", { r: 5, class: "pla-was" }),
    here = shape("circle", { r: 6, class: "pla-here" });
  const node = picture({ width, height }, "", grid, curve, was, here);
  function draw(loss, { from, by, made }) {
    const at = (t) => sum(loss, from[0] + t * by[0], from[1] + t * by[1]);
    const ts = Array.from({ length: 301 }, (_, k) => first + (k / 300) * (last - first)),
      values = ts.map(at);
    const most = 1.1 * (Math.max(...values) || 1);
    const to = (t, value) => [
      left + ((t - first) / (last - first)) * (right - left),
      bottom - (value / most) * (bottom - top),
    ];
    const marks = [0, 1].map((t) => [
      shape("line", { x1: to(t, 0)[0], x2: to(t, 0)[0], y1: top, y2: bottom }),
      shape(
        "text",
        { x: to(t, 0)[0], y: height - 12, "text-anchor": "middle" },
        made ? ["before", "after"][t] : ["now", "next"][t],
      ),
    ]);
    const rules = ticks(0, most).map((value) => [
      shape("line", { x1: left, x2: right, y1: to(0, value)[1], y2: to(0, value)[1] }),
      shape("text", { x: left - 8, y: to(0, value)[1] + 4, "text-anchor": "end" }, number(value)),
    ]);
    grid.replaceChildren(...[...marks, ...rules].flat(), shape("text", { x: 8, y: 16, class: "pla-name" }, "loss"));
    curve.setAttribute("d", path(ts.map((t, k) => to(t, values[k]))));
    const [u, v] = to(0, at(0)),
      [p, q] = made ? to(1, at(1)) : [u, v];
    filled(was, { cx: u, cy: v, visibility: made ? "visible" : "hidden" }, []);
    filled(here, { cx: p, cy: q }, []);
    node.setAttribute(
      "aria-label",
      `The ${loss} loss along the update: ${number(at(0))} ${made ? "before" : "now"}, ${number(at(1))} ${made ? "after" : "after the next update"}.`,
    );
  }
  return { node, draw };
}

// What update k did, in words: to the weights, to its own point's loss, and to the sum.
function told({ X, y, mistakes, converged }, ws, { own, sum }, loss, k) {
  const now = sum(loss, ...ws[k]);
  if (k === 0)
    return (
      `Start: w = ${vector(ws[0])}. The ${loss} loss, summed over all ${y.length} points, is ${number(now)}.` +
      (mistakes.length ? "" : " The run made no update.")
    );
  const i = mistakes[k - 1],
    before = sum(loss, ...ws[k - 1]),
    mine = [k - 1, k].map((j) => number(own(i).sum(loss, ...ws[j])));
  const went = now < before ? "fell" : now > before ? "rose" : "stayed";
  const whole =
    went === "stayed" ? `the sum stayed at ${number(now)}` : `the sum ${went} from ${number(before)} to ${number(now)}`;
  const end =
    k < mistakes.length ? "" : converged ? " The run is over: all points are right." : " Here the run was stopped.";
  return (
    `Update ${k}: point\u00a0${i} (class\u00a0${signed(y[i])}) scored\u00a0${signed(dot(ws[k - 1], X[i]))}, so w went to ${vector(ws[k])}. ` +
    `The point's own loss: ${mine[0]} \u2192 ${mine[1]}; ${whole}.${end}`
  );
}

const steepness = (loss, slope) =>
  !slope ? `none: a ${loss === "counting" ? "cliff" : "kink"}` : slope.some(Boolean) ? vector(slope) : "(0, 0): flat";

function render({ model, el }) {
  const record = model.get("record"),
    { mistakes } = record,
    ws = weights(record),
    losing = losses(record);
  const land = landscape(record, ws, losing),
    profile = section(losing);
  const words = spoken(),
    note = element("p", { class: "pla-note" });
  const numbers = facts("update", "w = (w\u2081, w\u2082)", "loss, summed", "slope here");
  const steps = stepping(model, mistakes.length, { name: "Update" });
  const kinds = Object.entries(LOSSES).map(([loss, { name }]) =>
    button(
      name,
      () => {
        model.set("loss", loss);
        model.save_changes();
      },
      { "data-loss": loss },
    ),
  );
  steps.nodes[1].prepend(element("span", { class: "pla-group", role: "group", "aria-label": "Loss" }, ...kinds));

  function draw() {
    const loss = model.get("loss"),
      k = steps.now(),
      from = ws[Math.max(0, k - 1)],
      to = ws[Math.max(1, k)] ?? from.map((value) => value + 1);
    const line = { from, by: to.map((value, j) => value - from[j]), made: k > 0 };
    land.draw(loss, k, line);
    profile.draw(loss, line);
    words.textContent = told(record, ws, losing, loss, k);
    note.textContent = LOSSES[loss].note;
    numbers.show(
      `${k} of ${mistakes.length}`,
      vector(ws[k]),
      number(losing.sum(loss, ...ws[k])),
      steepness(loss, losing.slope(loss, ...ws[k])),
    );
    for (const kind of kinds) kind.setAttribute("aria-pressed", kind.dataset.loss === loss);
    steps.show();
  }

  const root = assemble(el, "Loss landscape", {
    pictures: [
      titled("The landscape.", " Dashed arrow: downhill.", land.node),
      titled("Its section", " along the dashed line.", profile.node),
    ],
    panel: [words, element("div", { class: "pla-telling" }, numbers.node, note)],
    controls: steps.nodes.toReversed(),
    keys: steps.listen,
  });
  root.classList.add("pla-loss-landscape");
  const forget = follow(model, ["step", "loss"], draw);
  return () => {
    forget();
    steps.stop();
  };
}

export default { render };
