// The paraboloid x3 = x1^2 + x2^2 over the ground (x1, x2): a plane that cuts it, and the shadow of the cut on the
// ground. The picture is turned by hand.

import { dotPath, element, isPlainKey, path, pathShape, picture, polygon, setAttributes, shape } from "./dom.js";
import { dot, freePlace, pointerInPicture } from "./plane.js";
import { mark, showTip } from "./points.js";

const NEAR = 14; // pixels from a point at which the pointer is on it

export const phi = ([x1, x2]) => [x1, x2, x1 * x1 + x2 * x2];

// Points on the unit circle; the last is the first again.
const circlePoints = (count) =>
  Array.from({ length: count + 1 }, (_, k) => [
    Math.cos((2 * Math.PI * k) / count),
    Math.sin((2 * Math.PI * k) / count),
  ]);
export const CIRCLE = circlePoints(72);

// The view of space from far away. `look` sets the direction, in degrees; the ground is a square that reaches `reach`
// from the origin, and the box over it is 1.4 reach high. `depth` is larger for points nearer to the eye, and
// `eyeSide` says on which side of a plane the eye is.
function spaceView(reach, { width, height }) {
  const view = { width, height };
  const scale = Math.min(0.33 * width, 0.345 * height) / reach;
  view.look = (azimuth, elevation) => {
    const [s, c] = [Math.sin, Math.cos].map((f) => f((azimuth * Math.PI) / 180));
    const [up, out] = [Math.sin, Math.cos].map((f) => f((elevation * Math.PI) / 180));
    const rise = 1.4 / reach;
    view.to = ([x1, x2, x3]) => [
      width / 2 + scale * (c * x2 - s * x1),
      0.46 * height + scale * (up * (c * x1 + s * x2) - out * (x3 * rise - 0.7 * reach)),
    ];
    view.depth = ([x1, x2, x3]) => out * (c * x1 + s * x2) + up * x3 * rise;
    view.eyeSide = ([, w1, w2, w3]) => Math.sign(w1 * out * c + w2 * out * s + (w3 * up) / rise);
  };
  return view;
}

// The parts of a curve on the ground over which the paraboloid is drawn, within `reach` of the origin.
function partsWithin(curve, reach) {
  const parts = [[]];
  for (const x of curve) {
    if (Math.hypot(...x) <= 1.001 * reach) parts.at(-1).push(x);
    else parts.push([]);
  }
  return parts.filter((part) => part.length);
}

// The polygon in which the plane cuts the box over the ground: where it meets the box's edges, sorted by angle.
function planeInBox([b, ...w], reach, view) {
  const ends = [
    [-reach, reach],
    [-reach, reach],
    [0, reach * reach],
  ];
  const corners = [];
  for (const k of [0, 1, 2]) {
    const [i, j] = [0, 1, 2].filter((axis) => axis !== k);
    for (const p of ends[i])
      for (const q of ends[j]) {
        const crossing = (-b - w[i] * p - w[j] * q) / w[k];
        if (crossing >= ends[k][0] && crossing <= ends[k][1]) {
          const point = [];
          [point[i], point[j], point[k]] = [p, q, crossing];
          corners.push(view.to(point));
        }
      }
  }
  const middle = [0, 1].map((k) => corners.reduce((sum, point) => sum + point[k], 0) / corners.length);
  const angle = (point) => Math.atan2(point[1] - middle[1], point[0] - middle[0]);
  return corners.sort((p, q) => angle(p) - angle(q));
}

