// What all widgets share: elements, a plane with equal scales, points, half-planes, handles, controls, numbers in words.

const SVG = "http://www.w3.org/2000/svg";

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...children);
  return node;
}

const element = (tag, attributes = {}, ...children) => filled(document.createElement(tag), attributes, children);
const shape = (tag, attributes = {}, ...children) => filled(document.createElementNS(SVG, tag), attributes, children);

// A number as it is read aloud: a true minus sign, three digits that count.
function number(value) {
  const rounded = Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
  return String(rounded || 0).replaceAll("-", "\u2212");
}

const signed = (value) => (value > 0 ? "+" : "") + number(value);
const vector = (values) => `(${values.map((value) => number(value)).join(", ")})`;
const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
const dot = (a, b) => a.reduce((sum, value, j) => sum + value * b[j], 0);
// The examples as theta takes them: with x0 = 1 in front if theta has one entry more than x.
const input = (theta, x) => (theta.length > x.length ? [1, ...x] : x);

// A part of the plane that holds the points, drawn with the same scale on both axes.
function plane(points, { width = 400, height = 300, names = ["x\u2081", "x\u2082"] } = {}) {
  const low = [0, 1].map((k) => points.reduce((least, point) => Math.min(least, point[k]), Infinity));
  const high = [0, 1].map((k) => points.reduce((most, point) => Math.max(most, point[k]), -Infinity));
  const middle = [0, 1].map((k) => (low[k] + high[k]) / 2);
  // An axis along which all points agree sets no scale.
  const fits = Math.min(width / (high[0] - low[0]), height / (high[1] - low[1]));
  const scale = 0.8 * (Number.isFinite(fits) ? fits : height / 2);
  const to = ([x, y]) => [width / 2 + scale * (x - middle[0]), height / 2 - scale * (y - middle[1])];
  const from = ([u, v]) => [middle[0] + (u - width / 2) / scale, middle[1] - (v - height / 2) / scale];
  const corners = [[0, 0], [width, 0], [width, height], [0, height]].map(from);
  return { width, height, names, scale, to, from, corners, middle };
}

// Round numbers between low and high, at most `count` or so.
function ticks(low, high, count = 5) {
  const rough = (high - low) / count, power = 10 ** Math.floor(Math.log10(rough));
  const step = power * [1, 2, 5, 10].find((k) => k * power >= rough);
  const first = Math.ceil(low / step), length = Math.floor(high / step) - first + 1;
  return Array.from({ length }, (_, k) => (first + k) * step);
}

// The axes' ticks, written along the edges.
function axes(plane) {
  const group = shape("g", { class: "pla-axes", "aria-hidden": true });
  const [[left, top], , [right, bottom]] = plane.corners;
  const across = ticks(left, right, 8), step = across[1] - across[0];
  for (const x of across) {
    const [u] = plane.to([x, 0]);
    group.append(shape("line", { x1: u, x2: u, y1: 0, y2: plane.height }));
    if (u > 20 && u < plane.width - 32) group.append(shape("text", { x: u, y: plane.height - 6, "text-anchor": "middle" }, number(x)));
  }
  for (let y = Math.ceil(bottom / step) * step; y <= top; y += step) {
    const [, v] = plane.to([0, y]);
    group.append(shape("line", { x1: 0, x2: plane.width, y1: v, y2: v }));
    if (v > 30 && v < plane.height - 24) group.append(shape("text", { x: 6, y: v + 4 }, number(y)));
  }
  group.append(shape("text", { x: plane.width - 8, y: plane.height - 6, "text-anchor": "end", class: "pla-name" }, plane.names[0]));
  group.append(shape("text", { x: 6, y: 16, class: "pla-name" }, plane.names[1]));
  return group;
}

const picture = (view, name, ...shapes) =>
  shape("svg", { viewBox: `0 0 ${view.width} ${view.height}`, role: "img", "aria-label": name }, ...shapes);

// A picture with handles in it is a group; an image would hide them from a screen reader.
const stage = (...parts) => filled(picture(...parts), { role: "group" }, []);
const titled = (title, text, svg) =>
  element("div", { class: "pla-titled" }, element("p", { class: "pla-title" }, element("strong", {}, title), text), svg);

// Class +1 is a disc, class -1 a square: shape as well as colour.
function mark(plane, point, label) {
  const [u, v] = plane.to(point);
  return label > 0
    ? shape("circle", { cx: u, cy: v, r: 5.5, class: "pla-positive" })
    : shape("rect", { x: u - 5, y: v - 5, width: 10, height: 10, class: "pla-negative" });
}

const path = (points) => (points.length ? "M" + points.map((point) => point.map((c) => c.toFixed(1)).join(",")).join("L") : "");
const area = (points) => (points.length ? path(points) + "Z" : "");
const cross = ([u, v]) => path([[u - 8, v - 8], [u + 8, v + 8]]) + path([[u - 8, v + 8], [u + 8, v - 8]]);

