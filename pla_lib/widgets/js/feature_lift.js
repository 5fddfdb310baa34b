// The lift: points rise from the ground to the paraboloid x3 = x1^2 + x2^2, a plane cuts there, and its shadow is a circle.

import { assemble, button, facts, follow, row, slider, spoken } from "./controls.js";
import { area, cross, element, path, picture, shape } from "./dom.js";
import { CIRCLE, PRESENCE, phi, space, turned } from "./paraboloid.js";
import { axes, dot, halfPlane, mark, plane } from "./plane.js";
import { counted, number } from "./wording.js";

// What theta = [b, w1, w2, w3] cuts from the paraboloid within the disc of radius `reach`. Not upright, the plane is
// x3 = a x1 + c x2 + h, and completing the square gives the circle of centre (a/2, c/2) and squared radius h + (a^2 + c^2)/4.
function cutting([b, w1, w2, w3], reach) {
  if (!w1 && !w2 && !w3) return { kind: "none" };
  if (Math.abs(w3) * reach <= 1e-9 * Math.hypot(w1, w2)) return { kind: "line" };
  const [a, c, h] = [-w1 / w3, -w2 / w3, -b / w3],
    squared = h + (a * a + c * c) / 4;
  return squared < 0
    ? { kind: "nothing", a, c, h }
    : { kind: "circle", a, c, h, centre: [a / 2, c / 2], radius: Math.sqrt(squared) };
}

// The shadow of the cut on the ground, in small steps: the circle, or the part of the line within the disc.
function shadowOf([b, w1, w2], cut, reach) {
  if (cut.kind === "circle")
    return CIRCLE.map(([c, s]) => [cut.centre[0] + cut.radius * c, cut.centre[1] + cut.radius * s]);
  const norm = Math.hypot(w1, w2),
    near = -b / norm,
    half = Math.sqrt(reach * reach - near * near);
  if (cut.kind !== "line" || Number.isNaN(half)) return [];
  return CIRCLE.map((_, k) => (k / 36 - 1) * half).map((t) => [
    (near * w1 - t * w2) / norm,
    (near * w2 + t * w1) / norm,
  ]);
}

// The ground from above: the data, and the shadow as the boundary between the classes.
function fromAbove({ X, y }, reach) {
  const view = plane(
    [
      [-reach, -reach],
      [reach, reach],
    ],
    { height: 340 },
  );
  const side = shape("path", { class: "pla-side", "fill-rule": "evenodd" }),
    line = shape("path", { class: "pla-line pla-boundary" });
  const tint = shape("g", {}, side),
    crosses = shape("path", { class: "pla-cross pla-wrong" });
  const node = picture(view, "", tint, axes(view), ...X.map((x, i) => mark(view, x, y[i])), line, crosses);
  function draw({ theta, cut, shadow, wrong, lift, words }) {
    const round = cut.kind === "circle" ? area(shadow.map(view.to)) : "",
      all = area(view.corners.map(view.to));
    const half = cut.kind === "line" && halfPlane(view, theta.slice(0, 3));
    side.setAttribute(
      "d",
      half ? area(half.side) : (theta[3] || theta[0]) > 0 && cut.kind !== "none" ? all + round : round,
    );
    line.setAttribute("d", half ? path(half.line) : round);
    for (const layer of [tint, line]) layer.setAttribute("opacity", PRESENCE(lift));
    crosses.setAttribute("d", wrong.map((i) => cross(view.to(X[i]))).join(""));
    node.setAttribute("aria-label", `The ground from above. ${words}`);
  }
  return { node, draw };
}

// What there is to show and say for a plane and a height of the points. `read` writes a length of the ground.
function situation({ X, y, line }, reach, theta, lift, read) {
  const cut = cutting(theta, reach),
    wrong = [];
  X.forEach((x, i) => {
    if (y[i] * (theta[0] + dot(theta.slice(1), phi(x))) <= 0) wrong.push(i);
  });
  const height = "the height x\u2083\u00a0=\u00a0x\u2081\u00b2\u00a0+\u00a0x\u2082\u00b2";
  const place =
    lift === 0
      ? `On the ground ${line ? "a" : "no"} line separates the classes. At ${height}`
      : lift < 1
        ? `The points rise to ${height}: there`
        : `At ${height}`;
  const does =
    cut.kind === "none"
      ? "there is no plane while w = 0."
      : wrong.length
        ? `the plane leaves ${counted(wrong.length, "point")} on the wrong side.`
        : lift === 0 && !line
          ? "the plane does."
          : "the plane separates the classes.";
  const shadow =
    cut.kind === "circle"
      ? ` Its shadow is the circle around ${read(...cut.centre)} with radius\u00a0${read(cut.radius)}.`
      : cut.kind === "line"
        ? " It stands upright: its shadow is a line."
        : cut.kind === "nothing"
          ? " It does not meet the paraboloid: no shadow."
          : "";
  return { theta, lift, cut, wrong, words: `${place} ${does}${shadow}`, shadow: shadowOf(theta, cut, reach) };
}