// The picture of space for a size: ground, paraboloid, plane, cut and shadow, and the points at the height lift * x3.
// `lights` is the spotlight of the points, `describe(i)` what is said of one.
export function spacePicture({ X, y }, reach, size, lights, describe) {
  const view = spaceView(reach, size);
  const ground = pathShape("pla-ground");
  const mesh = pathShape("pla-paraboloid");
  const plane = pathShape("pla-cutting-plane");
  const cut = pathShape("pla-line pla-cut");
  const shadow = pathShape("pla-line pla-shadow");
  const rays = pathShape("pla-thin pla-dashed pla-rays");
  const footprints = {
    1: pathShape("pla-footprint pla-positive-line"),
    [-1]: pathShape("pla-footprint pla-negative-line"),
  };
  const axisNames = ["x\u2081", "x\u2082", "x\u2083"].map((name) => shape("text", { class: "pla-symbol" }, name));
  const bowlName = shape("text", { class: "pla-label", "text-anchor": "middle" }, "paraboloid");
  // Marks are made at the origin and moved by a transform; those behind the plane lie in a layer below it.
  const marks = y.map((label, i) => {
    const cross = pathShape("pla-mark-cross", "M-3.2-3.2 3.2 3.2M-3.2 3.2 3.2-3.2");
    return shape("g", { class: "pla-point", "data-point": i }, mark(label), cross);
  });
  const behindPlane = shape("g");
  const beforePlane = shape("g");
  const [planeName, shadowName] = ["plane", "shadow"].map((name) =>
    shape("text", { class: "pla-label", "text-anchor": "middle" }, name),
  );
  const planeLayer = shape("g", {}, plane);
  const cutLayer = shape("g", {}, cut);
  const shadowLayer = shape("g", {}, rays, shadow);
  const bowl = shape("g", {}, mesh);
  const below = [ground, footprints[1], footprints[-1], shadowLayer, bowl];
  const names = [bowlName, planeName, shadowName, ...axisNames];
  const node = picture(view, "", ...below, behindPlane, planeLayer, cutLayer, beforePlane, ...names);
  const tip = element("div", { class: "pla-tip", hidden: "" });
  let places = [];
  const lifted = X.map(phi);
  const onGround = ([x1, x2]) => [x1, x2, 0];
  const curve = (points) => path(points.map(view.to));
  const segment = (...points) => curve(points);

  function drawGround() {
    const gridLines = [-1, -0.5, 0, 0.5, 1].map((k) => {
      const at = k * reach;
      return segment([at, -reach, 0], [at, reach, 0]) + segment([-reach, at, 0], [reach, at, 0]);
    });
    const heightAxis = segment([0, 0, 0], [0, 0, 1.05 * reach * reach]);
    ground.setAttribute("d", gridLines.join("") + heightAxis);
  }

  // Each axis has its name beyond its end, at the nearest place that is free of points.
  function nameAxes() {
    const ends = [
      [reach, 0, 0],
      [0, reach, 0],
      [0, 0, reach * reach],
    ];
    axisNames.forEach((name, k) => {
      const beyond = [1.12, 1.24, 1.36].map((share) => view.to(ends[k].map((value) => share * value)));
      const around = beyond.flatMap(([u, v]) => [0, -22, 22, -44, 44].map((aside) => [u + aside, v]));
      const [u, v] = freePlace(view, around, places);
      setAttributes(name, { x: u, y: v + 5 });
    });
  }

  // The bowl appears as the points rise to it, and has its name above its rim.
  function nameBowl(lift) {
    bowl.setAttribute("opacity", lift);
    bowlName.setAttribute("opacity", lift);
    const rim = CIRCLE.map(([c, s]) => view.to([reach * c, reach * s, reach * reach]));
    const [u, v] = rim.reduce((highest, place) => (place[1] < highest[1] ? place : highest));
    setAttributes(bowlName, { x: u, y: Math.max(14, v - 6) });
  }

  function drawParaboloid() {
    const circle = (k) => curve(CIRCLE.map(([c, s]) => phi([k * reach * c, k * reach * s])));
    const eighths = [0, 1, 2, 3, 4, 5, 6, 7, 8].map((k) => k / 8);
    const parabola = ([c, s]) => curve(eighths.map((k) => phi([k * reach * c, k * reach * s])));
    const circles = [0.25, 0.5, 0.75, 1].map(circle);
    mesh.setAttribute("d", circles.join("") + circlePoints(12).slice(1).map(parabola).join(""));
  }

  // Writes a name at one of these corners or edges, where it covers no point; without any it has none.
  function nameAt(name, outline, opacity) {
    setAttributes(name, { visibility: outline.length ? "inherit" : "hidden", opacity });
    if (!outline.length) return;
    const half = 3.3 * name.textContent.length;
    const around = outline.flatMap(([u, v]) => [
      [u, v + 12],
      [u + half + 8, v],
      [u - half - 8, v],
    ]);
    const others = names.filter((one) => one !== name && one.getAttribute("x"));
    const taken = others.map((one) => [Number(one.getAttribute("x")), Number(one.getAttribute("y")) - 4]);
    const [u, v] = freePlace(view, around, [...places, ...taken], 12 + half, { half: [half, 8], clear: 20 });
    setAttributes(name, { x: u, y: v + 4 });
  }

  // `plane` and `shadow` say how far each has come, from 0 to 1: the plane fades in, and the shadow falls from the cut
  // to the ground. Both belong to the heights, so they fade as the points sink.
  function drawPlane({ theta, cut: { kind }, curve: onTheGround, lift, plane: planeShare, shadow: shadowShare }) {
    const outline = kind === "none" ? [] : planeInBox(theta, reach, view);
    plane.setAttribute("d", polygon(outline));
    nameAt(planeName, outline, planeShare * lift);
    const parts = partsWithin(onTheGround, reach);
    const fallen = ([x1, x2, x3]) => [x1, x2, (1 - shadowShare) * x3];
    cut.setAttribute("d", parts.map((part) => curve(part.map(phi))).join(""));
    shadow.setAttribute("d", parts.map((part) => curve(part.map(phi).map(fallen))).join(""));
    const fallenParts = parts.flat().map(phi).map(fallen).map(view.to);
    const byHeight = fallenParts.toSorted((p, q) => q[1] - p[1]);
    nameAt(shadowName, byHeight.slice(0, 24), Math.min(1, 3 * shadowShare) * lift);
    // Dashed lines lead down from every ninth point of the cut to its shadow.
    const feet = parts.flatMap((part) => part.filter((_, k) => k % 9 === 0)).map(phi);
    rays.setAttribute("d", feet.map((x) => segment(x, fallen(x))).join(""));
    for (const layer of [planeLayer, cutLayer]) layer.setAttribute("opacity", planeShare * lift);
    shadowLayer.setAttribute("opacity", Math.min(1, 3 * shadowShare) * lift);
  }

  function drawPoints({ theta, lift, wrong, shadow: shadowShare }) {
    const points = lifted.map(([x1, x2, x3]) => [x1, x2, lift * x3]);
    const depths = points.map(view.depth);
    places = points.map(view.to);
    for (const label of [1, -1]) {
      const footprint = (x, i) => (y[i] === label ? dotPath(view.to(onGround(x))) : "");
      footprints[label].setAttribute("d", lift ? X.map(footprint).join("") : "");
    }
    const isWrong = new Set(wrong);
    marks.forEach((one, i) => {
      const place = places[i].map((c) => c.toFixed(1)).join(" ");
      one.setAttribute("transform", `translate(${place}) scale(0.85)`);
      one.classList.toggle("pla-wrong", isWrong.has(i));
    });
    const farthestFirst = depths.map((_, i) => i).sort((i, j) => depths[i] - depths[j]);
    const eyeSide = view.eyeSide(theta);
    const isBefore = (i) => eyeSide * (theta[0] + dot(theta.slice(1), points[i])) >= 0;
    // Looking into the bowl, what is right and in front of the others fades, so that both sides of the cut are seen.
    marks.forEach((one, i) => {
      const isInFront = isBefore(i) && !isWrong.has(i) && view.depth(onGround(X[i])) > 0;
      one.setAttribute("opacity", isInFront ? 1 - 0.7 * shadowShare * lift : 1);
    });
    behindPlane.replaceChildren(...farthestFirst.filter((i) => !isBefore(i)).map((i) => marks[i]));
    beforePlane.replaceChildren(...farthestFirst.filter(isBefore).map((i) => marks[i]));
  }

  // The point under the pointer lights up, here and in the other picture; a press with a finger lights it too.
  function nearest([p, q]) {
    const distances = places.map(([u, v]) => Math.hypot(u - p, v - q));
    const i = distances.indexOf(Math.min(...distances));
    return distances[i] < NEAR ? i : null;
  }
  const onPointer = (event) => lights.light(nearest(pointerInPicture(node, event)));
  for (const name of ["pointermove", "pointerdown"]) node.addEventListener(name, onPointer);
  node.addEventListener("pointerleave", () => lights.light(null));
  function drawLit() {
    const i = lights.lit();
    marks.forEach((one, k) => one.classList.toggle("pla-lit", k === i));
    tip.hidden = i === null;
    if (i !== null) showTip(tip, view, places[i], describe(i));
  }
  const stop = lights.onChange(drawLit);

  function draw(now) {
    view.look(now.azimuth, now.elevation);
    drawGround();
    drawParaboloid();
    nameBowl(now.lift);
    drawPoints(now);
    nameAxes();
    drawPlane(now);
    drawLit();
    node.setAttribute("aria-label", `Space; the arrow keys turn it. ${now.text}`);
  }
  return { node, extras: [tip], draw, stop };
}

