// The margin explorer: `theta` = [b, w1, w2] with ||w|| = 1 is the reader's line; the widest one was computed in Python.

import { assemble, button, facts, follow, row, slider, spoken } from "./controls.js";
import { area, arrow, cross, element, filled, layer, path, picture, rings, shape } from "./dom.js";
import { axes, clip, dot, halfPlane, handle, inside, mark, plane } from "./plane.js";
import { counted, number, signed, vector } from "./wording.js";

const least = (values) => values.reduce((least, value) => Math.min(least, value), Infinity);
const clamp = (value, low, high) => Math.max(low, Math.min(high, value));
const percent = (share) => `${number(100 * share)}\u00a0%`;

// What a line is worth: y * (w'x + b) is how far a point is on its right side. `near` is what the eye cannot tell apart.
function judged({ X, y }, [b, ...w], near) {
  const distance = X.map((x, i) => y[i] * (dot(w, x) + b)),
    margin = least(distance);
  const those = (test) => X.filter((_, i) => test(distance[i]));
  const [plus, minus] = [1, -1].map((label) => least(distance.filter((_, i) => y[i] === label)));
  const wrong = those((d) => !(d > 0)),
    nearest = those((d) => d <= margin + near);
  return { margin, plus, minus, separates: margin > 0, wrong, nearest };
}

// The same in words, and what would help, unless the widest line is there to be seen.
function told({ X, widest }, { margin, plus, minus, separates, wrong }, revealed, near) {
  const best = `The widest margin is ${number(widest.margin)}. Dashed rings mark its ${counted(widest.support.length, "support vector")}.`;
  if (!separates) {
    const worst =
      margin < 0
        ? `the worst by\u00a0${number(-margin)}. So the margin is negative.`
        : "on the line itself. So the margin is\u00a00.";
    const who = wrong.length === 1 ? "1 point is" : `${wrong.length} points are`;
    const advice = wrong.length === X.length ? "Turn it right round." : "Turn or shift it until no cross is left.";
    return `This line does not separate: ${who} wrong, ${worst} ${revealed ? best : advice}`;
  }
  const farther = `class\u00a0${signed(plus > minus ? 1 : -1)}`;
  const advice =
    margin > 0.99 * widest.margin
      ? "It is the widest, as near as a hand can come."
      : Math.abs(plus - minus) > 2 * near
        ? `Shift the line towards ${farther} to widen it.`
        : "A shift cannot widen it any more. A turn can.";
  const distances = `${number(plus)} away in class\u00a0+1, ${number(minus)} in class\u00a0\u22121`;
  return `Nearest points: ${distances}. The smaller is the margin. ${revealed ? best : advice}`;
}

// A line's margins, where its score is -margin and +margin, and the band between them.
function band(view, [b, ...w], margin) {
  const above = (x) => dot(w, x) + b + margin,
    below = (x) => margin - dot(w, x) - b;
  const upper = clip(view.corners, below),
    lower = clip(view.corners, above);
  return {
    edges: path(upper.cut.map(view.to)) + path(lower.cut.map(view.to)),
    inner: area(clip(upper.side, above).side.map(view.to)),
  };
}

// The widest line, drawn once and shown when asked for.
function optimum(view, { X, widest: { theta, margin, support } }) {
  const { line } = halfPlane(view, theta),
    [u, v] = [0, 1].map((k) => 0.84 * line[0][k] + 0.16 * line[1][k]);
  return shape(
    "g",
    { class: "pla-widest" },
    layer("pla-line", path(line)),
    layer("pla-line pla-dashed", band(view, theta, margin).edges),
    layer(
      "pla-ring",
      rings(
        support.map((i) => view.to(X[i])),
        15,
      ),
    ),
    shape("text", { x: u, y: v + 5, class: "pla-label" }, "widest"),
  );
}

// The arrow w, with a dot to shift the line by and an end to turn it by. The line turns about the dot, which stays in sight.
function reins(view, now, set) {
  const edge = 20,
    [width, height] = [view.width - edge, view.height - edge];
  const room = [
    [edge, edge],
    [width, edge],
    [width, height],
    [edge, height],
  ].map(view.from);
  const within = (point) => {
    const [u, v] = view.to(point);
    return view.from([clamp(u, edge, width), clamp(v, edge, height)]);
  };
  let pivot = view.middle,
    tip = view.middle;
  const through = (w, point) => set([-dot(w, point), ...w]);
  function turn(w) {
    const norm = Math.hypot(...w);
    if (norm > 0)
      through(
        w.map((value) => value / norm),
        pivot,
      );
  }
  // `by` is how far the line is from the middle of the picture, in the direction of w.
  function shift(by) {
    const w = now().slice(1),
      most = (Math.abs(w[0]) * (width - edge) + Math.abs(w[1]) * (height - edge)) / 2.04 / view.scale;
    through(
      w,
      view.middle.map((value, k) => value + clamp(by, -most, most) * w[k]),
    );
  }
  const knob = (...shapes) =>
    shape(
      "g",
      {},
      shape("circle", { r: 22, class: "pla-hit" }),
      shape("circle", { r: 12, class: "pla-halo" }),
      ...shapes,
    );
  const shifter = handle(view, knob(shape("circle", { r: 5, class: "pla-here" })), {
    name: "Shift the line",
    at: () => pivot,
    move: (to) => {
      pivot = within(to);
      through(now().slice(1), pivot);
    },
  });
  const turner = handle(view, knob(), {
    name: "Turn the line",
    at: () => tip,
    move: (to) => turn(to.map((value, k) => value - pivot[k])),
  });
  // A finger on a handle moves the line, not the page: within a picture, touch-action alone does not see to that.
  const normal = layer("pla-line pla-arrow"),
    name = shape("text", { class: "pla-w" }, "w");
  const node = shape("g", {}, normal, name, shifter, turner);

  function draw([b, ...w]) {
    const { cut } = clip(room, (x) => dot(w, x) + b),
      off = dot(w, pivot) + b;
    node.setAttribute("visibility", cut.length ? "visible" : "hidden");
    if (!cut.length) return " The line runs outside the picture.";
    // The dot goes to the nearest point of the line; where that is out of sight, to the middle of what is in sight.
    pivot = pivot.map((value, k) => value - off * w[k]);
    if (within(pivot).some((value, k) => Math.abs(value - pivot[k]) * view.scale > 0.01))
      pivot = [0, 1].map((k) => (cut[0][k] + cut[1][k]) / 2);
    const foot = view.to(pivot),
      at = (length) => [foot[0] + length * w[0], foot[1] - length * w[1]];
    const length = [64, 52, 40].find((length) => inside(view, at(length + 14))) ?? 18,
      end = at(length),
      beyond = at(length + 16);
    tip = view.from(end);
    normal.setAttribute("d", arrow(foot, end));
    filled(name, { x: beyond[0], y: beyond[1] + 5 }, []);
    shifter.setAttribute("transform", `translate(${foot})`);
    turner.setAttribute("transform", `translate(${end})`);
    return "";
  }
  return { node, turn, shift, draw };
}

