// The plane of two features, or of two weights: half-planes, the separating line, and what can be dragged.
// A "view" says how a part of the plane is drawn: `to` takes data to units of the picture, `from` takes them back.

import { arrow, isPlainKey, path, pathShape, polygon, setAttributes, shape } from "./dom.js";
import { mix } from "./motion.js";
import { number } from "./wording.js";

export const dot = (a, b) => a.reduce((sum, value, j) => sum + value * b[j], 0);

// The view of a part of the plane that holds all the points, with the same scale on both axes.
export function plane(points, { width = 400, height = 300, names = ["x\u2081", "x\u2082"] } = {}) {
  const low = [0, 1].map((k) => points.reduce((least, point) => Math.min(least, point[k]), Infinity));
  const high = [0, 1].map((k) => points.reduce((most, point) => Math.max(most, point[k]), -Infinity));
  const middle = [0, 1].map((k) => (low[k] + high[k]) / 2);
  // Where all points agree along an axis, that axis sets no scale; where they agree along both, the height does.
  const largest = Math.min(width / (high[0] - low[0]), height / (high[1] - low[1]));
  const scale = 0.8 * (Number.isFinite(largest) ? largest : height / 2);
  const to = ([x, y]) => [width / 2 + scale * (x - middle[0]), height / 2 - scale * (y - middle[1])];
  const from = ([u, v]) => [middle[0] + (u - width / 2) / scale, middle[1] - (v - height / 2) / scale];
  const corners = [
    [0, 0],
    [width, 0],
    [width, height],
    [0, height],
  ].map(from);
  return { width, height, names, scale, to, from, corners, middle };
}

// The same for the part of the plane that reaches `reach` from the origin, to all sides.
export const planeAroundOrigin = (reach, options) =>
  plane(
    [
      [-reach, -reach],
      [reach, reach],
    ],
    options,
  );

// Round numbers between low and high: multiples of 1, 2 or 5 times a power of ten, about `count` of them.
export function ticks(low, high, count = 5) {
  const rough = (high - low) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((k) => k * power >= rough);
  const first = Math.ceil(low / step);
  return Array.from({ length: Math.floor(high / step) - first + 1 }, (_, k) => (first + k) * step);
}

// A grid, with its numbers and the axes' names along the edges, as one shape for under the lines, or as two: `grid` for
// under the lines and `labels` for over them, so that no line crosses a number.
export function axes(view) {
  const { grid, labels } = axesInTwo(view);
  return shape("g", {}, grid, labels);
}
export function axesInTwo(view) {
  const [grid, labels] = [0, 1].map(() => shape("g", { class: "pla-axes", "aria-hidden": true }));
  const [[left, top], , [right, bottom]] = view.corners;
  const columns = ticks(left, right, 8);
  const step = columns[1] - columns[0];
  const text = (x, y, content, more = {}) => labels.append(shape("text", { x, y, ...more }, content));
  for (const x of columns) {
    const [u] = view.to([x, 0]);
    grid.append(shape("line", { x1: u, x2: u, y1: 0, y2: view.height }));
    if (u > 20 && u < view.width - 32) text(u, view.height - 6, number(x), { "text-anchor": "middle" });
  }
  for (let y = Math.ceil(bottom / step) * step; y <= top; y += step) {
    const [, v] = view.to([0, y]);
    grid.append(shape("line", { x1: 0, x2: view.width, y1: v, y2: v }));
    if (v > 30 && v < view.height - 24) text(6, v + 4, number(y));
  }
  text(view.width - 8, view.height - 6, view.names[0], { "text-anchor": "end", class: "pla-axis-name" });
  text(6, 16, view.names[1], { class: "pla-axis-name" });
  return { grid, labels };
}

// The part of a polygon where score >= 0, and the cut: the part of the line score = 0 within it (none, or two points).
export function clip(corners, score) {
  const side = [];
  const cut = [];
  corners.forEach((p, k) => {
    const q = corners[(k + 1) % corners.length];
    const [atP, atQ] = [score(p), score(q)];
    if (atP >= 0) side.push(p);
    if (atP < 0 !== atQ < 0) {
      const crossing = [0, 1].map((i) => p[i] + (atP / (atP - atQ)) * (q[i] - p[i]));
      side.push(crossing);
      cut.push(crossing);
    }
  });
  return { side, cut };
}

// What theta = [b, w1, w2], or w alone, looks like in the picture; null while w = 0. `side` is where it predicts +1,
// `line` the part of the line in the picture (empty if it runs outside), `foot` the middle of that part, from which the
// arrow w is drawn, and `normal` the direction of w.
export function halfPlane(view, theta) {
  const [w1, w2] = theta.slice(-2);
  const b = theta.length === 3 ? theta[0] : 0;
  if (w1 === 0 && w2 === 0) return null;
  const { side, cut } = clip(view.corners, ([x, y]) => w1 * x + w2 * y + b);
  const norm = Math.hypot(w1, w2);
  const line = cut.map(view.to);
  const foot = line.length ? [0, 1].map((i) => (line[0][i] + line[1][i]) / 2) : null;
  return { side: side.map(view.to), line, foot, normal: [w1 / norm, -w2 / norm] };
}