function render({ model, el }) {
  const record = model.get("record"),
    { X, y, best } = record,
    calm = matchMedia("(prefers-reduced-motion: reduce)");
  const reach = 1.08 * X.reduce((most, x) => Math.max(most, Math.hypot(...x)), 0) || 1;
  const solid = space(record, reach),
    flat = fromAbove(record, reach),
    words = spoken();
  const numbers = facts("wrong side", "centre", "radius", "plane");
  const change = (values) => {
    for (const name in values) model.set(name, values[name]);
    model.save_changes();
  };
  const limited = (value, low, high) => Math.max(low, Math.min(high, value));

  // Moving the plane keeps its positive side and the size of w3; an upright one is laid flat on the ground first.
  const laid = () => {
    const { a = 0, c = 0, h = 0 } = cutting(model.get("theta"), reach);
    return { a, c, h };
  };
  function move(part) {
    const { a, c, h } = { ...laid(), ...part },
      w3 = "a" in cutting(model.get("theta"), reach) ? model.get("theta")[3] : 1;
    change({ theta: [-h * w3, -a * w3, -c * w3, w3] });
  }
  // Steps of a round number, some hundreds of them.
  const fine = (size) => 10 ** Math.floor(Math.log10(size / 50)),
    upTo = (size) => Math.round(size / fine(size)) * fine(size);
  const rounded = (value, size) => number(Math.round(value / fine(size)) * fine(size));
  const read = (...values) => {
    const texts = values.map((value) => rounded(value, reach));
    return texts.length > 1 ? `(${texts.join(", ")})` : texts[0];
  };
  const slope = { min: -upTo(reach), max: upTo(reach), step: fine(reach) },
    top = reach * reach;
  const sliders = {
    lift: slider("Lift", { min: 0, max: 1, step: 0.01 }, (lift) => {
      halt();
      change({ lift });
    }),
    azimuth: slider("Turn", { min: -180, max: 180, step: 1 }, (azimuth) => change({ azimuth })),
    elevation: slider("Look down", { min: 0, max: 90, step: 1 }, (elevation) => change({ elevation })),
    h: slider("Plane\u2019s height", { min: -upTo(top / 2), max: upTo(top), step: fine(top) }, (h) => move({ h })),
    a: slider("Slope along x\u2081", slope, (a) => move({ a })),
    c: slider("Slope along x\u2082", slope, (c) => move({ c })),
  };
  const named = Object.values(sliders).map((node) => element("label", {}, node.getAttribute("aria-label"), node));

  // The points rise by themselves in a second and a half, or at once for whoever asks for less motion.
  let frame = null;
  const halt = () => {
    cancelAnimationFrame(frame);
    frame = null;
  };
  function rise() {
    const from = model.get("lift"),
      to = from < 1 ? 1 : 0,
      start = performance.now();
    halt();
    if (calm.matches) return change({ lift: to });
    const go = (now) => {
      const t = limited((now - start) / 1500, 0, 1);
      frame = t < 1 ? requestAnimationFrame(go) : null;
      change({ lift: from + (to - from) * t * t * (3 - 2 * t) });
    };
    frame = requestAnimationFrame(go);
  }
  const lifter = button("Lift", rise),
    again = button("Reset plane", () => change({ theta: best }));

  turned(solid.node, (across, down) =>
    change({
      azimuth: ((model.get("azimuth") + across + 540) % 360) - 180,
      elevation: limited(model.get("elevation") + down, 0, 90),
    }),
  );

  function draw() {
    const [azimuth, elevation, lift] = ["azimuth", "elevation", "lift"].map((name) => model.get(name));
    const now = situation(record, reach, model.get("theta"), lift, read),
      { cut, wrong } = now,
      circle = cut.kind === "circle";
    solid.draw({ ...now, azimuth, elevation });
    flat.draw(now);
    const term = (value, name) => ` ${value < 0 ? "\u2212" : "+"} ${read(Math.abs(value))}\u2009${name}`;
    numbers.show(
      `${wrong.length} of ${y.length}`,
      circle ? read(...cut.centre) : "\u2013",
      circle ? read(cut.radius) : "\u2013",
      "a" in cut
        ? `x\u2083 = ${rounded(cut.h, top)}${term(cut.a, "x\u2081")}${term(cut.c, "x\u2082")}`
        : cut.kind === "line"
          ? "upright"
          : "\u2013",
    );
    if (words.textContent !== now.words) words.textContent = now.words;
    const values = { azimuth, elevation, lift, ...laid() };
    for (const [name, node] of Object.entries(sliders)) node.value = values[name];
    lifter.textContent = lift < 1 ? "Lift" : "Put down";
  }

  const root = assemble(el, "Lift to a paraboloid", {
    pictures: [solid.node, flat.node],
    panel: [words, numbers.node],
    controls: [row(lifter, again), row(element("div", { class: "pla-sliders" }, ...named))],
  });
  root.classList.add("pla-feature-lift");
  const forget = follow(model, ["theta", "lift", "azimuth", "elevation"], draw);
  return () => {
    forget();
    halt();
  };
}

export default { render };
