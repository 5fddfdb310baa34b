import { shape } from "./dom.js";
import { ticks } from "./plane.js";
import { number } from "./wording.js";

// A chart: each axis has a scale of its own, and its ticks along the edge. `gutter` is room for words at the right.
export function chart([left, right], [low, high], names, { width = 400, height = 300, gutter = 14 } = {}) {
  const frame = { left: 38, right: width - gutter, top: 30, bottom: height - 30 };
  const to = ([x, y]) => [
    frame.left + ((x - left) / (right - left)) * (frame.right - frame.left),
    frame.bottom - ((y - low) / (high - low)) * (frame.bottom - frame.top),
  ];
  return { width, height, frame, to, across: [left, right], upward: [low, high], names };
}

// Its grid. What is counted along the lower edge has whole numbers only; `unit` follows the numbers at the left.
export function rules({ width, height, frame, to, across, upward, names }, unit = "") {
  const group = shape("g", { class: "pla-axes", "aria-hidden": true });
  for (const y of ticks(...upward)) {
    const [, v] = to([0, y]);
    group.append(shape("line", { x1: frame.left, x2: frame.right, y1: v, y2: v }));
    group.append(shape("text", { x: frame.left - 7, y: v + 4, "text-anchor": "end" }, number(y) + unit));
  }
  for (const x of ticks(...across).filter(Number.isInteger)) {
    const [u] = to([x, 0]);
    if (u < width - 24 - 7 * names[0].length)
      group.append(shape("text", { x: u, y: height - 11, "text-anchor": "middle" }, number(x)));
  }
  group.append(shape("text", { x: width - 6, y: height - 11, "text-anchor": "end", class: "pla-name" }, names[0]));
  group.append(shape("text", { x: 6, y: 16, class: "pla-name" }, names[1]));
  return group;
}