export const inside = ({ width, height }, [u, v]) => u >= 0 && u <= width && v >= 0 && v <= height;

// The lines between two: the angle of w and the line's distance from the middle of the picture go from one to the
// other. Returns a function of t that gives the theta to draw; at t = 1 it is `to` itself. From or to w = 0 there is no
// way.
export function lineBetween(view, from, to) {
  const [start, end] = [from, to].map((theta) => {
    const w = theta.slice(-2);
    const norm = Math.hypot(...w);
    const b = theta.length === 3 ? theta[0] : 0;
    return norm ? { angle: Math.atan2(w[1], w[0]), offset: (dot(w, view.middle) + b) / norm } : null;
  });
  if (!start || !end) return () => to;
  const turn = ((end.angle - start.angle + 3 * Math.PI) % (2 * Math.PI)) - Math.PI;
  return (t) => {
    if (t === 1) return to;
    const angle = start.angle + t * turn;
    const w = [Math.cos(angle), Math.sin(angle)];
    return [start.offset + t * (end.offset - start.offset) - dot(w, view.middle), ...w];
  };
}

// Does the line from p to q come into the box around `middle` that reaches `half` to both sides?
export function meetsBox([p, q], middle, half) {
  let [from, to] = [0, 1];
  for (const k of [0, 1]) {
    const enters = [-1, 1].map((side) => (middle[k] + side * half[k] - p[k]) / (q[k] - p[k])).sort((a, b) => a - b);
    from = Math.max(from, enters[0]);
    to = Math.min(to, enters[1]);
  }
  return from <= to;
}

// Of several places for the middle of a label, the one that is inside the picture, on the fewest `lines`, and farthest
// from all points, up to `clear`, at which nothing is covered. `edge` is how far the middle stays from the picture's
// sides: half the label's width, and 12 pixels. For lines, the label reaches `half` to both sides.
export function freePlace(view, places, points, edge = 12, { lines = [], half = [18, 8], clear = 26 } = {}) {
  const distance = ([p, q], [u, v]) => Math.hypot(Math.max(0, Math.abs(p - u) - (edge - 12)), q - v);
  const room = ([u, v]) =>
    points.reduce((least, point) => Math.min(least, distance(point, [u, v])), clear) -
    100 * lines.filter((line) => meetsBox(line, [u, v], half)).length -
    (u > edge && u < view.width - edge && v > 14 && v < view.height - 10 ? 0 : 1000);
  return places.reduce((best, place) => (room(place) > room(best) ? place : best));
}

// Places for a name beside the line between two points, none if the line is too short to have one. The name is `wide`
// from its middle to its end; `sides` says on which sides it may be: 1 is to the right of someone who goes along.
export function besideLine(ends, wide, shares, sides = [1, -1]) {
  const [start, end] = ends;
  const length = ends.length ? Math.hypot(end[0] - start[0], end[1] - start[1]) : 0;
  if (length < 45) return [];
  const normal = [(start[1] - end[1]) / length, (end[0] - start[0]) / length];
  const by = 8 + wide * Math.abs(normal[0]) + 5 * Math.abs(normal[1]);
  return shares.flatMap((share) =>
    sides.map((side) => mix(start, end, share).map((value, k) => value + side * by * normal[k])),
  );
}

// The strips along the lower and the left edge where the axes have their numbers, as lines to keep labels away from.
export const axisStrips = ({ width, height }) => [
  [
    [0, height - 10],
    [width, height - 10],
  ],
  [
    [14, 0],
    [14, height],
  ],
];

// Are two lines so near to each other that they look like one?
const looksLike = (line, other) =>
  other.length > 0 &&
  [other, other.toReversed()].some((ends) => ends.every(([u, v], k) => Math.hypot(u - line[k][0], v - line[k][1]) < 6));

// The name of a line, written on it or beside it, where it covers no point and as few of the `others` as can be; hidden
// where the line looks like the first of them. It stays where it is as long as no place is better. `places` are those
// that the name takes up.
export function lineName(view, text) {
  const node = shape("text", { class: "pla-label", "text-anchor": "middle" });
  const half = [3.3 * text.length, 8];
  const shares = [0.9, 0.1, 0.8, 0.2, 0.7, 0.3, 0.6, 0.4];
  let last = null;
  let taken = [];
  function draw(line, points, others) {
    node.textContent = "";
    taken = [];
    if (!line.length || looksLike(line, others[0])) return;
    const lines = [...others.filter((other) => other.length), ...axisStrips(view)];
    const isSame = last?.line.flat().every((value, k) => value === line.flat()[k]);
    const places = [...shares.map((share) => mix(line[0], line[1], share)), ...besideLine(line, half[0], shares)];
    const place = freePlace(view, isSame ? [last.place, ...places] : places, points, 12 + half[0], {
      lines,
      half,
      clear: 50,
    });
    last = { line, place };
    node.textContent = text;
    setAttributes(node, { x: place[0], y: place[1] + 4 });
    taken = [-half[0], 0, half[0]].map((aside) => [place[0] + aside, place[1]]);
  }
  return { node, draw, places: () => taken };
}