// An arrow between two points of the picture.
function arrow(foot, tip) {
  const length = Math.hypot(tip[0] - foot[0], tip[1] - foot[1]) || 1;
  const [u, v] = [(tip[0] - foot[0]) / length, (tip[1] - foot[1]) / length];
  const barb = (side) => [tip[0] - 8 * u + side * 4.5 * v, tip[1] - 8 * v - side * 4.5 * u];
  return path([foot, tip]) + path([barb(1), tip, barb(-1)]);
}

// The part of a polygon where score >= 0, and the cut: the part of the line score = 0 within it (none, or two points).
function clip(polygon, score) {
  const side = [], cut = [];
  polygon.forEach((p, k) => {
    const q = polygon[(k + 1) % polygon.length], [sp, sq] = [score(p), score(q)];
    if (sp >= 0) side.push(p);
    if ((sp < 0) !== (sq < 0)) {
      const at = [0, 1].map((i) => p[i] + (sp / (sp - sq)) * (q[i] - p[i]));
      side.push(at);
      cut.push(at);
    }
  });
  return { side, cut };
}

// Where theta = [b, w] (or w alone) says +1 within the frame, the part of the line in the frame (none if it runs outside),
// the middle of that part, from which the arrow w is drawn, and the direction of w; null while w = 0.
function halfPlane(plane, theta) {
  const [w1, w2] = theta.slice(-2), b = theta.length === 3 ? theta[0] : 0;
  if (w1 === 0 && w2 === 0) return null;
  const { side, cut } = clip(plane.corners, ([x, y]) => w1 * x + w2 * y + b);
  const norm = Math.hypot(w1, w2), line = cut.map(plane.to);
  const foot = line.length ? [0, 1].map((i) => (line[0][i] + line[1][i]) / 2) : null;
  return { side: side.map(plane.to), line, foot, normal: [w1 / norm, -w2 / norm] };
}

// The line of theta as it is drawn everywhere: positive side tinted, w an arrow from the line, what was before faded.
// `tint` lies below the axes, `over` above them. `draw` says whether there is a line, and if so whether it is in the frame.
function separator(view) {
  const tint = shape("path", { class: "pla-side" });
  const old = shape("path", { class: "pla-line pla-old" });
  const line = shape("path", { class: "pla-line pla-now" });
  const normal = shape("path", { class: "pla-line pla-arrow" });
  const name = shape("text", { class: "pla-w" });
  function draw(theta, before = null) {
    const here = halfPlane(view, theta), was = before && halfPlane(view, before);
    tint.setAttribute("d", here ? area(here.side) : "");
    line.setAttribute("d", here ? path(here.line) : "");
    old.setAttribute("d", was ? path(was.line) : "");
    const at = (length) => [0, 1].map((i) => here.foot[i] + length * here.normal[i]);
    // The arrow shows a direction: it is shortened where the frame is near.
    const room = here?.foot ? [40, 32, 24, 16].find((length) => inside(view, at(length + 14))) ?? 16 : 0;
    normal.setAttribute("d", room ? arrow(here.foot, at(room)) : "");
    name.textContent = room ? "w" : "";
    if (room) filled(name, { x: at(room + 12)[0], y: at(room + 12)[1] + 5 }, []);
    return !here ? " No line yet." : here.foot ? "" : " The line runs outside the picture.";
  }
  return { tint, over: shape("g", {}, old, line, normal, name), draw };
}

const inside = ({ width, height }, [u, v]) => u > 0 && u < width && v > 0 && v < height;

// The ring round the example in hand, and the cross of a mistake.
function spotlight(view) {
  const ring = shape("circle", { r: 11, class: "pla-ring" }), crossed = shape("path", { class: "pla-cross" });
  function draw(point, wrong) {
    const at = point && view.to(point);
    ring.setAttribute("visibility", at ? "visible" : "hidden");
    if (at) filled(ring, { cx: at[0], cy: at[1] }, []);
    crossed.setAttribute("d", at && wrong ? cross(at) : "");
  }
  return { node: shape("g", {}, ring, crossed), draw };
}

// Where in the plane a pointer is.
function pointed(view, svg, event) {
  const { x, y } = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
  return view.from([x, y]);
}

