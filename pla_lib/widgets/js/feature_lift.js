// The feature lift: points rise from the ground to the paraboloid x3 = x1^2 + x2^2, where a plane can separate what no
// line could; the shadow of the plane's cut is a circle. The model's `theta` = [b, w1, w2, w3] is the plane, `lift` the
// height of the points from 0 to 1, `azimuth` and `elevation` the direction from which we look.

import { assemble, button, change, facts, follow, liveText, row, slider } from "./controls.js";
import { cross, element, path, pathShape, picture, polygon, setAttributes, shape } from "./dom.js";
import { CIRCLE, makeRotatable, phi, planeOpacity, spacePicture } from "./paraboloid.js";
import { axes, dot, halfPlane, mark, planeAroundOrigin } from "./plane.js";
import { counted, number } from "./wording.js";

const RISING_TIME = 1500; // milliseconds
const NOTHING = "\u2013"; // where there is no number to show

const clamp = (value, low, high) => Math.max(low, Math.min(high, value));

// How the plane theta cuts the paraboloid. A plane that is not upright is x3 = a x1 + c x2 + h, and completing the
// square gives the shadow of its cut: the circle with centre (a/2, c/2) and squared radius h + (a^2 + c^2)/4.
function planeCut([b, w1, w2, w3], reach) {
  if (!w1 && !w2 && !w3) return { kind: "none" };
  if (Math.abs(w3) * reach <= 1e-9 * Math.hypot(w1, w2)) return { kind: "line" };
  const [a, c, h] = [-w1 / w3, -w2 / w3, -b / w3];
  const radius2 = h + (a * a + c * c) / 4;
  return radius2 < 0
    ? { kind: "nothing", a, c, h }
    : { kind: "circle", a, c, h, centre: [a / 2, c / 2], radius: Math.sqrt(radius2) };
}

// Points along the shadow: of the circle, or of the part of the line that lies within `reach` of the origin.
function shadowPoints([b, w1, w2], cut, reach) {
  if (cut.kind === "circle")
    return CIRCLE.map(([c, s]) => [cut.centre[0] + cut.radius * c, cut.centre[1] + cut.radius * s]);
  const norm = Math.hypot(w1, w2);
  const distance = -b / norm;
  const half = Math.sqrt(reach * reach - distance * distance);
  if (cut.kind !== "line" || Number.isNaN(half)) return [];
  const along = (t) => [(distance * w1 - t * w2) / norm, (distance * w2 + t * w1) / norm];
  return CIRCLE.map((_, k) => along((k / 36 - 1) * half));
}

// The ground from above: the points, and the shadow as the boundary between the classes.
function groundPicture({ X, y }, reach) {
  const view = planeAroundOrigin(reach, { height: 340 });
  const side = setAttributes(pathShape("pla-positive-side"), { "fill-rule": "evenodd" });
  const boundary = pathShape("pla-line pla-boundary");
  const tint = shape("g", {}, side);
  const crosses = pathShape("pla-cross pla-wrong");
  const marks = X.map((x, i) => mark(view, x, y[i]));
  const node = picture(view, "", tint, axes(view), ...marks, boundary, crosses);
  function draw({ theta, cut, shadow, wrong, lift, text }) {
    const circle = cut.kind === "circle" ? polygon(shadow.map(view.to)) : "";
    const everything = polygon(view.corners.map(view.to));
    const half = cut.kind === "line" && halfPlane(view, theta.slice(0, 3));
    // The plane says +1 outside the circle if w3 > 0, and inside it if w3 < 0.
    const isPositiveOutside = (theta[3] || theta[0]) > 0 && cut.kind !== "none";
    side.setAttribute("d", half ? polygon(half.side) : isPositiveOutside ? everything + circle : circle);
    boundary.setAttribute("d", half ? path(half.line) : circle);
    for (const layer of [tint, boundary]) layer.setAttribute("opacity", planeOpacity(lift));
    crosses.setAttribute("d", wrong.map((i) => cross(view.to(X[i]))).join(""));
    node.setAttribute("aria-label", `The ground from above. ${text}`);
  }
  return { node, draw };
}

// The plane, how it cuts, which points are on its wrong side, and all this in words. `lengthText` writes lengths.
function describePlane({ X, y, line }, reach, theta, lift, lengthText) {
  const cut = planeCut(theta, reach);
  const isWrong = (x, i) => y[i] * (theta[0] + dot(theta.slice(1), phi(x))) <= 0;
  const wrong = X.flatMap((x, i) => (isWrong(x, i) ? [i] : []));
  const height = "the height x\u2083\u00a0=\u00a0x\u2081\u00b2\u00a0+\u00a0x\u2082\u00b2";
  const place =
    lift === 0
      ? `On the ground ${line ? "a" : "no"} line separates the classes. At ${height}`
      : lift < 1
        ? `The points rise to ${height}: there`
        : `At ${height}`;
  const result =
    cut.kind === "none"
      ? "there is no plane while w = 0."
      : wrong.length
        ? `the plane leaves ${counted(wrong.length, "point")} on the wrong side.`
        : lift === 0 && !line
          ? "the plane does."
          : "the plane separates the classes.";
  const shadowTexts = {
    none: () => "",
    nothing: () => " It does not meet the paraboloid: no shadow.",
    line: () => " It stands upright: its shadow is a line.",
    circle: ({ centre, radius }) =>
      ` Its shadow is the circle around ${lengthText(...centre)} with radius\u00a0${lengthText(radius)}.`,
  };
  const text = `${place} ${result}${shadowTexts[cut.kind](cut)}`;
  return { theta, lift, cut, wrong, text, shadow: shadowPoints(theta, cut, reach) };
}

