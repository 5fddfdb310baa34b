// What all widgets share: elements, a plane with equal scales, points, half-planes, numbers in words.

const SVG = "http://www.w3.org/2000/svg";

function element(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

function shape(tag, attributes = {}, ...children) {
  const node = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

// A number as it is read aloud: a true minus sign, three digits that count.
function number(value) {
  const rounded = Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
  return (rounded < 0 ? "\u2212" : "") + Math.abs(rounded);
}

const signed = (value) => (value > 0 ? "+" : "") + number(value);
const vector = (values) => `(${values.map((value) => number(value)).join(", ")})`;

// A part of the plane that holds the points, drawn with the same scale on both axes.
function plane(points, width = 400, height = 300) {
  const low = [0, 1].map((k) => points.reduce((least, point) => Math.min(least, point[k]), Infinity));
  const high = [0, 1].map((k) => points.reduce((most, point) => Math.max(most, point[k]), -Infinity));
  const middle = [0, 1].map((k) => (low[k] + high[k]) / 2);
  // An axis along which all points agree sets no scale.
  const fits = Math.min(width / (high[0] - low[0]), height / (high[1] - low[1]));
  const scale = 0.8 * (Number.isFinite(fits) ? fits : height / 2);
  const to = ([x, y]) => [width / 2 + scale * (x - middle[0]), height / 2 - scale * (y - middle[1])];
  const from = ([u, v]) => [middle[0] + (u - width / 2) / scale, middle[1] - (v - height / 2) / scale];
  const corners = [[0, 0], [width, 0], [width, height], [0, height]].map(from);
  return { width, height, to, from, corners, middle };
}

// The axes' ticks: round numbers, about five to an axis, written along the edges.
function axes(plane) {
  const group = shape("g", { class: "pla-axes" });
  const [[left, top], , [right, bottom]] = plane.corners;
  const rough = (right - left) / 5, power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((k) => k * power >= rough);
  const ticks = (low, high) => {
    const first = Math.ceil(low / step), count = Math.floor(high / step) - first + 1;
    return Array.from({ length: count }, (_, k) => (first + k) * step);
  };
  for (const x of ticks(left, right)) {
    const [u] = plane.to([x, 0]);
    group.append(shape("line", { x1: u, x2: u, y1: 0, y2: plane.height }));
    if (u > 20 && u < plane.width - 40) group.append(shape("text", { x: u, y: plane.height - 6, "text-anchor": "middle" }, number(x)));
  }
  for (const y of ticks(bottom, top)) {
    const [, v] = plane.to([0, y]);
    group.append(shape("line", { x1: 0, x2: plane.width, y1: v, y2: v }));
    if (v > 30 && v < plane.height - 24) group.append(shape("text", { x: 6, y: v + 4 }, number(y)));
  }
  group.append(shape("text", { x: plane.width - 8, y: plane.height - 6, "text-anchor": "end", class: "pla-name" }, "x\u2081"));
  group.append(shape("text", { x: 6, y: 16, class: "pla-name" }, "x\u2082"));
  return group;
}

// Class +1 is a disc, class -1 a square: shape as well as colour.
function mark(plane, point, label) {
  const [u, v] = plane.to(point);
  return label > 0
    ? shape("circle", { cx: u, cy: v, r: 5.5, class: "pla-positive" })
    : shape("rect", { x: u - 5, y: v - 5, width: 10, height: 10, class: "pla-negative" });
}

// Where theta = [b, w] (or w alone) says +1 within the frame, the part of the line in the frame (none if it runs outside),
// the middle of that part, from which the arrow w is drawn, and the direction of w; null while w = 0.
function halfPlane(plane, theta) {
  const [w1, w2] = theta.slice(-2), b = theta.length === 3 ? theta[0] : 0;
  if (w1 === 0 && w2 === 0) return null;
  const score = ([x, y]) => w1 * x + w2 * y + b;
  const side = [], line = [];
  plane.corners.forEach((p, k) => {
    const q = plane.corners[(k + 1) % 4], [sp, sq] = [score(p), score(q)];
    if (sp >= 0) side.push(p);
    if ((sp < 0) !== (sq < 0)) {
      const cut = [0, 1].map((i) => p[i] + (sp / (sp - sq)) * (q[i] - p[i]));
      side.push(cut);
      line.push(cut);
    }
  });
  const norm = Math.hypot(w1, w2), ends = line.map(plane.to);
  const foot = line.length ? [0, 1].map((i) => (ends[0][i] + ends[1][i]) / 2) : null;
  return { side: side.map(plane.to), line: ends, foot, normal: [w1 / norm, -w2 / norm] };
}

const path = (points) => "M" + points.map((point) => point.map((c) => c.toFixed(1)).join(",")).join("L");