// The line of theta and its arrow, for names to keep away from.
export function lineAndArrow(view, theta) {
  const half = theta && halfPlane(view, theta);
  return half?.foot ? [half.line, [half.foot, half.foot.map((value, k) => value + 60 * half.normal[k])]] : [[]];
}

// A line with its name. `draw(theta, points, others)` draws the line of theta, or none where theta is null, and writes
// the name out of the way of points and other lines. `names` are the places that the name then takes up.
export function namedLine(view, classes, text) {
  const line = pathShape(classes);
  const name = lineName(view, text);
  function draw(theta, points, others) {
    const half = theta && halfPlane(view, theta);
    line.setAttribute("d", half ? path(half.line) : "");
    name.draw(half?.foot ? half.line : [], points, others);
  }
  return { node: shape("g", {}, line, name.node), draw, names: name.places };
}

// The line before an update, faded.
export const lineBefore = (view) => namedLine(view, "pla-line pla-previous", "before");

// The line of theta as every widget draws it: both sides tinted, w an arrow from the line, the line before it faded.
// `tint` belongs below the axes, `over` above them. `places()` are the points, out of whose way the names keep.
// `draw(theta, previous, end)` returns a sentence if there is no line to be seen; while the line moves, `end` is where
// it comes to rest. `tip` says where the arrow w ends, `names` where the names are.
export function separator(view, places = () => []) {
  const sides = [1, -1].map((label) => pathShape(label > 0 ? "pla-positive-side" : "pla-negative-side"));
  const before = lineBefore(view);
  const line = pathShape("pla-line pla-current-line");
  const normal = pathShape("pla-line pla-arrow");
  const name = shape("text", { class: "pla-symbol" });
  let tip = null;
  function draw(theta, previous = null, end = theta) {
    const now = halfPlane(view, theta);
    const opposite =
      now &&
      halfPlane(
        view,
        theta.map((value) => -value),
      );
    sides[0].setAttribute("d", now ? polygon(now.side) : "");
    sides[1].setAttribute("d", now ? polygon(opposite.side) : "");
    line.setAttribute("d", now ? path(now.line) : "");
    before.draw(previous, places(), lineAndArrow(view, end));
    const along = (length, aside = 0) => [
      now.foot[0] + length * now.normal[0] - aside * now.normal[1],
      now.foot[1] + length * now.normal[1] + aside * now.normal[0],
    ];
    // The arrow shows a direction, not a length: near the frame it is shorter.
    const length = now?.foot ? ([40, 32, 24, 16].find((size) => inside(view, along(size + 14))) ?? 16) : 0;
    tip = length ? along(length) : null;
    normal.setAttribute("d", length ? arrow(now.foot, tip) : "");
    name.textContent = length ? "w" : "";
    if (length) {
      const [u, v] = freePlace(view, [along(length + 12), along(length, 14), along(length, -14)], places());
      setAttributes(name, { x: u, y: v + 5 });
    }
    return !now ? " No line yet." : now.foot ? "" : " The line runs outside the picture.";
  }
  return {
    tint: shape("g", {}, ...sides),
    over: shape("g", {}, before.node, line, normal, name),
    draw,
    tip: () => tip,
    names: () => [...(tip ? [tip] : []), ...before.names()],
  };
}

// Where a pointer is, in units of the picture.
export function pointerInPicture(svg, event) {
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  return [x, y];
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };

// Lets mouse or finger drag `node`: `move` is called with the point of the plane to which the pointer goes, and with
// the gesture, one object for a whole drag, whose `from` is where it began. `release` is called when the drag ends.
export function draggable(view, node, move, release = () => {}) {
  const at = (event) => view.from(pointerInPicture(node.ownerSVGElement, event));
  let held = null;
  node.addEventListener("pointerdown", (event) => {
    held = { from: at(event) };
    node.setPointerCapture(event.pointerId);
    event.stopPropagation();
  });
  // Chromium ignores touch-action inside a picture: without this, a finger on the node would scroll the page.
  node.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
  node.addEventListener("pointermove", (event) => {
    if (held) move(at(event), held);
  });
  function letGo() {
    if (held) release();
    held = null;
  }
  for (const end of ["pointerup", "pointercancel"]) node.addEventListener(end, letGo);
  return node;
}

// Makes `node` movable by mouse, finger or arrow keys (finely with shift). `at` says where it is in the plane; `move`
// is called with the point to which the reader moves it, and with the gesture of the drag, null for a key.
export function handle(view, node, { name, at, move, release }) {
  const classes = `${node.getAttribute("class") ?? ""} pla-handle`;
  setAttributes(node, { tabindex: 0, role: "button", "aria-label": name, class: classes });
  draggable(view, node, move, release);
  node.addEventListener("keydown", (event) => {
    const direction = ARROWS[event.key];
    if (!direction || !isPlainKey(event)) return;
    event.preventDefault();
    event.stopPropagation();
    const distance = (event.shiftKey ? 2 : 10) / view.scale;
    move(
      at().map((value, k) => value + distance * direction[k]),
      null,
    );
  });
  return node;
}
