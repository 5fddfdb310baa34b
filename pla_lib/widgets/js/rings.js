// Paths that are drawn anew with every change, and rings round many points in one path.
const layer = (name, d = "") => shape("path", { class: name, d });
const rings = (places, r) =>
  places.map(([u, v]) => `M${u - r},${v}a${r},${r} 0 1 0 ${2 * r},0a${r},${r} 0 1 0 ${-2 * r},0`).join("");
