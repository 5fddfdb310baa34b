// Buttons, sliders and other controls, the transport that steps through a run, and how a widget is put together.
// Every control is a real one, with a name for the keyboard and the screen reader.

import { element, isPlainKey } from "./dom.js";

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

// A choice of one among several; `options` maps values to what the reader sees.
export function choice(name, options, act) {
  const items = Object.entries(options).map(([value, text]) => element("option", { value }, text));
  const select = element("select", {}, ...items);
  select.addEventListener("change", () => act(select.value));
  return { node: element("label", { class: "pla-choice" }, name, select), select };
}

export function toggle(name, act) {
  const box = element("input", { type: "checkbox" });
  box.addEventListener("change", () => act(box.checked));
  return { node: element("label", { class: "pla-toggle" }, box, name), box };
}

// Numbers with their names; `show` takes their texts in the same order.
export function facts(...names) {
  const values = names.map(() => element("strong"));
  const items = names.map((name, k) => element("div", {}, name, values[k]));
  function show(...texts) {
    texts.forEach((text, k) => {
      values[k].textContent = text;
    });
  }
  return { node: element("div", { class: "pla-numbers" }, ...items), values, show };
}

// A table with one row for each update; `show` takes the rows, each a list of numbers or texts.
export function ledgerTable(caption, headings) {
  const body = element("tbody");
  const head = headings.map((text) => element("th", { scope: "col" }, text));
  const node = element(
    "table",
    { class: "pla-ledger" },
    element("caption", {}, caption),
    element("thead", {}, element("tr", {}, ...head)),
    body,
  );
  const tableRow = (cells) => element("tr", {}, ...cells.map((text) => element("td", {}, String(text))));
  function show(rows) {
    const none = element("tr", {}, element("td", { colspan: headings.length }, "none yet"));
    body.replaceChildren(...(rows.length ? rows.map(tableRow) : [none]));
  }
  return { node, show };
}

export const row = (...nodes) => element("div", { class: "pla-controls" }, ...nodes);

// What the picture shows, in words. A screen reader reads it aloud whenever it changes.
export const liveText = () => element("p", { class: "pla-words", "aria-live": "polite" });

// Sets values of the model, and passes them to the kernel if there is one.
export function change(model, values) {
  for (const [name, value] of Object.entries(values)) model.set(name, value);
  model.save_changes();
}

// The controls of a widget that goes step by step: first, back, next, last, a slider, play with a choice of speed, and
// if there is a `jump` ({ text, to }) a button that goes from step s to step to(s). The model's `step` is where the
// widget is; `lastStep` is a number, or a function where it changes. `show` brings the controls up to date; `onKey` is
// for the widget's root, where it makes the arrow keys work; `stop` ends what still runs when the widget goes.
export function transport(model, lastStep, { name = "Step", jump = null } = {}) {
  const reducedMotion = matchMedia("(prefers-reduced-motion: reduce)");
  const last = () => (typeof lastStep === "function" ? lastStep() : lastStep);
  const now = () => Math.min(model.get("step"), last());
  const goTo = (step) => change(model, { step: Math.max(0, Math.min(last(), step)) });
  let timer = null;
  function pause() {
    clearInterval(timer);
    timer = null;
    play.textContent = "\u25b6 Play";
  }
  function start() {
    pause();
    if (now() === last()) goTo(0);
    play.textContent = "\u23f8 Pause";
    timer = setInterval(() => (now() < last() ? goTo(now() + 1) : pause()), Number(speed.select.value));
  }
  // A step by hand ends the play.
  function goByHand(step) {
    pause();
    goTo(step);
  }
  const first = button("\u21e4", () => goByHand(0), { "aria-label": "First" });
  const back = button("\u2190 Back", () => goByHand(now() - 1));
  const next = button("Next \u2192", () => goByHand(now() + 1));
  const end = button("\u21e5", () => goByHand(last()), { "aria-label": "Last" });
  const jumpButtons = jump ? [button(jump.text, () => goByHand(jump.to(now())))] : [];
  const position = slider(name, { min: 0, step: 1 }, goByHand);
  const speed = choice("Speed", { 1000: "slow", 400: "normal", 120: "fast" }, () => timer && start());
  speed.select.value = 400;
  const play = button("\u25b6 Play", () => (timer ? pause() : start()));
  // Readers who ask for less motion step by hand: they get no play button.
  const playControls = element("span", { class: "pla-control-group" }, play, speed.node);
  function respectMotionPreference() {
    playControls.hidden = reducedMotion.matches;
    if (reducedMotion.matches) pause();
  }
  reducedMotion.addEventListener("change", respectMotionPreference);
  respectMotionPreference();
  function show() {
    position.max = last();
    position.value = now();
    position.setAttribute("aria-valuetext", `${now()} of ${last()}`);
    // A disabled button would lose the focus when an end is reached; aria-disabled keeps it.
    for (const node of [first, back]) node.setAttribute("aria-disabled", now() === 0);
    for (const node of [next, end, ...jumpButtons]) node.setAttribute("aria-disabled", now() === last());
  }
  const keys = { ArrowLeft: () => now() - 1, ArrowRight: () => now() + 1, Home: () => 0, End: () => last() };
  function onKey(event) {
    if (event.target.matches?.("input, select, .pla-handle") || !(event.key in keys) || !isPlainKey(event)) return;
    event.preventDefault();
    event.stopPropagation();
    goByHand(keys[event.key]());
  }
  function stop() {
    pause();
    reducedMotion.removeEventListener("change", respectMotionPreference);
  }
  const rows = [row(first, back, position, next, end), row(...jumpButtons, playControls)];
  return { nodes: rows, goTo: goByHand, now, show, onKey, stop };
}

// Puts a widget together: pictures beside or above the panel of words and numbers, controls below.
export function assemble(el, name, { pictures, panel = [], controls = [], onKey = null }) {
  const root = element(
    "div",
    { class: pictures.length > 1 ? "pla pla-two-pictures" : "pla", role: "group", "aria-label": name },
    element("div", { class: "pla-pictures" }, ...pictures),
    element("div", { class: "pla-panel" }, ...panel),
    element("div", { class: "pla-control-rows" }, ...controls),
  );
  if (onKey) root.addEventListener("keydown", onKey);
  el.append(element("div", { class: "pla-frame" }, root));
  return root;
}

// Draws now, and again whenever one of these values of the model changes. Returns the function that ends this.
export function follow(model, names, draw) {
  for (const name of names) model.on(`change:${name}`, draw);
  draw();
  return () => {
    for (const name of names) model.off(`change:${name}`, draw);
  };
}
