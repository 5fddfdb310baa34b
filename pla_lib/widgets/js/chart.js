// A chart: a view in which each axis has a scale of its own, and its grid.

import { shape } from "./dom.js";
import { ticks } from "./plane.js";
import { number } from "./wording.js";

// The view of a chart. `gutter` is the room at the right, for words at the ends of curves; `top` the room above.
export function chart([left, right], [low, high], names, { width = 400, height = 300, gutter = 14, top = 30 } = {}) {
  const frame = { left: 38, right: width - gutter, top, bottom: height - 30 };
  const to = ([x, y]) => [
    frame.left + ((x - left) / (right - left)) * (frame.right - frame.left),
    frame.bottom - ((y - low) / (high - low)) * (frame.bottom - frame.top),
  ];
  return { width, height, frame, to, xRange: [left, right], yRange: [low, high], names };
}

// Its grid. The lower axis counts something, so its numbers are whole; `unit` follows the numbers at the left.
export function grid({ width, height, frame, to, xRange, yRange, names }, unit = "") {
  const group = shape("g", { class: "pla-axes", "aria-hidden": true });
  const text = (x, y, content, more) => group.append(shape("text", { x, y, ...more }, content));
  for (const y of ticks(...yRange)) {
    const [, v] = to([0, y]);
    group.append(shape("line", { x1: frame.left, x2: frame.right, y1: v, y2: v }));
    text(frame.left - 7, v + 4, number(y) + unit, { "text-anchor": "end" });
  }
  for (const x of ticks(...xRange).filter(Number.isInteger)) {
    const [u] = to([x, 0]);
    // Numbers stop where the name of the axis begins.
    if (u < width - 24 - 7 * names[0].length) text(u, height - 11, number(x), { "text-anchor": "middle" });
  }
  text(width - 6, height - 11, names[0], { "text-anchor": "end", class: "pla-axis-name" });
  text(6, 16, names[1], { class: "pla-axis-name" });
  return group;
}