function render({ model, el }) {
  const record = model.get("record"),
    { X, y, start, widest } = record,
    view = plane(X),
    near = 1 / view.scale;
  const set = (name, value) => {
    model.set(name, value);
    model.save_changes();
  };
  const now = () => {
    const theta = model.get("theta"),
      norm = Math.hypot(theta[1], theta[2]);
    return theta.map((value) => value / norm);
  };
  let yours = 0;

  const hand = reins(view, now, (theta) => set("theta", theta)),
    best = optimum(view, record);
  const [tint, strip, line] = ["pla-side", "pla-band", "pla-line pla-now"].map((name) => layer(name));
  const [edges, ringed, crossed] = ["pla-line pla-dashed pla-margin", "pla-ring", "pla-cross"].map((name) =>
    layer(name),
  );
  const points = X.map((point, i) => mark(view, point, y[i]));
  const data = picture(view, "", tint, axes(view), strip, best, edges, line, ...points, ringed, crossed, hand.node);
  data.setAttribute("role", "group"); // an img may hold nothing that can be moved

  const reach = Math.hypot(view.width, view.height) / 2 / view.scale,
    radians = Math.PI / 180;
  const angle = slider("Turn", { min: -180, max: 180, step: 0.5 }, (a) =>
    hand.turn([Math.cos(a * radians), Math.sin(a * radians)]),
  );
  const place = slider("Shift", { min: -reach, max: reach, step: reach / 250 }, hand.shift);
  const show = button("", () => set("revealed", !model.get("revealed")));
  const again = button("Start again", () => {
    yours = 0;
    set("revealed", false);
    set("theta", [...start]);
  });
  const numbers = facts("margin", "of the widest", "best so far", "\u03b8 = (b, w\u2081, w\u2082)"),
    words = spoken();
  const bar = element("i"),
    tick = element("b"),
    meter = element("div", { class: "pla-meter", "aria-hidden": true }, bar, tick);

  function draw() {
    const theta = now(),
      revealed = model.get("revealed"),
      worth = judged(record, theta, near),
      { margin, separates } = worth;
    const here = halfPlane(view, theta),
      between = separates ? band(view, theta, margin) : { edges: "", inner: "" };
    tint.setAttribute("d", area(here.side));
    line.setAttribute("d", path(here.line));
    strip.setAttribute("d", between.inner);
    edges.setAttribute("d", between.edges);
    ringed.setAttribute("d", separates ? rings(worth.nearest.map(view.to), 11) : "");
    crossed.setAttribute("d", worth.wrong.map((x) => cross(view.to(x))).join(""));
    words.textContent = told(record, worth, revealed, near) + hand.draw(theta);
    data.setAttribute("aria-label", `The ${X.length} points and your line. ${words.textContent}`);
    yours = Math.max(yours, margin);
    const share = (value) => (value > 0 ? percent(value / widest.margin) : "none");
    numbers.show(number(margin), share(margin), share(yours), vector(theta.map((value) => Number(value.toFixed(9)))));
    bar.style.width = `${Math.max(0, (100 * margin) / widest.margin)}%`;
    tick.style.left = `${(100 * yours) / widest.margin}%`;
    angle.value = Math.atan2(theta[2], theta[1]) / radians;
    angle.setAttribute("aria-valuetext", `w points to ${number(angle.valueAsNumber)} degrees`);
    place.value = -(dot(theta.slice(1), view.middle) + theta[0]);
    place.setAttribute("aria-valuetext", `${number(place.valueAsNumber)} from the middle`);
    best.classList.toggle("pla-shown", revealed);
    show.textContent = revealed ? "Hide the widest" : "Show the widest";
  }

  const drive = (text, node) => element("label", { class: "pla-drive" }, text, node);
  const hint = element("span", { class: "pla-hint" }, "Or drag the dot and the arrow.");
  const controls = [words, row(drive("Turn", angle), drive("Shift", place)), row(show, again, hint)];
  assemble(el, "Margin explorer", { pictures: [data], panel: [meter, numbers.node], controls }).classList.add(
    "pla-margin-explorer",
  );
  return follow(model, ["theta", "revealed"], draw);
}

export default { render };
