// Space over a ground: the paraboloid x3 = x1^2 + x2^2, a plane that cuts it, the shadow of the cut; turned by hand.

import { area, cross, filled, path, picture, shape } from "./dom.js";
import { dot, mark } from "./plane.js";

export const phi = ([x1, x2]) => [x1, x2, x1 * x1 + x2 * x2];
const turn = (count) =>
  Array.from({ length: count + 1 }, (_, k) => [
    Math.cos((2 * Math.PI * k) / count),
    Math.sin((2 * Math.PI * k) / count),
  ]);
export const CIRCLE = turn(72);
export const PRESENCE = (lift) => 0.3 + 0.7 * lift;

// Space seen from far away, from the direction of azimuth and elevation. The box over the ground has the height 1.4 reach.
function looked(reach, width, height) {
  const view = { width, height };
  view.look = (azimuth, elevation) => {
    const [s, c] = [Math.sin, Math.cos].map((f) => f((azimuth * Math.PI) / 180));
    const [up, out] = [Math.sin, Math.cos].map((f) => f((elevation * Math.PI) / 180));
    const scale = 128 / reach,
      rise = 1.4 / reach;
    view.to = ([x1, x2, x3]) => [
      width / 2 + scale * (c * x2 - s * x1),
      0.52 * height + scale * (up * (c * x1 + s * x2) - out * (x3 * rise - 0.7 * reach)),
    ];
    view.depth = ([x1, x2, x3]) => out * (c * x1 + s * x2) + up * x3 * rise;
    // Which side of the plane the eye is on: the sign of the score far along the direction of looking.
    view.eye = ([, w1, w2, w3]) => Math.sign(w1 * out * c + w2 * out * s + (w3 * up) / rise);
  };
  return view;
}

// The runs of a curve's points that lie below the rim of the paraboloid.
function below(curve, reach) {
  const runs = [[]];
  for (const x of curve) Math.hypot(...x) <= 1.001 * reach ? runs.at(-1).push(x) : runs.push([]);
  return runs.filter((run) => run.length);
}

// The points of the plane over the square ground, between the ground and the rim: where it meets the edges of that box, in turn.
function sheet([b, ...w], reach, view) {
  const top = reach * reach,
    ends = [
      [-reach, reach],
      [-reach, reach],
      [0, top],
    ],
    met = [];
  for (const k of [0, 1, 2]) {
    const [i, j] = [0, 1, 2].filter((axis) => axis !== k);
    for (const p of ends[i])
      for (const q of ends[j]) {
        const at = (-b - w[i] * p - w[j] * q) / w[k];
        if (at >= ends[k][0] && at <= ends[k][1]) {
          const point = [];
          [point[i], point[j], point[k]] = [p, q, at];
          met.push(view.to(point));
        }
      }
  }
  const middle = [0, 1].map((k) => met.reduce((sum, point) => sum + point[k], 0) / met.length);
  const angle = (point) => Math.atan2(point[1] - middle[1], point[0] - middle[0]);
  return met.sort((p, q) => angle(p) - angle(q));
}

