// The convex hulls of two classes in the plane: the line of widest margin between them, or what shows that no line can
// separate them. Signs are computed exactly, so that the answer is right even where points lie on one line.

// The values times one power of two that makes them all whole, as BigInts. (Every float is a whole number times a power
// of two.)
function wholeNumbers(values) {
  let power = 0;
  for (const value of values) while (!Number.isInteger(value * 2 ** power)) power++;
  return values.map((value) => BigInt(value * 2 ** power));
}

// Which way p, q, r turn: +1 to the left, -1 to the right, 0 if they lie on one line.
function orientation(p, q, r) {
  const left = (q[0] - p[0]) * (r[1] - p[1]);
  const right = (q[1] - p[1]) * (r[0] - p[0]);
  const rounding = 1e-15 * (Math.abs(left) + Math.abs(right));
  if (Math.abs(left - right) > rounding) return Math.sign(left - right);
  const [a, b, c, d, e, f] = wholeNumbers([p[0], p[1], q[0], q[1], r[0], r[1]]);
  const exact = (c - a) * (f - b) - (d - b) * (e - a);
  return exact > 0n ? 1 : exact < 0n ? -1 : 0;
}

const isSame = (p, q) => p[0] === q[0] && p[1] === q[1];

const isOnSegment = (p, q, r) =>
  orientation(p, q, r) === 0 &&
  Math.min(p[0], q[0]) <= r[0] &&
  r[0] <= Math.max(p[0], q[0]) &&
  Math.min(p[1], q[1]) <= r[1] &&
  r[1] <= Math.max(p[1], q[1]);

// The corners of the convex hull, counterclockwise; `points` are [x1, x2, index].
function convexHull(points) {
  const sorted = [...points]
    .sort((p, q) => p[0] - q[0] || p[1] - q[1])
    .filter((point, k, all) => !k || !isSame(point, all[k - 1]));
  const halfHull = (all) => {
    const chain = [];
    for (const point of all) {
      while (chain.length > 1 && orientation(chain.at(-2), chain.at(-1), point) <= 0) chain.pop();
      chain.push(point);
    }
    return chain.slice(0, -1);
  };
  const corners = [...halfHull(sorted), ...halfHull(sorted.reverse())];
  return corners.length ? corners : points.slice(0, 1);
}

// Two corners have one edge between them, not two.
const edges = (corners) =>
  corners.map((p, k) => [p, corners[(k + 1) % corners.length]]).slice(0, corners.length === 2 ? 1 : undefined);

// One, two or three of the corners whose point, segment or triangle contains `point`; null if it lies outside the hull.
function cornersAround(corners, point) {
  for (const corner of corners) if (isSame(corner, point)) return [corner];
  for (const [p, q] of edges(corners)) if (!isSame(p, q) && isOnSegment(p, q, point)) return [p, q];
  for (let k = 1; k + 1 < corners.length; k++) {
    const triangle = [corners[0], corners[k], corners[k + 1]];
    const turns = triangle.map((p, i) => orientation(p, triangle[(i + 1) % 3], point));
    if (turns.every((turn) => turn > 0)) return triangle;
    const side = turns.indexOf(0);
    const ends = [triangle[side], triangle[(side + 1) % 3]];
    if (side >= 0 && isOnSegment(...ends, point)) return ends;
  }
  return null;
}

// The point of the segment from p to q that is nearest to r.
function nearestOnSegment([p, q], r) {
  const [u, v] = [q[0] - p[0], q[1] - p[1]];
  const length2 = u * u + v * v;
  const t = length2 ? Math.max(0, Math.min(1, ((r[0] - p[0]) * u + (r[1] - p[1]) * v) / length2)) : 0;
  return [p[0] + t * u, p[1] + t * v];
}

// The line in the middle between the nearest points of two hulls that do not meet, in canonical form.
function widestLine(plus, minus) {
  let distance = Infinity;
  let nearest = null;
  function compare(p, q) {
    const gap = Math.hypot(p[0] - q[0], p[1] - q[1]);
    if (gap < distance) [distance, nearest] = [gap, [p, q]];
  }
  for (const edge of edges(plus)) for (const r of minus) compare(nearestOnSegment(edge, r), r);
  for (const edge of edges(minus)) for (const r of plus) compare(r, nearestOnSegment(edge, r));
  const [p, q] = nearest;
  const w = [0, 1].map((k) => (2 * (p[k] - q[k])) / distance ** 2);
  return { margin: distance / 2, theta: [-(w[0] * (p[0] + q[0]) + w[1] * (p[1] + q[1])) / 2, ...w] };
}

// Whether a line separates points [x1, x2, label]. If so, { obstacle: null, theta, margin } of the widest line. If not,
// { obstacle: "one class" }, or { obstacle: "coincide" | "segment" | "triangle" | "crossing", groups }, where groups
// are indices of points, some of each class, whose hulls meet.
export function separability(points) {
  const hullOf = (label) => convexHull(points.map(([x, y], i) => [x, y, i]).filter((_, i) => points[i][2] === label));
  const indices = (corners) => corners.map((corner) => corner[2]);
  const plus = hullOf(1);
  const minus = hullOf(-1);
  if (!plus.length || !minus.length) return { obstacle: "one class" };
  for (const [corners, others] of [
    [plus, minus],
    [minus, plus],
  ])
    for (const point of others) {
      const around = cornersAround(corners, point);
      if (!around) continue;
      const obstacle = ["coincide", "segment", "triangle"][around.length - 1];
      return { obstacle, groups: [indices(around), [point[2]]] };
    }
  for (const [p, q] of edges(plus))
    for (const [r, s] of edges(minus))
      if (orientation(p, q, r) * orientation(p, q, s) < 0 && orientation(r, s, p) * orientation(r, s, q) < 0)
        return { obstacle: "crossing", groups: [indices([p, q]), indices([r, s])] };
  return { obstacle: null, ...widestLine(plus, minus) };
}
