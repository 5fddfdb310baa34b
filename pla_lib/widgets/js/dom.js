// Elements of the page, shapes of a picture, and the path data of lines, polygons, crosses, arrows and rings.
// Coordinates are in the picture's own units, [u, v] with v downwards; plane.js turns data into them.

const SVG = "http://www.w3.org/2000/svg";

export function setAttributes(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  return node;
}

export function element(tag, attributes = {}, ...children) {
  const node = setAttributes(document.createElement(tag), attributes);
  node.append(...children);
  return node;
}

export function shape(tag, attributes = {}, ...children) {
  const node = setAttributes(document.createElementNS(SVG, tag), attributes);
  node.append(...children);
  return node;
}

// A key press with ctrl, alt or the like belongs to the browser.
export const isPlainKey = (event) => !event.ctrlKey && !event.metaKey && !event.altKey;

// An image that a screen reader reads as one thing: its name.
export const picture = ({ width, height }, name, ...shapes) =>
  shape("svg", { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": name }, ...shapes);

// A picture with handles in it. It is a group, because a screen reader does not look inside an image.
export const pictureWithHandles = (view, name, ...shapes) =>
  setAttributes(picture(view, name, ...shapes), { role: "group" });

const pair = ([u, v]) => `${u.toFixed(1)},${v.toFixed(1)}`;
export const path = (points) => (points.length ? `M${points.map(pair).join("L")}` : "");
export const polygon = (points) => (points.length ? `${path(points)}Z` : "");
// A line of no length: with round ends it is a dot.
export const dotPath = (point) => `${path([point])}h0`;

export const cross = ([u, v]) =>
  path([
    [u - 8, v - 8],
    [u + 8, v + 8],
  ]) +
  path([
    [u - 8, v + 8],
    [u + 8, v - 8],
  ]);

export function arrow(start, tip) {
  const length = Math.hypot(tip[0] - start[0], tip[1] - start[1]) || 1;
  const [u, v] = [(tip[0] - start[0]) / length, (tip[1] - start[1]) / length];
  const barb = (side) => [tip[0] - 8 * u + side * 4.5 * v, tip[1] - 8 * v - side * 4.5 * u];
  return path([start, tip]) + path([barb(1), tip, barb(-1)]);
}

// Circles round many points, in one path.
export const rings = (centres, radius) =>
  centres
    .map(([u, v]) => {
      const half = (way) => `a${radius},${radius} 0 1 0 ${way * 2 * radius},0`;
      return `M${u - radius},${v}${half(1)}${half(-1)}`;
    })
    .join("");

export const pathShape = (classes, d = "") => shape("path", { class: classes, d });

// Icons of buttons, on a square of 16 units; lines take the colour of the text.
const ICONS = {
  first: "M4 3v10M13 3 7 8l6 5z",
  back: "M11 3 5 8l6 5z",
  play: "M4 2.5v11L13 8z",
  pause: "M5 3v10M11 3v10",
  next: "M5 3l6 5-6 5z",
  change: "M3 3l7 5-7 5zM13 3v10",
  mistake: "M2 4.5l7 7M9 4.5l-7 7M12 3v10M12 8h3",
  more: "M2.5 8h.1M8 8h.1M13.5 8h.1",
  right: "M3 8.5l3.5 3.5L13 4.5",
  wrong: "M4 4l8 8M12 4l-8 8",
  done: "M4 14V2.5M4 3h8.5l-2 3 2 3H4",
  info: "M8 7v5M8 4h.1",
  plus: "M8 3v10M3 8h10",
  remove: "M2.5 4.5h11M6 4.5v-2h4v2M4 4.5l.7 9h6.6l.7-9M6.6 7l.2 4M9.4 7l-.2 4",
  flip: "M2.5 6h10l-2.5-2.5M13.5 10h-10L6 12.5",
};

export const icon = (name) =>
  shape("svg", { viewBox: "0 0 16 16", class: "pla-icon", "aria-hidden": true }, pathShape("", ICONS[name]));