// Something to be moved by mouse, finger or arrow keys (finely with shift). `move` gets the point it is moved to.
function handle(view, node, { name, at, move }) {
  filled(node, { tabindex: 0, role: "button", "aria-label": name, class: `${node.getAttribute("class") ?? ""} pla-handle` }, []);
  let held = false;
  node.addEventListener("pointerdown", (event) => { held = true; node.setPointerCapture(event.pointerId); event.stopPropagation(); });
  // Within a picture Chromium does not heed touch-action: without this, a finger would scroll the page.
  node.addEventListener("touchstart", (event) => event.preventDefault(), { passive: false });
  node.addEventListener("pointermove", (event) => held && move(pointed(view, node.ownerSVGElement, event)));
  for (const end of ["pointerup", "pointercancel"]) node.addEventListener(end, () => (held = false));
  const directions = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
  node.addEventListener("keydown", (event) => {
    const way = directions[event.key];
    if (!way || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    const by = (event.shiftKey ? 2 : 10) / view.scale;
    move(at().map((value, k) => value + by * way[k]));
  });
  return node;
}

// Controls, each a real one with a name.

function button(text, act, attributes = {}) {
  const node = element("button", { type: "button", ...attributes }, text);
  node.addEventListener("click", act);
  return node;
}

function slider(name, limits, act) {
  const node = element("input", { type: "range", "aria-label": name, ...limits });
  node.addEventListener("input", () => act(node.valueAsNumber));
  return node;
}

// One of several: `options` maps values to their names.
function choice(name, options, act) {
  const select = element("select", {}, ...Object.entries(options).map(([value, text]) => element("option", { value }, text)));
  select.addEventListener("change", () => act(select.value));
  return { node: element("label", { class: "pla-choice" }, name, select), select };
}

function toggle(name, act) {
  const box = element("input", { type: "checkbox" });
  box.addEventListener("change", () => act(box.checked));
  return { node: element("label", { class: "pla-toggle" }, box, name), box };
}

// Numbers with their names; `show` takes their values in the same order.
function facts(...terms) {
  const values = terms.map(() => element("strong"));
  const node = element("div", { class: "pla-numbers" }, ...terms.map((term, k) => element("div", {}, term, values[k])));
  return { node, values, show: (...texts) => texts.forEach((text, k) => (values[k].textContent = text)) };
}

const row = (...nodes) => element("div", { class: "pla-controls" }, ...nodes);
// What is shown, in words: read aloud when it changes.
const spoken = () => element("p", { class: "pla-words", "aria-live": "polite" });

// What goes step by step: first, back, next, perhaps a jump, last, play with its speed, slider and keys.
// `model.step` is where it stands, `end_at` where it ends: a number, or a function where that changes. `show` keeps the controls true; `listen` makes the arrow keys work
// anywhere in the widget.
function stepping(model, end_at, { name = "Step", jump = null } = {}) {
  const calm = matchMedia("(prefers-reduced-motion: reduce)"), last = () => (typeof end_at === "function" ? end_at() : end_at);
  let timer = null;
  const now = () => Math.min(model.get("step"), last());
  const go = (step) => { model.set("step", Math.max(0, Math.min(last(), step))); model.save_changes(); };
  const halt = () => { clearInterval(timer); timer = null; play.textContent = "\u25b6 Play"; };
  const by_hand = (step) => { halt(); go(step); };
  const first = button("\u21e4", () => by_hand(0), { "aria-label": "First" });
  const back = button("\u2190 Back", () => by_hand(now() - 1));
  const next = button("Next \u2192", () => by_hand(now() + 1));
  const end = button("\u21e5", () => by_hand(last()), { "aria-label": "Last" });
  const skip = jump && button(jump.text, () => by_hand(jump.to(now())));
  const place = slider(name, { min: 0, step: 1 }, by_hand);
  const speed = choice("Speed", { 1000: "slow", 400: "normal", 120: "fast" }, () => timer && run());
  speed.select.value = 400;
  const play = button("\u25b6 Play", () => (timer ? halt() : run()));
  function run() {
    halt();
    if (now() === last()) go(0);
    play.textContent = "\u23f8 Pause";
    timer = setInterval(() => (now() < last() ? go(now() + 1) : halt()), Number(speed.select.value));
  }
  // Whoever asks for less motion steps by hand.
  const motion = element("span", { class: "pla-group" }, play, speed.node);
  const still = () => { motion.hidden = calm.matches; if (calm.matches) halt(); };
  calm.addEventListener("change", still);
  still();
  function show() {
    place.max = last();
    place.value = now();
    place.setAttribute("aria-valuetext", `${now()} of ${last()}`);
    // aria-disabled keeps the focus where it is when an end is reached.
    for (const node of [first, back]) node.setAttribute("aria-disabled", now() === 0);
    for (const node of [next, end, skip]) node?.setAttribute("aria-disabled", now() === last());
  }
  const keys = { ArrowLeft: () => now() - 1, ArrowRight: () => now() + 1, Home: () => 0, End: () => last() };
  function listen(event) {
    if (event.target.matches?.("input, select, .pla-handle") || !(event.key in keys) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    event.stopPropagation();
    by_hand(keys[event.key]());
  }
  const stop = () => { halt(); calm.removeEventListener("change", still); };
  return { nodes: [row(first, back, place, next, end), row(...(skip ? [skip] : []), motion)], next, go: by_hand, now, show, listen, stop };
}

// Put a widget together: pictures beside or above words and numbers, controls below.
function assemble(el, name, { pictures, panel = [], controls = [], keys = null }) {
  const root = element("div", { class: pictures.length > 1 ? "pla pla-two" : "pla", role: "group", "aria-label": name },
    element("div", { class: "pla-pictures" }, ...pictures),
    element("div", { class: "pla-panel" }, ...panel),
    element("div", { class: "pla-rows" }, ...controls));
  if (keys) root.addEventListener("keydown", keys);
  el.append(element("div", { class: "pla-frame" }, root));
  return root;
}

// Draw now and whenever one of the model's values changes; gives what undoes that.
function follow(model, names, draw) {
  for (const name of names) model.on(`change:${name}`, draw);
  draw();
  return () => names.forEach((name) => model.off(`change:${name}`, draw));
}
