// The feature lift: points rise from the ground to the paraboloid x3 = x1^2 + x2^2, where a plane can separate what no
// line could; the shadow of the plane's cut is a circle. The model's `theta` = [b, w1, w2, w3] is the plane, `lift` the
// height of the points from 0 to 1, `azimuth` and `elevation` the direction from which we look, and `step` how much of
// the story is told: 0 the points on the ground, 1 lifted, 2 with the plane, 3 with its shadow.

import { count, numberBetween, numbers } from "./address.js";
import { button, change, facts, follow, slider } from "./controls.js";
import { element, path, pathShape, pictureWithHandles, polygon, setAttributes, shape } from "./dom.js";
import { clamp, mix, motion, phase } from "./motion.js";
import { CIRCLE, makeRotatable, phi, spacePicture } from "./paraboloid.js";
import { fittedPicture } from "./picture.js";
import { axes, dot, halfPlane, planeAroundOrigin } from "./plane.js";
import { pointLayer, spotlight } from "./points.js";
import { shell } from "./shell.js";
import { transport } from "./transport.js";
import { counted, number, signed, vector } from "./wording.js";

const RISING = 1500; // milliseconds
const TURNING = 1000;
const RESETTING = 400;
const LAST_STEP = 3;
const NOTHING = "\u2013"; // where there is no number to show
const HEIGHT = "x\u2083\u00a0=\u00a0x\u2081\u00b2\u00a0+\u00a0x\u2082\u00b2";
// From how far above we look at each step: along the plane when it comes, so that one class is seen above it and one
// below, and into the bowl when the shadow falls.
const ELEVATIONS = [25, 25, 12, 50];

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

const scoreOf = (theta, x) => theta[0] + dot(theta.slice(1), phi(x));

// The ground from above: the points, and the shadow as the boundary between the classes.
function groundPicture({ X, y }, reach, size, lights, describe) {
  const view = planeAroundOrigin(reach, size);
  const layer = pointLayer(view, { X, y }, lights, { describe });
  const [side, otherSide] = ["pla-positive-side", "pla-negative-side"].map((classes) =>
    setAttributes(pathShape(classes), { "fill-rule": "evenodd" }),
  );
  const boundary = pathShape("pla-line pla-boundary");
  const tint = shape("g", {}, side, otherSide);
  const node = pictureWithHandles(view, "", tint, axes(view), boundary, layer.node);
  layer.follow(node);
  const everything = polygon(view.corners.map(view.to));
  function draw({ theta, cut, curve, wrong, lift, shadow, text }) {
    const circle = cut.kind === "circle" ? polygon(curve.map(view.to)) : "";
    const halves =
      cut.kind === "line" &&
      [1, -1].map((sign) =>
        halfPlane(
          view,
          theta.slice(0, 3).map((value) => sign * value),
        ),
      );
    // The plane says +1 outside the circle if w3 > 0, and inside it if w3 < 0.
    const isPositiveOutside = (theta[3] || theta[0]) > 0;
    const [inside, outside] = isPositiveOutside ? [otherSide, side] : [side, otherSide];
    if (halves) [side, otherSide].forEach((one, k) => one.setAttribute("d", polygon(halves[k].side)));
    else {
      inside.setAttribute("d", circle);
      outside.setAttribute("d", cut.kind === "none" ? "" : everything + circle);
    }
    boundary.setAttribute("d", halves ? path(halves[0].line) : circle);
    for (const one of [tint, boundary]) one.setAttribute("opacity", shadow * lift);
    layer.draw({ wrong });
    node.setAttribute("aria-label", `The ground from above. ${text}`);
  }
  return { node, extras: layer.extras, draw, stop: layer.stop };
}