// Lets a picture be turned by mouse, by finger (sideways: up and down still scrolls the page), or by arrow keys (finely
// with shift). `turn` is called with the changes of azimuth and elevation, in degrees.
export function makeRotatable(node, turn) {
  let pointer = null;
  setAttributes(node, { tabindex: 0, role: "application", class: "pla-rotatable" });
  node.addEventListener("pointerdown", (event) => {
    pointer = [event.clientX, event.clientY];
    node.setPointerCapture(event.pointerId);
  });
  node.addEventListener("pointermove", (event) => {
    if (!pointer) return;
    turn(-0.5 * (event.clientX - pointer[0]), 0.5 * (event.clientY - pointer[1]));
    pointer = [event.clientX, event.clientY];
  });
  const release = () => {
    pointer = null;
  };
  for (const end of ["pointerup", "pointercancel"]) node.addEventListener(end, release);
  const turns = { ArrowLeft: [5, 0], ArrowRight: [-5, 0], ArrowUp: [0, -5], ArrowDown: [0, 5] };
  node.addEventListener("keydown", (event) => {
    if (!(event.key in turns) || !isPlainKey(event)) return;
    event.preventDefault();
    event.stopPropagation();
    turn(...turns[event.key].map((degrees) => (event.shiftKey ? degrees / 5 : degrees)));
  });
}
