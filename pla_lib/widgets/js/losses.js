// The three losses of chapter 03, their sums and slopes, and the relief of a loss over weight space: a grid of heights,
// its shading and its contour lines.

import { element, path } from "./dom.js";
import { clip } from "./plane.js";

// Each loss is a function of the signed score m = y w'x. `kink` is the m where it bends or jumps, `note` what to look
// at.
export const LOSSES = {
  counting: {
    name: "Counting",
    kink: 0,
    note:
      "This loss counts the wrong points. It is flat, with a cliff wherever a point changes sides. " +
      "A small move of w changes nothing, so there is no slope to follow.",
  },
  perceptron: {
    name: "Perceptron",
    kink: 0,
    note:
      "The slopes meet in kinks, where a point scores 0. An update goes downhill on its own point's loss, " +
      "but not always on the sum. At w\u00a0=\u00a00 the loss is 0 too, although there is no line.",
  },
  hinge: {
    name: "Hinge",
    kink: 1,
    note:
      "The kinks lie where a signed score y\u00b7w\u2032x is 1, not 0. A right point with a smaller signed score " +
      "still costs something. At w\u00a0=\u00a00 every point costs 1.",
  },
};

// The losses of these examples at (w1, w2), as pla_lib defines them: `sum` over all, `ofExample` gives the same for one
// alone, and `slope` is the gradient of the sum, null where it has none because a signed score lies at the kink.
export function losses({ X, y, ties }) {
  const n = y.length;
  const signed1 = Float64Array.from(X, (x, i) => y[i] * x[0]);
  const signed2 = Float64Array.from(X, (x, i) => y[i] * x[1]);
  const tieIsMistake = Uint8Array.from(y, (label) => ties.includes(label));
  function mistakeCount(w1, w2) {
    let total = 0;
    for (let i = 0; i < n; i++) {
      const m = signed1[i] * w1 + signed2[i] * w2;
      if (m < 0 || (m === 0 && tieIsMistake[i])) total++;
    }
    return total;
  }
  function shortfall(kink, w1, w2) {
    let total = 0;
    for (let i = 0; i < n; i++) {
      const m = signed1[i] * w1 + signed2[i] * w2;
      if (m < kink) total += kink - m;
    }
    return total;
  }
  function slope(loss, w1, w2) {
    const gradient = [0, 0];
    const { kink } = LOSSES[loss];
    for (let i = 0; i < n; i++) {
      const m = signed1[i] * w1 + signed2[i] * w2;
      if (m === kink) return null;
      if (m > kink || loss === "counting") continue;
      gradient[0] -= signed1[i];
      gradient[1] -= signed2[i];
    }
    return gradient;
  }
  const sum = (loss, w1, w2) => (loss === "counting" ? mistakeCount(w1, w2) : shortfall(LOSSES[loss].kink, w1, w2));
  const ofExample = (i) => losses({ X: [X[i]], y: [y[i]], ties });
  return { sum, slope, ofExample };
}

// The heights of the loss on a grid over the picture. With many examples the grid is coarser, so that it stays quick.
export function heightGrid(view, sum, n) {
  const columns = Math.round(Math.min(200, Math.max(60, Math.sqrt(1.6e7 / n))));
  const rows = Math.round((columns * view.height) / view.width);
  const heights = new Float64Array((columns + 1) * (rows + 1));
  for (let r = 0, k = 0; r <= rows; r++) {
    for (let c = 0; c <= columns; c++, k++)
      heights[k] = sum(...view.from([(c / columns) * view.width, (r / rows) * view.height]));
  }
  return { columns, rows, heights, highest: heights.reduce((a, b) => Math.max(a, b), 0) };
}

// The shading as the address of an image: white, the more opaque the higher. As a mask it lets the ink show through.
export function shadingImage({ columns, rows, heights, highest }) {
  const canvas = element("canvas", { width: columns + 1, height: rows + 1 });
  const context = canvas.getContext("2d");
  const image = context.createImageData(columns + 1, rows + 1);
  heights.forEach((height, k) => image.data.set([255, 255, 255, Math.round((255 * height) / (highest || 1))], 4 * k));
  context.putImageData(image, 0, 0);
  return canvas.toDataURL();
}

// The contour line at a level: in every cell of the grid that it crosses, the piece from one side to another.
export function contour(view, { columns, rows, heights }, level) {
  const pieces = [];
  const width = view.width / columns;
  const height = view.height / rows;
  for (let r = 0; r < rows; r++) {
    for (let c = 0; c < columns; c++) {
      const k = r * (columns + 1) + c;
      const [p, q, s, t] = [heights[k], heights[k + 1], heights[k + columns + 2], heights[k + columns + 1]];
      const below = (p < level) + (q < level) + (s < level) + (t < level);
      if (below === 0 || below === 4) continue;
      const corners = [
        [c * width, r * height, p],
        [(c + 1) * width, r * height, q],
        [(c + 1) * width, (r + 1) * height, s],
        [c * width, (r + 1) * height, t],
      ];
      const crossings = clip(corners, (corner) => corner[2] - level).cut;
      for (let j = 0; j < crossings.length; j += 2) pieces.push(path(crossings.slice(j, j + 2)));
    }
  }
  return pieces.join("");
}
