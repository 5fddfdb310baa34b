// Elements of a page, shapes of a picture, and the path data of points, lines, crosses, arrows and rings.

// What all widgets share: elements, a plane with equal scales, points, half-planes, handles, controls, numbers in words.

const SVG = "http://www.w3.org/2000/svg";

export function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

export const element = (tag, attributes = {}, ...children) => filled(document.createElement(tag), attributes, children);

export const shape = (tag, attributes = {}, ...children) =>
  filled(document.createElementNS(SVG, tag), attributes, children);

export const picture = (view, name, ...shapes) =>
  shape("svg", { viewBox: `0 0 ${view.width} ${view.height}`, role: "img", "aria-label": name }, ...shapes);

// A picture with handles in it is a group; an image would hide them from a screen reader.
export const stage = (...parts) => filled(picture(...parts), { role: "group" }, []);

export const titled = (title, text, svg) =>
  element(
    "div",
    { class: "pla-titled" },
    element("p", { class: "pla-title" }, element("strong", {}, title), text),
    svg,
  );

export const path = (points) =>
  points.length ? "M" + points.map((point) => point.map((c) => c.toFixed(1)).join(",")).join("L") : "";

export const area = (points) => (points.length ? path(points) + "Z" : "");

export const cross = ([u, v]) =>
  path([
    [u - 8, v - 8],
    [u + 8, v + 8],
  ]) +
  path([
    [u - 8, v + 8],
    [u + 8, v - 8],
  ]);

// An arrow between two points of the picture.
export function arrow(foot, tip) {
  const length = Math.hypot(tip[0] - foot[0], tip[1] - foot[1]) || 1;
  const [u, v] = [(tip[0] - foot[0]) / length, (tip[1] - foot[1]) / length];
  const barb = (side) => [tip[0] - 8 * u + side * 4.5 * v, tip[1] - 8 * v - side * 4.5 * u];
  return path([foot, tip]) + path([barb(1), tip, barb(-1)]);
}

export const layer = (name, d = "") => shape("path", { class: name, d });
export const rings = (places, r) =>
  places.map(([u, v]) => `M${u - r},${v}a${r},${r} 0 1 0 ${2 * r},0a${r},${r} 0 1 0 ${-2 * r},0`).join("");
