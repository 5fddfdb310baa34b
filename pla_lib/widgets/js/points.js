// The points of the data: right ones full, wrong ones hollow with a cross, the current one ringed and larger. Hover,
// focus or tap on a point and it tells its number, class, place and score, with the perpendicular to the line.

import { element, isPlainKey, path, pathShape, setAttributes, shape } from "./dom.js";
import { dot, pointerInPicture } from "./plane.js";
import { number, signed, vector } from "./wording.js";

const MOST_SHAPES = 400; // above this many points they are drawn on a canvas
const NEAR = 14; // pixels from a point at which the pointer is on it

// Class +1 is a disc, class -1 a square: readers who do not see the colours see the shapes. Around the origin.
export const mark = (label) =>
  label > 0
    ? shape("circle", { r: 5.5, class: "pla-mark pla-positive" })
    : shape("rect", { x: -5, y: -5, width: 10, height: 10, class: "pla-mark pla-negative" });

// Which point the reader looks at, or null: pictures, log and words all light it up.
export function spotlight() {
  const listeners = new Set();
  let lit = null;
  function light(point) {
    if (point === lit) return;
    lit = point;
    for (const listen of listeners) listen(lit);
  }
  // Hovering `node` lights the point; leaving it puts the light out.
  function link(node, point) {
    node.dataset.point = point;
    node.addEventListener("pointerenter", () => light(point));
    node.addEventListener("pointerleave", () => light(null));
    return node;
  }
  // Calls `listen` whenever the light goes to another point. Returns the function that ends this.
  function onChange(listen) {
    listeners.add(listen);
    return () => listeners.delete(listen);
  }
  return { light, link, lit: () => lit, onChange };
}

const signedScore = (theta, x, label) => label * (theta.length > 2 ? theta[0] + dot(theta.slice(1), x) : dot(theta, x));

// What is to be said of point i under theta, or of the point alone while there is no line.
export function describePoint(i, x, label, theta) {
  const place = `Point\u00a0${i}, class\u00a0${signed(label)}, at\u00a0${vector(x)}`;
  if (!theta || theta.every((value) => value === 0)) return `${place}.`;
  const score = label * signedScore(theta, x, label);
  const verdict = score === 0 ? "on the line" : label * score > 0 ? "right" : "wrong";
  const length = Math.hypot(...theta.slice(-2));
  // The dashed perpendicular shows the distance.
  const distance = length ? ` Distance to the line: ${number(Math.abs(score) / length)}.` : "";
  return `${place}: score\u00a0${signed(score)}, ${verdict}.${distance}`;
}

// Lets the pointer read a picture: `look(place)` gets where the pointer is, in units of the picture, and null when it
// leaves; it returns what the tooltip says there, as { at, text }, or null. Returns the tooltip, which belongs into the
// picture's box.
export function readout(svg, size, look) {
  const tip = element("div", { class: "pla-tip", hidden: "" });
  function show(place) {
    const found = look(place);
    tip.hidden = !found;
    if (found) showTip(tip, size, found.at, found.text);
  }
  for (const name of ["pointermove", "pointerdown"])
    svg.addEventListener(name, (event) => show(pointerInPicture(svg, event)));
  svg.addEventListener("pointerleave", () => show(null));
  return tip;
}

// What a tooltip covers as little as it can, and how bad it is to cover it: names and scores, then other points.
const COVERED = { ".pla-label, .pla-symbol": 3, ".pla-mark": 1 };

