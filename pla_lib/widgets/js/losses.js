// The three losses, their sums and slopes, and their survey: a grid of heights, shaded, with contour lines.

import { element, path } from "./dom.js";
import { clip } from "./plane.js";

// Each loss as a function of the signed score m = y w'x, the score at which it bends, and what there is to see.
export const LOSSES = {
  counting: {
    name: "Counting",
    bend: 0,
    note: "It counts the mistakes: flat everywhere, with cliffs where a point changes sides. A small move of w changes nothing, so no slope says where to go.",
  },
  perceptron: {
    name: "Perceptron",
    bend: 0,
    note: "Slopes that meet in kinks where a point scores 0. An update goes down its own point's loss, not always down the sum. At w\u00a0=\u00a00 the loss is 0 too.",
  },
  hinge: {
    name: "Hinge",
    bend: 1,
    note: "The kinks lie where a signed score y\u00b7w\u2032x is 1, not 0: a point that is right, but by less, still costs. At w\u00a0=\u00a00 each costs 1.",
  },
};

// The losses at (w1, w2) as pla_lib defines them: one point's own, and the sum over all. `slope` is the sum's gradient,
// null where it has none because a point's signed score is just where its loss bends or jumps.
export function losses({ X, y, ties }) {
  const n = y.length,
    first = Float64Array.from(X, (x, i) => y[i] * x[0]),
    second = Float64Array.from(X, (x, i) => y[i] * x[1]);
  const tied = Uint8Array.from(y, (label) => ties.includes(label));
  function counted(w1, w2) {
    let total = 0;
    for (let i = 0; i < n; i++) {
      const m = first[i] * w1 + second[i] * w2;
      if (m < 0 || (m === 0 && tied[i])) total++;
    }
    return total;
  }
  function missed(bend, w1, w2) {
    let total = 0;
    for (let i = 0; i < n; i++) {
      const m = first[i] * w1 + second[i] * w2;
      if (m < bend) total += bend - m;
    }
    return total;
  }
  function slope(loss, w1, w2) {
    const v = [0, 0],
      { bend } = LOSSES[loss];
    for (let i = 0; i < n; i++) {
      const m = first[i] * w1 + second[i] * w2;
      if (m === bend) return null;
      if (m > bend || loss === "counting") continue;
      v[0] -= first[i];
      v[1] -= second[i];
    }
    return v;
  }
  const sum = (loss, w1, w2) => (loss === "counting" ? counted(w1, w2) : missed(LOSSES[loss].bend, w1, w2));
  const own = (i) => losses({ X: [X[i]], y: [y[i]], ties });
  return { sum, slope, own };
}

// The loss on a grid over the picture, coarser for many points.
export function surveyed(view, sum, n) {
  const columns = Math.round(Math.min(200, Math.max(60, Math.sqrt(1.6e7 / n)))),
    rows = Math.round((columns * view.height) / view.width);
  const heights = new Float64Array((columns + 1) * (rows + 1));
  for (let r = 0, k = 0; r <= rows; r++) {
    for (let c = 0; c <= columns; c++, k++)
      heights[k] = sum(...view.from([(c / columns) * view.width, (r / rows) * view.height]));
  }
  return { columns, rows, heights, most: heights.reduce((a, b) => Math.max(a, b), 0) };
}

// White of growing opacity: the mask through which the relief's colour shows.
export function shading({ columns, rows, heights, most }) {
  const canvas = element("canvas", { width: columns + 1, height: rows + 1 }),
    brush = canvas.getContext("2d");
  const image = brush.createImageData(columns + 1, rows + 1);
  heights.forEach((height, k) => image.data.set([255, 255, 255, Math.round((255 * height) / (most || 1))], 4 * k));
  brush.putImageData(image, 0, 0);
  return canvas.toDataURL();
}

// The contour line at a level, cell by cell: from where the level crosses one side of the cell to where it crosses another.
export function contour(view, { columns, rows, heights }, level) {
  const pieces = [],
    u = view.width / columns,
    v = view.height / rows;
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) {
      const k = r * (columns + 1) + c,
        p = heights[k],
        q = heights[k + 1],
        s = heights[k + columns + 2],
        t = heights[k + columns + 1];
      const below = (p < level) + (q < level) + (s < level) + (t < level);
      if (below === 0 || below === 4) continue;
      const corners = [
        [c, r, p],
        [c + 1, r, q],
        [c + 1, r + 1, s],
        [c, r + 1, t],
      ].map(([i, j, height]) => [i * u, j * v, height]);
      const crossed = clip(corners, (corner) => corner[2] - level).cut;
      for (let j = 0; j < crossed.length; j += 2) pieces.push(path(crossed.slice(j, j + 2)));
    }
  }
  return pieces.join("");
}
