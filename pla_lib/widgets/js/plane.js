// The plane of two features, or of two weights: points, half-planes, the separating line, and what can be dragged.

import { area, arrow, cross, filled, path, shape } from "./dom.js";
import { number } from "./wording.js";

export const dot = (a, b) => a.reduce((sum, value, j) => sum + value * b[j], 0);

// The examples as theta takes them: with x0 = 1 in front if theta has one entry more than x.
export const input = (theta, x) => (theta.length > x.length ? [1, ...x] : x);

// A part of the plane that holds the points, drawn with the same scale on both axes.
export function plane(points, { width = 400, height = 300, names = ["x\u2081", "x\u2082"] } = {}) {
  const low = [0, 1].map((k) => points.reduce((least, point) => Math.min(least, point[k]), Infinity));
  const high = [0, 1].map((k) => points.reduce((most, point) => Math.max(most, point[k]), -Infinity));
  const middle = [0, 1].map((k) => (low[k] + high[k]) / 2);
  // An axis along which all points agree sets no scale.
  const fits = Math.min(width / (high[0] - low[0]), height / (high[1] - low[1]));
  const scale = 0.8 * (Number.isFinite(fits) ? fits : height / 2);
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

// Round numbers between low and high, at most `count` or so.
export function ticks(low, high, count = 5) {
  const rough = (high - low) / count,
    power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((k) => k * power >= rough);
  const first = Math.ceil(low / step),
    length = Math.floor(high / step) - first + 1;
  return Array.from({ length }, (_, k) => (first + k) * step);
}

// The axes' ticks, written along the edges.
export function axes(plane) {
  const group = shape("g", { class: "pla-axes", "aria-hidden": true });
  const [[left, top], , [right, bottom]] = plane.corners;
  const across = ticks(left, right, 8),
    step = across[1] - across[0];
  for (const x of across) {
    const [u] = plane.to([x, 0]);
    group.append(shape("line", { x1: u, x2: u, y1: 0, y2: plane.height }));
    if (u > 20 && u < plane.width - 32)
      group.append(shape("text", { x: u, y: plane.height - 6, "text-anchor": "middle" }, number(x)));
  }
  for (let y = Math.ceil(bottom / step) * step; y <= top; y += step) {
    const [, v] = plane.to([0, y]);
    group.append(shape("line", { x1: 0, x2: plane.width, y1: v, y2: v }));
    if (v > 30 && v < plane.height - 24) group.append(shape("text", { x: 6, y: v + 4 }, number(y)));
  }
  group.append(
    shape("text", { x: plane.width - 8, y: plane.height - 6, "text-anchor": "end", class: "pla-name" }, plane.names[0]),
  );
  group.append(shape("text", { x: 6, y: 16, class: "pla-name" }, plane.names[1]));
  return group;
}

// Class +1 is a disc, class -1 a square: shape as well as colour.
export function mark(plane, point, label) {
  const [u, v] = plane.to(point);
  return label > 0
    ? shape("circle", { cx: u, cy: v, r: 5.5, class: "pla-positive" })
    : shape("rect", { x: u - 5, y: v - 5, width: 10, height: 10, class: "pla-negative" });
}

// The part of a polygon where score >= 0, and the cut: the part of the line score = 0 within it (none, or two points).
export function clip(polygon, score) {
  const side = [],
    cut = [];
  polygon.forEach((p, k) => {
    const q = polygon[(k + 1) % polygon.length],
      [sp, sq] = [score(p), score(q)];
    if (sp >= 0) side.push(p);
    if (sp < 0 !== sq < 0) {
      const at = [0, 1].map((i) => p[i] + (sp / (sp - sq)) * (q[i] - p[i]));
      side.push(at);
      cut.push(at);
    }
  });
  return { side, cut };
}

// Where theta = [b, w] (or w alone) says +1 within the frame, the part of the line in the frame (none if it runs outside),
// the middle of that part, from which the arrow w is drawn, and the direction of w; null while w = 0.
export function halfPlane(plane, theta) {
  const [w1, w2] = theta.slice(-2),
    b = theta.length === 3 ? theta[0] : 0;
  if (w1 === 0 && w2 === 0) return null;
  const { side, cut } = clip(plane.corners, ([x, y]) => w1 * x + w2 * y + b);
  const norm = Math.hypot(w1, w2),
    line = cut.map(plane.to);
  const foot = line.length ? [0, 1].map((i) => (line[0][i] + line[1][i]) / 2) : null;
  return { side: side.map(plane.to), line, foot, normal: [w1 / norm, -w2 / norm] };
}

// The line of theta as it is drawn everywhere: positive side tinted, w an arrow from the line, what was before faded.
// `tint` lies below the axes, `over` above them. `draw` says whether there is a line, and if so whether it is in the frame.
export function separator(view) {
  const tint = shape("path", { class: "pla-side" });
  const old = shape("path", { class: "pla-line pla-old" });
  const line = shape("path", { class: "pla-line pla-now" });
  const normal = shape("path", { class: "pla-line pla-arrow" });
  const name = shape("text", { class: "pla-w" });
  function draw(theta, before = null) {
    const here = halfPlane(view, theta),
      was = before && halfPlane(view, before);
    tint.setAttribute("d", here ? area(here.side) : "");
    line.setAttribute("d", here ? path(here.line) : "");
    old.setAttribute("d", was ? path(was.line) : "");
    const at = (length) => [0, 1].map((i) => here.foot[i] + length * here.normal[i]);
    // The arrow shows a direction: it is shortened where the frame is near.
    const room = here?.foot ? ([40, 32, 24, 16].find((length) => inside(view, at(length + 14))) ?? 16) : 0;
    normal.setAttribute("d", room ? arrow(here.foot, at(room)) : "");
    name.textContent = room ? "w" : "";
    if (room) filled(name, { x: at(room + 12)[0], y: at(room + 12)[1] + 5 }, []);
    return !here ? " No line yet." : here.foot ? "" : " The line runs outside the picture.";
  }
  return { tint, over: shape("g", {}, old, line, normal, name), draw };
}

export const inside = ({ width, height }, [u, v]) => u > 0 && u < width && v > 0 && v < height;

// The ring round the example in hand, and the cross of a mistake.
export function spotlight(view) {
  const ring = shape("circle", { r: 11, class: "pla-ring" }),
    crossed = shape("path", { class: "pla-cross" });
  function draw(point, wrong) {
    const at = point && view.to(point);
    ring.setAttribute("visibility", at ? "visible" : "hidden");
    if (at) filled(ring, { cx: at[0], cy: at[1] }, []);
    crossed.setAttribute("d", at && wrong ? cross(at) : "");
  }
  return { node: shape("g", {}, ring, crossed), draw };
}

// Where in the plane a pointer is.
export function pointed(view, svg, event) {
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  return view.from([x, y]);
}

// Something to be moved by mouse, finger or arrow keys (finely with shift). `move` gets the point it is moved to.
export function handle(view, node, { name, at, move }) {
  filled(
    node,
    { tabindex: 0, role: "button", "aria-label": name, class: `${node.getAttribute("class") ?? ""} pla-handle` },
    [],
  );
  let held = false;
  node.addEventListener("pointerdown", (event) => {
    held = true;
    node.setPointerCapture(event.pointerId);
    event.stopPropagation();
  });
  // Within a picture Chromium does not heed touch-action: without this, a finger would scroll the page.
  node.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
  node.addEventListener("pointermove", (event) => held && move(pointed(view, node.ownerSVGElement, event)));
  for (const end of ["pointerup", "pointercancel"]) node.addEventListener(end, () => (held = false));
  const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  node.addEventListener("keydown", (event) => {
    const way = directions[event.key];
    if (!way || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const by = (event.shiftKey ? 2 : 10) / view.scale;
    move(at().map((value, k) => value + by * way[k]));
  });
  return node;
}