function render({ model, el }) {
  const record = model.get("record");
  const { X, y, best } = record;
  const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
  const reach = 1.08 * X.reduce((most, x) => Math.max(most, Math.hypot(...x)), 0) || 1;
  const top = reach * reach;
  const space = spacePicture(record, reach);
  const ground = groundPicture(record, reach);
  const text = liveText();
  const numbers = facts("wrong side", "centre", "radius", "plane");

  // The plane as x3 = a x1 + c x2 + h. Moving it keeps its positive side and the size of w3. An upright plane has no
  // such form: it is first laid flat on the ground.
  function planeForm() {
    const { a = 0, c = 0, h = 0 } = planeCut(model.get("theta"), reach);
    return { a, c, h };
  }
  function movePlane(part) {
    const { a, c, h } = { ...planeForm(), ...part };
    const w3 = "a" in planeCut(model.get("theta"), reach) ? model.get("theta")[3] : 1;
    change(model, { theta: [-h * w3, -a * w3, -c * w3, w3] });
  }
  // Sliders go in steps of a power of ten, some hundreds of them; lengths are written to the same precision.
  const precision = (size) => 10 ** Math.floor(Math.log10(size / 50));
  const rounded = (value, size) => Math.round(value / precision(size)) * precision(size);
  function lengthText(...values) {
    const texts = values.map((value) => number(rounded(value, reach)));
    return texts.length > 1 ? `(${texts.join(", ")})` : texts[0];
  }
  const slopes = { min: -rounded(reach, reach), max: rounded(reach, reach), step: precision(reach) };
  const heights = { min: -rounded(top / 2, top / 2), max: rounded(top, top), step: precision(top) };
  const sliders = {
    lift: slider("Lift", { min: 0, max: 1, step: 0.01 }, (lift) => {
      stopRising();
      change(model, { lift });
    }),
    azimuth: slider("Turn", { min: -180, max: 180, step: 1 }, (azimuth) => change(model, { azimuth })),
    elevation: slider("Look down", { min: 0, max: 90, step: 1 }, (elevation) => change(model, { elevation })),
    h: slider("Plane\u2019s height", heights, (h) => movePlane({ h })),
    a: slider("Slope along x\u2081", slopes, (a) => movePlane({ a })),
    c: slider("Slope along x\u2082", slopes, (c) => movePlane({ c })),
  };
  const labelled = Object.values(sliders).map((node) => element("label", {}, node.getAttribute("aria-label"), node));

  // The button lets the points rise or sink smoothly, or at once for readers who ask for less motion.
  let frame = null;
  function stopRising() {
    cancelAnimationFrame(frame);
    frame = null;
  }
  function rise() {
    const from = model.get("lift");
    const to = from < 1 ? 1 : 0;
    const start = performance.now();
    stopRising();
    if (reducedMotion.matches) return change(model, { lift: to });
    const drawFrame = (now) => {
      const t = clamp((now - start) / RISING_TIME, 0, 1);
      frame = t < 1 ? requestAnimationFrame(drawFrame) : null;
      change(model, { lift: from + (to - from) * t * t * (3 - 2 * t) });
    };
    frame = requestAnimationFrame(drawFrame);
  }
  const liftButton = button("Lift", rise);
  const resetButton = button("Reset plane", () => change(model, { theta: best }));

  makeRotatable(space.node, (across, down) =>
    change(model, {
      azimuth: ((model.get("azimuth") + across + 540) % 360) - 180,
      elevation: clamp(model.get("elevation") + down, 0, 90),
    }),
  );

  function planeText(cut) {
    if (cut.kind === "line") return "upright";
    if (cut.kind === "none") return NOTHING;
    const term = (value, name) => ` ${value < 0 ? "\u2212" : "+"} ${lengthText(Math.abs(value))}\u2009${name}`;
    return `x\u2083 = ${number(rounded(cut.h, top))}${term(cut.a, "x\u2081")}${term(cut.c, "x\u2082")}`;
  }

  function draw() {
    const [azimuth, elevation, lift] = ["azimuth", "elevation", "lift"].map((name) => model.get(name));
    const now = describePlane(record, reach, model.get("theta"), lift, lengthText);
    const { centre, radius } = now.cut;
    space.draw({ ...now, azimuth, elevation });
    ground.draw(now);
    numbers.show(
      `${now.wrong.length} of ${y.length}`,
      centre ? lengthText(...centre) : NOTHING,
      centre ? lengthText(radius) : NOTHING,
      planeText(now.cut),
    );
    // While the picture turns the text stays the same; a screen reader would read it again at every change.
    if (text.textContent !== now.text) text.textContent = now.text;
    const values = { azimuth, elevation, lift, ...planeForm() };
    for (const [name, node] of Object.entries(sliders)) node.value = values[name];
    liftButton.textContent = lift < 1 ? "Lift" : "Put down";
  }

  const root = assemble(el, "Lift to a paraboloid", {
    pictures: [space.node, ground.node],
    panel: [text, numbers.node],
    controls: [row(liftButton, resetButton), row(element("div", { class: "pla-sliders" }, ...labelled))],
  });
  root.classList.add("pla-feature-lift");
  const unfollow = follow(model, ["theta", "lift", "azimuth", "elevation"], draw);
  return () => {
    unfollow();
    stopRising();
  };
}

export default { render };
