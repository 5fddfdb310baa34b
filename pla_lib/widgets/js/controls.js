// Buttons, sliders and the other controls, the transport for stepping through a run, and how a widget is put together.

import { element } from "./dom.js";

export function button(text, act, attributes = {}) {
  const node = element("button", { type: "button", ...attributes }, text);
  node.addEventListener("click", act);
  return node;
}

export function slider(name, limits, act) {
  const node = element("input", { type: "range", "aria-label": name, ...limits });
  node.addEventListener("input", () => act(node.valueAsNumber));
  return node;
}

// One of several: `options` maps values to their names.
export function choice(name, options, act) {
  const select = element(
    "select",
    {},
    ...Object.entries(options).map(([value, text]) => element("option", { value }, text)),
  );
  select.addEventListener("change", () => act(select.value));
  return { node: element("label", { class: "pla-choice" }, name, select), select };
}

export function toggle(name, act) {
  const box = element("input", { type: "checkbox" });
  box.addEventListener("change", () => act(box.checked));
  return { node: element("label", { class: "pla-toggle" }, box, name), box };
}

// Numbers with their names; `show` takes their values in the same order.
export function facts(...terms) {
  const values = terms.map(() => element("strong"));
  const node = element("div", { class: "pla-numbers" }, ...terms.map((term, k) => element("div", {}, term, values[k])));
  return { node, values, show: (...texts) => texts.forEach((text, k) => (values[k].textContent = text)) };
}

export const row = (...nodes) => element("div", { class: "pla-controls" }, ...nodes);

// What is shown, in words: read aloud when it changes.
export const spoken = () => element("p", { class: "pla-words", "aria-live": "polite" });

// What goes step by step: first, back, next, perhaps a jump, last, play with its speed, slider and keys.
// `model.step` is where it stands, `end_at` where it ends: a number, or a function where that changes. `show` keeps the controls true; `listen` makes the arrow keys work
// anywhere in the widget.
export function stepping(model, end_at, { name = "Step", jump = null } = {}) {
  const calm = matchMedia("(prefers-reduced-motion: reduce)"),
    last = () => (typeof end_at === "function" ? end_at() : end_at);
  let timer = null;
  const now = () => Math.min(model.get("step"), last());
  const go = (step) => {
    model.set("step", Math.max(0, Math.min(last(), step)));
    model.save_changes();
  };
  const halt = () => {
    clearInterval(timer);
    timer = null;
    play.textContent = "\u25b6 Play";
  };
  const by_hand = (step) => {
    halt();
    go(step);
  };
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
  const still = () => {
    motion.hidden = calm.matches;
    if (calm.matches) halt();
  };
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
    if (
      event.target.matches?.("input, select, .pla-handle") ||
      !(event.key in keys) ||
      event.ctrlKey ||
      event.metaKey ||
      event.altKey
    )
      return;
    event.preventDefault();
    event.stopPropagation();
    by_hand(keys[event.key]());
  }
  const stop = () => {
    halt();
    calm.removeEventListener("change", still);
  };
  return {
    nodes: [row(first, back, place, next, end), row(...(skip ? [skip] : []), motion)],
    next,
    go: by_hand,
    now,
    show,
    listen,
    stop,
  };
}

// Put a widget together: pictures beside or above words and numbers, controls below.
export function assemble(el, name, { pictures, panel = [], controls = [], keys = null }) {
  const root = element(
    "div",
    { class: pictures.length > 1 ? "pla pla-two" : "pla", role: "group", "aria-label": name },
    element("div", { class: "pla-pictures" }, ...pictures),
    element("div", { class: "pla-panel" }, ...panel),
    element("div", { class: "pla-rows" }, ...controls),
  );
  if (keys) root.addEventListener("keydown", keys);
  el.append(element("div", { class: "pla-frame" }, root));
  return root;
}

// Draw now and whenever one of the model's values changes; gives what undoes that.
export function follow(model, names, draw) {
  for (const name of names) model.on(`change:${name}`, draw);
  draw();
  return () => names.forEach((name) => model.off(`change:${name}`, draw));
}