// The verdict at a step: where the points are, what the plane does to them, what its shadow is.
function describeScene({ line }, { step, lift, cut, wrong }, lengthText) {
  const ground = `On the ground, ${line ? "a" : "no"} line separates the classes.`;
  if (lift === 0) return { kind: step ? "note" : "start", chip: step ? "Ground" : "Start", text: ground };
  if (lift < 1) return { kind: "note", chip: "Rising", text: `Each point rises to its height ${HEIGHT}.` };
  if (step < 2)
    return {
      kind: "note",
      chip: "Lifted",
      text: `Each point is now at height ${HEIGHT}: points farther out are higher.`,
      why:
        "The height is the squared distance from the origin. " +
        "Only x\u2083 is new: x\u2081 and x\u2082 do not change.",
    };
  if (cut.kind === "none") return { kind: "note", chip: "No plane", text: "There is no plane while w = 0." };
  const isSeparated = !wrong.length;
  const sides = "One side is for class +1, the other for class \u22121. A point on the plane itself counts as wrong.";
  const chip = isSeparated ? "Separated" : `${wrong.length} wrong`;
  if (step === 2)
    return {
      kind: isSeparated ? "right" : "mistake",
      chip,
      text: isSeparated
        ? `The plane separates the classes: ${cut.kind === "line" ? "one on each side" : "one above it, one below"}.`
        : `The plane leaves ${counted(wrong.length, "point")} on the wrong side.`,
      why: sides,
    };
  const text = {
    nothing: () => "The plane does not meet the paraboloid: there is no cut and no shadow.",
    line: () => "The plane is vertical, so the shadow of its cut is a line.",
    circle: ({ centre, radius }) =>
      `The cut\u2019s shadow, the circle around ${lengthText(...centre)} with ` +
      `radius\u00a0${lengthText(radius)}, ${isSeparated ? "separates" : "does not separate"} the classes.`,
  }[cut.kind](cut);
  const result = isSeparated
    ? "No point is on the wrong side of the plane."
    : `${counted(wrong.length, "point")} ${wrong.length === 1 ? "is" : "are"} on the wrong side of the plane.`;
  const square =
    " The plane is x\u2083 = a\u2009x\u2081 + c\u2009x\u2082 + h. It meets the paraboloid where " +
    "x\u2081\u00b2 + x\u2082\u00b2 = a\u2009x\u2081 + c\u2009x\u2082 + h. Completing the square gives a circle " +
    "around (a/2, c/2) with squared radius h + (a\u00b2 + c\u00b2)/4.";
  return {
    kind: isSeparated ? "done" : "mistake",
    chip,
    text,
    why: result + (cut.kind === "circle" ? square : ""),
  };
}

// The Python that shows the same.
function pythonCode({ X, y }, model) {
  const list = (values) => `[${values.join(", ")}]`;
  const value = (name) => (name === "theta" ? list(model.get(name)) : model.get(name));
  return [
    "from pla_lib import feature_lift",
    "",
    `X = [${X.map(list).join(", ")}]`,
    `y = ${list(y)}`,
    "widget = feature_lift(X, y)",
    ...["step", "lift", "theta", "azimuth", "elevation"].map((name) => `widget.${name} = ${value(name)}`),
    "widget",
    "",
  ].join("\n");
}

