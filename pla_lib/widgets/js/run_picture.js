// The data of a run with its line, and how an update is seen: the example pulses and shows its score, the arrow y x
// slides to the tip of w, the line swings, and the line before it fades.

import { arrow, pathShape, pictureWithHandles, setAttributes, shape } from "./dom.js";
import { phase } from "./motion.js";
import { fittedPicture } from "./picture.js";
import { axes, freePlace, lineBetween, plane, separator } from "./plane.js";
import { pointLayer } from "./points.js";
import { signed } from "./wording.js";

export const UPDATE = 600; // milliseconds of an update
export const SWING = 260; // of a line that only goes from one place to another
export const FLASH = 160; // of a visit that changes nothing

// How a visit is seen, from what was drawn before it: whether as an update, from which weights the line goes to the new
// ones, and in how many milliseconds. `shown` is { step, theta } as drawn last, empty at the beginning.
export function visitMotion({ step, theta, previous, isMistake }, shown, isBrief) {
  const isForward = step === shown.step + 1;
  const isUpdate = isForward && isMistake;
  const from = isUpdate ? previous : (shown.theta ?? theta);
  const isSame = from.every((value, k) => value === theta[k]);
  const milliseconds = isUpdate && !isBrief ? UPDATE : !isSame ? SWING : isForward ? FLASH : 0;
  return { from, isUpdate, milliseconds };
}

// The shapes of an update: a pulse round the example, its score, and the arrow y x if w has a `tip` to slide to. The
// score keeps out of the way of `names`, the places of other names.
export function updateShapes(view, places) {
  const pulse = shape("circle", { class: "pla-pulse" });
  const vector = pathShape("pla-line pla-example-vector");
  const label = shape("text", { class: "pla-label pla-score", "text-anchor": "middle" });
  function draw({ at, x, y, score, ghost, tip, names, t, isMistake, brief }) {
    const centre = at ? view.to(at) : null;
    const swell = centre && t < 1 ? phase(t, 0, 0.3) * (1 - phase(t, 0.3, 0.6)) : 0;
    setAttributes(pulse, { cx: centre?.[0] ?? 0, cy: centre?.[1] ?? 0, r: 12 + 10 * swell, opacity: swell });
    // Once the line has moved, the score that made it move is a thing of the past.
    const isPast = ghost && t === 1;
    label.textContent = centre && score !== undefined ? `${isPast ? "was " : ""}${signed(score)}` : "";
    if (centre) {
      const around = [
        [40, -15],
        [40, 17],
        [-40, -15],
        [-40, 17],
        [0, -26],
        [0, 27],
      ].map(([du, dv]) => [centre[0] + du, centre[1] + dv]);
      const others = [...places().filter(([u, v]) => u !== centre[0] || v !== centre[1]), ...names];
      const [u, v] = freePlace(view, around, others, 36);
      setAttributes(label, { x: u, y: v + 4 });
    }
    const slide = phase(t, 0.15, 0.55);
    const isSliding = isMistake && !brief && centre && t > 0.05 && t < 0.7 && tip;
    if (!isSliding) return vector.setAttribute("d", "");
    const length = Math.hypot(...x) || 1;
    const by = [(30 * y * x[0]) / length, (-30 * y * x[1]) / length];
    const start = [0, 1].map((k) => centre[k] + slide * (tip[k] - centre[k]));
    vector.setAttribute("d", arrow(start, [start[0] + by[0], start[1] + by[1]]));
    vector.setAttribute("opacity", 1 - phase(t, 0.55, 0.7));
  }
  return { below: vector, above: shape("g", {}, pulse, label), draw };
}

// The picture. `data` is { X, y }, or a function that gives it where points change; `frame` are points that must be in
// view, or a function that gives them; `under` and `over` are functions of the view that return more shapes with a
// `draw` of their own, as { node, draw, names }: `draw` is also given the places that are `occupied`, and `names` are
// those that the shape's own names take up. `options` goes to the layer of points. `avoid(view)` are more places that
// names keep away from, as they do from points. `noLine` is what the picture says where there is no line yet.
//
// draw({ theta, from, ghost, example, isMistake, score, wrong, t, brief, label }) draws the line of theta on its way
// from `from`, as far as t. Where no line can be seen, the picture says so; the sentence is returned too.
export function runPicture({
  data,
  frame,
  lights,
  options = {},
  under = () => [],
  over = () => [],
  avoid = () => [],
  noLine: noLineText = "No line yet.",
}) {
  const points = () => (typeof data === "function" ? data() : data);
  return fittedPicture((size) => {
    const view = plane(typeof frame === "function" ? frame() : (frame ?? points().X), size);
    const layer = pointLayer(view, points(), lights, options);
    const axisNames = [
      [12, 12],
      [size.width - 14, size.height - 10],
    ];
    const occupied = () => [...layer.places(), ...avoid(view)];
    const line = separator(view, () => [...occupied(), ...axisNames]);
    const update = updateShapes(view, occupied);
    const noLine = shape("text", { class: "pla-label pla-no-line", "text-anchor": "middle" });
    function sayNoLine(text) {
      noLine.textContent = text;
      if (!text) return;
      const { width, height } = size;
      const places = [16, height - 36, 0.5 * height, 0.25 * height, 0.75 * height].flatMap((v) =>
        [0.5, 0.25, 0.75].map((across) => [across * width, v]),
      );
      const [u, v] = freePlace(view, places, occupied(), Math.max(60, 3.2 * text.length));
      setAttributes(noLine, { x: u, y: v + 4 });
    }
    let drawn = points();
    const [below, above] = [under(view), over(view)];
    const nodes = (layers) => layers.map((one) => one.node);
    const node = pictureWithHandles(
      view,
      "",
      line.tint,
      axes(view),
      ...nodes(below),
      line.over,
      update.below,
      layer.node,
      ...nodes(above),
      update.above,
      noLine,
    );
    layer.follow(node);
    function draw(state) {
      const { theta, from, ghost = null, example = null, isMistake = false, t = 1, brief = false, label } = state;
      const swing = brief || !isMistake ? phase(t) : phase(t, 0.5, 1);
      const shown = from && t < 1 ? lineBetween(view, from, theta)(swing) : theta;
      const { X, y } = points();
      if (X !== drawn.X) {
        drawn = points();
        layer.move(drawn);
      }
      const lineText = line.draw(shown, ghost, theta).replace("No line yet.", noLineText);
      layer.draw({ theta: shown, current: example, wrong: state.wrong });
      const at = example === null ? null : X[example];
      const names = line.names();
      for (const one of [...below, ...above]) {
        one.draw?.({ ...state, occupied: [...occupied(), ...names] });
        names.push(...(one.names?.() ?? []));
      }
      update.draw({ ...state, at, x: at, y: y[example], tip: line.tip(), names, t });
      sayNoLine(lineText.trim());
      node.setAttribute("aria-label", label + lineText);
      return lineText;
    }
    return { node, extras: layer.extras, draw, view, layer, stop: layer.stop };
  });
}