// The picture of space: ground, paraboloid, plane, cut and shadow, and the points at the height lift * x3.
export function space({ X, y }, reach) {
  const view = looked(reach, 400, 340),
    part = (name) => shape("path", { class: name });
  const ground = part("pla-ground"),
    mesh = part("pla-mesh"),
    plate = part("pla-sheet"),
    cut = part("pla-line pla-cut"),
    shadow = part("pla-line pla-shadow");
  const rays = part("pla-thin pla-dashed pla-rays"),
    crosses = part("pla-cross pla-wrong"),
    behind = shape("g"),
    before = shape("g");
  const prints = { 1: part("pla-footprint pla-positive-line"), [-1]: part("pla-footprint pla-negative-line") };
  const names = ["x\u2081", "x\u2082", "x\u2083"].map((name) => shape("text", { class: "pla-w" }, name));
  const origin = { to: () => [0, 0] },
    marks = y.map((label) => mark(origin, null, label)),
    P = X.map(phi);
  const knife = shape("g", {}, rays, plate),
    edge = shape("g", {}, cut);
  const node = picture(
    view,
    "",
    ground,
    prints[1],
    prints[-1],
    shadow,
    mesh,
    behind,
    knife,
    edge,
    before,
    crosses,
    ...names,
  );

  function draw(now) {
    view.look(now.azimuth, now.elevation);
    const at = (points) => path(points.map(view.to)),
      sides = [-1, -0.5, 0, 0.5, 1].map((k) => k * reach),
      level = ([x, z]) => [x, z, 0];
    ground.setAttribute(
      "d",
      sides
        .map(
          (k) =>
            at([
              [k, -reach, 0],
              [k, reach, 0],
            ]) +
            at([
              [-reach, k, 0],
              [reach, k, 0],
            ]),
        )
        .join("") +
        at([
          [0, 0, 0],
          [0, 0, 1.05 * reach * reach],
        ]),
    );
    mesh.setAttribute(
      "d",
      [0.25, 0.5, 0.75, 1].map((k) => at(CIRCLE.map(([c, s]) => phi([k * reach * c, k * reach * s])))).join("") +
        turn(12)
          .slice(1)
          .map(([c, s]) => at([0, 1, 2, 3, 4, 5, 6, 7, 8].map((k) => phi([(k / 8) * reach * c, (k / 8) * reach * s]))))
          .join(""),
    );
    const ends = [
      [1.12 * reach, 0, 0],
      [0, 1.12 * reach, 0],
      [0, 0, 1.12 * reach * reach],
    ].map(view.to);
    names.forEach((name, k) => filled(name, { x: ends[k][0], y: ends[k][1] + 5 }, []));
    plate.setAttribute("d", now.cut.kind === "none" ? "" : area(sheet(now.theta, reach, view)));
    const runs = below(now.shadow, reach);
    cut.setAttribute("d", runs.map((run) => at(run.map(phi))).join(""));
    shadow.setAttribute("d", runs.map((run) => at(run.map(level))).join(""));
    rays.setAttribute(
      "d",
      runs.flatMap((run) => run.filter((_, k) => k % 9 === 0).map((x) => at([phi(x), level(x)]))).join(""),
    );
    // What belongs to the plane comes forward as the points rise.
    for (const layer of [knife, edge, shadow]) layer.setAttribute("opacity", PRESENCE(now.lift));
    const risen = P.map(([x1, x2, x3]) => [x1, x2, now.lift * x3]),
      seen = risen.map(view.to),
      depth = risen.map(view.depth);
    for (const label of [1, -1])
      prints[label].setAttribute(
        "d",
        now.lift ? X.map((x, i) => (y[i] === label ? at([level(x)]) + "h0" : "")).join("") : "",
      );
    const eye = view.eye(now.theta),
      order = depth.map((_, i) => i).sort((i, j) => depth[i] - depth[j]);
    const nearer = (i) => eye * (now.theta[0] + dot(now.theta.slice(1), risen[i])) >= 0;
    marks.forEach((node, i) =>
      node.setAttribute("transform", `translate(${seen[i].map((c) => c.toFixed(1)).join(" ")}) scale(0.85)`),
    );
    behind.replaceChildren(...order.filter((i) => !nearer(i)).map((i) => marks[i]));
    before.replaceChildren(...order.filter(nearer).map((i) => marks[i]));
    crosses.setAttribute("d", now.wrong.map((i) => cross(seen[i])).join(""));
    node.setAttribute("aria-label", `Space, to be turned with the arrow keys. ${now.words}`);
  }
  return { node, draw };
}

// A picture to be turned by mouse, finger (sideways; up and down still moves the page) or arrow keys (finely with shift).
export function turned(node, turnBy) {
  let held = null;
  filled(node, { tabindex: 0, role: "application", class: "pla-turned" }, []);
  node.addEventListener("pointerdown", (event) => {
    held = [event.clientX, event.clientY];
    node.setPointerCapture(event.pointerId);
  });
  node.addEventListener("pointermove", (event) => {
    if (!held) return;
    turnBy(-0.5 * (event.clientX - held[0]), 0.5 * (event.clientY - held[1]));
    held = [event.clientX, event.clientY];
  });
  for (const end of ["pointerup", "pointercancel"]) node.addEventListener(end, () => (held = null));
  const ways = { ArrowLeft: [5, 0], ArrowRight: [-5, 0], ArrowUp: [0, -5], ArrowDown: [0, 5] };
  node.addEventListener("keydown", (event) => {
    if (!(event.key in ways) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    turnBy(...ways[event.key].map((by) => (event.shiftKey ? by / 5 : by)));
  });
}
