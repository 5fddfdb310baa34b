// Two classes in the plane: the widest line between them, or why there is none. Signs are exact, so that verdicts are.

// The whole numbers a, b, ... times one power of two, as BigInts. (Every float is a whole number times a power of two.)
function whole(values) {
  let power = 0;
  for (const value of values) while (!Number.isInteger(value * 2 ** power)) power++;
  return values.map((value) => BigInt(value * 2 ** power));
}

// Which way p, q, r turn: +1 to the left, -1 to the right, 0 if they lie on a line.
function turn(p, q, r) {
  const left = (q[0] - p[0]) * (r[1] - p[1]),
    right = (q[1] - p[1]) * (r[0] - p[0]);
  const sure = 1e-15 * (Math.abs(left) + Math.abs(right));
  if (Math.abs(left - right) > sure) return Math.sign(left - right);
  const [a, b, c, d, e, f] = whole([p[0], p[1], q[0], q[1], r[0], r[1]]),
    exact = (c - a) * (f - b) - (d - b) * (e - a);
  return exact > 0n ? 1 : exact < 0n ? -1 : 0;
}

// The corners of the convex hull, counterclockwise; `points` are [x1, x2, index].
function hull(points) {
  const sorted = [...points]
    .sort((p, q) => p[0] - q[0] || p[1] - q[1])
    .filter((point, k, all) => !k || !same(point, all[k - 1]));
  const half = (all) => {
    const chain = [];
    for (const point of all) {
      while (chain.length > 1 && turn(chain.at(-2), chain.at(-1), point) <= 0) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  const corners = [...half(sorted), ...half(sorted.reverse())];
  return corners.length ? corners : points.slice(0, 1);
}

const same = (p, q) => p[0] === q[0] && p[1] === q[1];
const between = (p, q, r) =>
  turn(p, q, r) === 0 &&
  Math.min(p[0], q[0]) <= r[0] &&
  r[0] <= Math.max(p[0], q[0]) &&
  Math.min(p[1], q[1]) <= r[1] &&
  r[1] <= Math.max(p[1], q[1]);
const edges = (corners) =>
  corners.map((p, k) => [p, corners[(k + 1) % corners.length]]).slice(0, corners.length === 2 ? 1 : undefined);

// Corners among `corners` whose triangle, or segment, or point holds `point`; null if it lies outside their hull.
function holders(corners, point) {
  for (const corner of corners) if (same(corner, point)) return [corner];
  for (const [p, q] of edges(corners)) if (!same(p, q) && between(p, q, point)) return [p, q];
  for (let k = 1; k + 1 < corners.length; k++) {
    const three = [corners[0], corners[k], corners[k + 1]];
    const turns = three.map((p, i) => turn(p, three[(i + 1) % 3], point));
    if (turns.every((way) => way > 0)) return three;
    const side = turns.indexOf(0); // on a side of this triangle, within the hull
    if (side >= 0 && between(three[side], three[(side + 1) % 3], point)) return [three[side], three[(side + 1) % 3]];
  }
  return null;
}

function nearest([p, q], r) {
  const [u, v] = [q[0] - p[0], q[1] - p[1]],
    length2 = u * u + v * v;
  const t = length2 ? Math.max(0, Math.min(1, ((r[0] - p[0]) * u + (r[1] - p[1]) * v) / length2)) : 0;
  return [p[0] + t * u, p[1] + t * v];
}

// A verdict on points [x1, x2, label]: { why: null, theta, margin } with the widest line, in canonical form, or
// { why: "one class" }, or { why: "coincide" | "segment" | "triangle" | "crossing", groups: indices that show it }.
export function verdict(points) {
  const of = (label) => hull(points.map(([x, y], i) => [x, y, i]).filter((_, i) => points[i][2] === label));
  const plus = of(1),
    minus = of(-1),
    indices = (corners) => corners.map((corner) => corner[2]);
  if (!plus.length || !minus.length) return { why: "one class" };
  for (const [corners, others] of [
    [plus, minus],
    [minus, plus],
  ])
    for (const point of others) {
      const held = holders(corners, point);
      if (held)
        return { why: ["coincide", "segment", "triangle"][held.length - 1], groups: [indices(held), [point[2]]] };
    }
  for (const [p, q] of edges(plus))
    for (const [r, s] of edges(minus))
      if (turn(p, q, r) * turn(p, q, s) < 0 && turn(r, s, p) * turn(r, s, q) < 0)
        return { why: "crossing", groups: [indices([p, q]), indices([r, s])] };
  let best = Infinity,
    ends = null;
  const consider = (p, q) => {
    const gap = Math.hypot(p[0] - q[0], p[1] - q[1]);
    if (gap < best) [best, ends] = [gap, [p, q]];
  };
  for (const edge of edges(plus)) for (const r of minus) consider(nearest(edge, r), r);
  for (const edge of edges(minus)) for (const r of plus) consider(r, nearest(edge, r));
  const [p, q] = ends,
    w = [0, 1].map((k) => (2 * (p[k] - q[k])) / best ** 2);
  return { why: null, margin: best / 2, theta: [-(w[0] * (p[0] + q[0]) + w[1] * (p[1] + q[1])) / 2, ...w] };
}