// Shows a text above or below a place in a picture, straight or aside, where it covers least, but always within the
// picture.
export function showTip(tip, { width, height }, [u, v], text) {
  tip.hidden = false;
  tip.textContent = text;
  const [wide, high] = [tip.offsetWidth, tip.offsetHeight];
  const half = wide / 2 + 4;
  const svg = tip.parentElement?.querySelector("svg");
  const frame = svg?.getBoundingClientRect();
  const covered = Object.entries(COVERED).flatMap(([names, cost]) =>
    [...(svg?.querySelectorAll(names) ?? [])].map((node) => [node.getBoundingClientRect(), cost]),
  );
  function cost({ at, isBelow, level }) {
    const [left, top] = [at - wide / 2, isBelow ? level + 16 : level - 14 - high];
    const isOutside = top < 0 || top + high > height;
    return covered.reduce(
      (sum, [box, bad]) => {
        const meets = box.width && box.left - frame.left < left + wide && box.right - frame.left > left;
        return sum + (meets && box.top - frame.top < top + high && box.bottom - frame.top > top ? bad : 0);
      },
      isOutside ? 100 : 0,
    );
  }
  // Near the place, and if need be beyond a name that is beside it.
  const places = [0, 34].flatMap((away) =>
    [false, true].flatMap((isBelow) =>
      [0, 0.8, -0.8].map((aside) => ({
        isBelow,
        at: Math.max(half, Math.min(width - half, u + aside * half)),
        level: isBelow ? v + away : v - away,
      })),
    ),
  );
  const best = places.map((place) => [cost(place), place]).reduce((one, other) => (other[0] < one[0] ? other : one))[1];
  tip.style.setProperty("--u", `${best.at}px`);
  tip.style.setProperty("--v", `${best.level}px`);
  tip.classList.toggle("pla-below", best.isBelow);
}