function render({ model, el }) {
  const record = model.get("record");
  const { X, y, best } = record;
  const reach = 1.08 * X.reduce((most, x) => Math.max(most, Math.hypot(...x)), 0) || 1;
  const top = reach * reach;
  const lights = spotlight();
  const stage = motion();
  const now = () => ({
    ...Object.fromEntries(["theta", "lift", "azimuth", "elevation"].map((name) => [name, model.get(name)])),
    plane: steps.now() >= 2 ? 1 : 0,
    shadow: steps.now() >= 3 ? 1 : 0,
  });
  const hasPlane = () =>
    steps.now() >= 2 && model.get("lift") > 0 && planeCut(model.get("theta"), reach).kind !== "none";

  // Until the reader has turned the picture, it says that it can be turned.
  const hint = element("div", { class: "pla-turn-hint" }, "drag to turn");
  const space = fittedPicture((size) => {
    const picture = spacePicture(record, reach, size, lights, describe);
    makeRotatable(picture.node, (across, down) => {
      hint.hidden = true;
      change(model, {
        azimuth: ((model.get("azimuth") + across + 540) % 360) - 180,
        elevation: clamp(model.get("elevation") + down, 0, 90),
      });
    });
    picture.extras.push(hint);
    return picture;
  });
  const ground = fittedPicture((size) => groundPicture(record, reach, size, lights, describe));
  const results = facts("wrong side", "centre", "radius", "plane");

  // What is said of point i: its place and height, and once there is a plane, its score.
  function describe(i) {
    const place = `Point\u00a0${i}, class\u00a0${signed(y[i])}, at\u00a0${vector(X[i])}`;
    const height = model.get("lift") > 0 ? `, height\u00a0${number(model.get("lift") * phi(X[i])[2])}` : "";
    if (!hasPlane()) return `${place}${height}.`;
    const value = scoreOf(model.get("theta"), X[i]);
    const verdict = value === 0 ? "on the plane" : y[i] * value > 0 ? "right" : "wrong";
    return `${place}${height}: score\u00a0${signed(value)}, ${verdict}.`;
  }

  // A step sets the height of the points and from where we look. The first one also brings back the first plane; the
  // others keep the one that the reader has made.
  const liftAt = (step) => (step === 0 ? 0 : 1);
  const steps = transport(model, LAST_STEP, {
    name: "Step",
    stay: (step) => (step === 0 ? 1900 : 2700),
    go(step) {
      const plane = step === 0 ? { theta: best } : {};
      const rises = model.get("lift") !== liftAt(step);
      animated(steps.duration(rises ? RISING : TURNING), () =>
        change(model, { step, lift: liftAt(step), elevation: ELEVATIONS[step], ...plane }),
      );
    },
    isAway: () => model.get("lift") !== liftAt(steps.now()),
  });

  // The plane as x3 = a x1 + c x2 + h. Moving it keeps its positive side and the size of w3. An upright plane has no
  // such form: it is first laid flat on the ground. A plane that is moved is seen, and so are the points at its height.
  function planeForm(theta = model.get("theta")) {
    const { a = 0, c = 0, h = 0 } = planeCut(theta, reach);
    return { a, c, h };
  }
  function movePlane(part, gesture) {
    const { a, c, h } = { ...planeForm(), ...part };
    const w3 = "a" in planeCut(model.get("theta"), reach) ? model.get("theta")[3] : 1;
    const theta = [-h * w3, -a * w3, -c * w3, w3];
    ui.edit({ theta, lift: 1, step: Math.max(2, steps.now()) }, gesture);
  }
  // Sliders go in steps of a power of ten, some hundreds of them; lengths are written to the same precision.
  const precision = (size) => 10 ** Math.floor(Math.log10(size / 50));
  const rounded = (value, size) => Math.round(value / precision(size)) * precision(size);
  function lengthText(...values) {
    const texts = values.map((value) => number(rounded(value, reach)));
    return texts.length > 1 ? `(${texts.join(", ")})` : texts[0];
  }
  const heightText = (value) => number(rounded(value, top));
  const slopes = { min: -rounded(reach, reach), max: rounded(reach, reach), step: precision(reach) };
  const heights = { min: -rounded(top / 2, top / 2), max: rounded(top, top), step: precision(top) };
  const planeSlider = (name, limits, part) =>
    slider(
      name,
      limits,
      (value, gesture) => movePlane({ [part]: value }, gesture),
      () => planeForm(best)[part],
    );
  const sliders = {
    h: planeSlider("Height", heights, "h"),
    a: planeSlider("Slope in x\u2081", slopes, "a"),
    c: planeSlider("Slope in x\u2082", slopes, "c"),
    azimuth: slider("Turn", { min: -180, max: 180, step: 1 }, (azimuth) => change(model, { azimuth }), -60),
    elevation: slider(
      "Look down",
      { min: 0, max: 90, step: 1 },
      (elevation) => change(model, { elevation }),
      () => ELEVATIONS[steps.now()],
    ),
    lift: slider("Lift", { min: 0, max: 1, step: 0.01 }, (lift, gesture) => ui.edit({ lift }, gesture), 1),
  };
  const degrees = (value) => `${number(Math.round(value))}\u00b0`;
  const sliderTexts = {
    h: heightText,
    a: lengthText,
    c: lengthText,
    azimuth: degrees,
    elevation: degrees,
    lift: (value) => `${number(Math.round(100 * value))}%`,
  };
  const pane = (...nodes) => element("div", { class: "pla-pane pla-with-main" }, ...nodes);
  const reset = button("Reset plane", () => animated(RESETTING, () => ui.edit({ theta: best })));

  const ui = shell(
    { model, el },
    {
      name: "Lift to a paraboloid",
      main: { name: "Space", picture: space },
      panes: {
        Ground: ground.node,
        Plane: pane(...["h", "a", "c"].map((name) => sliders[name].node), reset),
        View: pane(...["azimuth", "elevation", "lift"].map((name) => sliders[name].node)),
        Numbers: results.node,
      },
      steps,
      state: {
        step: count,
        lift: numberBetween(0, 1),
        theta: numbers(4),
        azimuth: numberBetween(-180, 180),
        elevation: numberBetween(0, 90),
      },
      edits: ["theta", "lift", "step"],
      python: () => pythonCode(record, model),
      lights,
    },
  );
  ui.root.classList.add("pla-feature-lift");

  function planeText(cut) {
    if (cut.kind === "line") return "vertical";
    const term = (value, name) => ` ${value < 0 ? "\u2212" : "+"} ${lengthText(Math.abs(value))}\u2009${name}`;
    return `x\u2083 = ${heightText(cut.h)}${term(cut.a, "x\u2081")}${term(cut.c, "x\u2082")}`;
  }

  // What follows from a plane: how it cuts, and which points are on its wrong side, as long as it is seen.
  function consequences(theta, isSeen) {
    const cut = planeCut(theta, reach);
    const isWrong = (x, i) => isSeen && y[i] * scoreOf(theta, x) <= 0;
    return { cut, curve: shadowPoints(theta, cut, reach), wrong: X.flatMap((x, i) => (isWrong(x, i) ? [i] : [])) };
  }

  // Changes several values as one, with a motion from what is shown to what they lead to.
  let isHeld = false;
  function animated(milliseconds, act) {
    isHeld = true;
    act();
    isHeld = false;
    draw(milliseconds);
  }
  let shown = null;
  function draw(milliseconds = 0) {
    if (isHeld) return;
    const target = now();
    const from = shown ?? target;
    shown = target;
    const { cut, wrong } = consequences(target.theta, hasPlane());
    const verdict = describeScene(record, { step: steps.now(), lift: target.lift, cut, wrong }, lengthText);
    stage.play(milliseconds, (t) => {
      const scene = Object.fromEntries(
        Object.entries(target).map(([name, value]) => [name, mix(from[name], value, t < 1 ? phase(t) : 1)]),
      );
      Object.assign(scene, consequences(scene.theta, scene.plane > 0.5 && hasPlane()), { text: verdict.text });
      space.draw(scene);
      ground.draw(scene);
    });
    const isSeen = hasPlane();
    const { centre, radius } = steps.now() >= 3 && isSeen ? cut : {};
    results.show(
      isSeen ? `${wrong.length} of ${y.length}` : NOTHING,
      centre ? lengthText(...centre) : NOTHING,
      centre ? lengthText(radius) : NOTHING,
      isSeen ? planeText(cut) : NOTHING,
    );
    const values = { ...target, ...planeForm() };
    for (const [name, one] of Object.entries(sliders)) one.show(values[name], sliderTexts[name](values[name]));
    ui.show(verdict);
    steps.show();
  }

  const unfollow = follow(model, ["theta", "lift", "azimuth", "elevation", "step"], () => draw());
  return () => {
    unfollow();
    stage.finish();
    ground.stop();
    ui.stop();
  };
}

export default { render };