// The layer of points in a view. `points` is { X, y }; `lights` a spotlight; `describe(i)` may replace the words of the
// tooltip; `decorate(node, i)` may make a point's shape into a handle, and `hint` says how to use it. `draw({ theta,
// current, wrong })` brings it up to date: `wrong` are the points to be crossed, unless the line is to judge them.
// `move({ X, y })` replaces the points. `node` belongs into the svg, `extras` into its box. `stop` ends what listens.
export function pointLayer(
  view,
  { X, y },
  lights,
  { describe = null, decorate = null, hint = "", name = "Points" } = {},
) {
  const layer = shape("g", { class: "pla-points", role: "group", "aria-label": name });
  const perpendicular = pathShape("pla-thin pla-perpendicular");
  const currentRing = shape("circle", {
    r: 12,
    class: "pla-ring pla-current-ring",
    "pointer-events": "none",
    visibility: "hidden",
  });
  const node = shape("g", {}, perpendicular, layer, currentRing);
  const tip = element("div", { class: "pla-tip", hidden: "" });
  const canvas = element("canvas", { class: "pla-many-points", "aria-hidden": true });
  let state = { theta: null, current: null };
  let places = [];
  let selected = 0; // the point that Tab reaches; Page Up and Page Down lead to the others
  const isMany = () => X.length > MOST_SHAPES;
  const words = (i) => describe?.(i) ?? describePoint(i, X[i], y[i], state.theta);
  const hasLine = () => state.theta?.slice(-2).some((value) => value !== 0) ?? false;
  const isWrong = (i) => state.wrong?.has(i) ?? (hasLine() && !(signedScore(state.theta, X[i], y[i]) > 0));

  function pointShape(i) {
    const cross = pathShape("pla-mark-cross", "M-3.2-3.2 3.2 3.2M-3.2 3.2 3.2-3.2");
    const one = shape("g", { class: "pla-point", role: "button", "data-point": i }, mark(y[i]), cross);
    one.prepend(shape("circle", { class: "pla-touch-area" }), shape("circle", { r: 13, class: "pla-focus-ring" }));
    one.addEventListener("pointerenter", () => lights.light(i));
    one.addEventListener("pointerleave", () => lights.light(null));
    one.addEventListener("focus", () => {
      select(i);
      lights.light(i);
    });
    one.addEventListener("blur", () => lights.light(null));
    one.addEventListener("click", () => lights.light(i));
    one.addEventListener("keydown", (event) => {
      const by = { PageDown: 1, PageUp: -1 }[event.key];
      if (!by || !isPlainKey(event)) return;
      event.preventDefault();
      event.stopPropagation();
      layer.children[(i + by + X.length) % X.length].focus();
    });
    decorate?.(one, i);
    return one;
  }
  function select(i) {
    layer.children[selected]?.setAttribute("tabindex", -1);
    selected = clampIndex(i);
    layer.children[selected]?.setAttribute("tabindex", 0);
  }
  const clampIndex = (i) => Math.max(0, Math.min(i, X.length - 1));

  // A point answers to a pointer that is near, but not to one that is nearer to its neighbour.
  function reachOf(i) {
    const [p, q] = places[i];
    const nearest = places.reduce(
      (least, [u, v], j) => (j === i ? least : Math.min(least, Math.hypot(u - p, v - q))),
      99,
    );
    return Math.max(6, Math.min(NEAR, nearest / 2));
  }
  function move(points, choose = selected) {
    ({ X, y } = points);
    places = X.map(view.to);
    canvas.hidden = !isMany();
    const count = isMany() ? 0 : X.length;
    while (layer.childElementCount > count) layer.lastChild.remove();
    for (let i = 0; i < count; i++) {
      const one = layer.children[i];
      if (!one) layer.append(setAttributes(pointShape(i), { tabindex: -1 }));
      else if (one.dataset.label !== String(y[i])) one.querySelector(".pla-mark").replaceWith(mark(y[i]));
      layer.children[i].dataset.label = y[i];
      layer.children[i].setAttribute("transform", `translate(${places[i].map((c) => c.toFixed(2)).join(" ")})`);
      layer.children[i].querySelector(".pla-touch-area").setAttribute("r", reachOf(i));
    }
    select(choose);
  }

  function drawCanvas() {
    const ratio = devicePixelRatio || 1;
    setAttributes(canvas, { width: view.width * ratio, height: view.height * ratio });
    const pen = canvas.getContext("2d");
    pen.scale(ratio, ratio);
    const style = getComputedStyle(canvas);
    const colours = { 1: style.getPropertyValue("--pla-positive"), "-1": style.getPropertyValue("--pla-negative") };
    const paper = style.getPropertyValue("--pla-paper");
    places.forEach(([u, v], i) => {
      const wrong = isWrong(i);
      pen.beginPath();
      if (y[i] > 0) pen.arc(u, v, 3.5, 0, 7);
      else pen.rect(u - 3.2, v - 3.2, 6.4, 6.4);
      pen.fillStyle = wrong ? paper : colours[y[i]];
      pen.strokeStyle = colours[y[i]];
      pen.fill();
      pen.stroke();
    });
  }

  function drawLit() {
    const i = lights.lit();
    const isLit = i !== null && i < X.length;
    for (const one of layer.querySelectorAll(".pla-lit"))
      if (Number(one.dataset.point) !== i) one.classList.remove("pla-lit");
    layer.children[i]?.classList.add("pla-lit");
    tip.hidden = !isLit;
    perpendicular.setAttribute("d", "");
    if (!isLit) return;
    const [u, v] = places[i];
    showTip(tip, view, [u, v], words(i));
    if (!hasLine()) return;
    const w = state.theta.slice(-2);
    const reach = (y[i] * signedScore(state.theta, X[i], y[i])) / dot(w, w);
    perpendicular.setAttribute("d", path([places[i], view.to(X[i].map((value, k) => value - reach * w[k]))]));
  }
  const stop = lights.onChange(drawLit);

  function draw(next) {
    state = { ...state, ...next, wrong: next.wrong && new Set(next.wrong) };
    if (isMany()) drawCanvas();
    else
      [...layer.children].forEach((one, i) => {
        one.classList.toggle("pla-wrong", isWrong(i));
        one.classList.toggle("pla-current", i === state.current);
        one.setAttribute("aria-label", words(i) + hint);
      });
    const centre = places[state.current ?? -1];
    currentRing.setAttribute("visibility", centre ? "visible" : "hidden");
    if (centre) setAttributes(currentRing, { cx: centre[0], cy: centre[1] });
    if (lights.lit() !== null) drawLit();
  }

  // With a canvas the pointer finds the nearest point itself.
  const nearest = ([p, q]) =>
    places.reduce((best, [u, v], i) => {
      const distance = Math.hypot(u - p, v - q);
      return distance < (best?.distance ?? NEAR) ? { i, distance } : best;
    }, null)?.i ?? null;
  function follow(svg) {
    svg.addEventListener("pointermove", (event) => {
      if (isMany()) lights.light(nearest(pointerInPicture(svg, event)));
    });
  }

  move({ X, y });
  const shapes = layer.children;
  return {
    node,
    extras: [canvas, tip],
    draw,
    move,
    select,
    nearest,
    follow,
    isMany,
    places: () => places,
    shapes,
    stop,
  };
}
