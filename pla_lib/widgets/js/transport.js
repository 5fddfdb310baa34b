// The controls of a widget that goes step by step, the same in every widget: first, back, play, next, a slider with a
// tick at every mistake, next mistake, speed.

import { button, change, iconButton } from "./controls.js";
import { element, icon, isPlainKey } from "./dom.js";
import { reducedMotion } from "./motion.js";

const SPEEDS = [1, 2, 4, 8, 0.5];
const MOST_TICKS = 150;

// The model's `step` is where the widget is; `last` is a number, or a function where it changes. `name` is what a step
// is called; `marks()` gives the steps that get a tick (mistakes); `jump` ({ text, to }) goes from step s to step
// to(s). `marksAre` says what the ticks are, for a tooltip. `stay(step)` says how many milliseconds a step stays when
// played at normal speed. `value` names another value of the model that is where the widget is; `reading(step)` is what
// the slider then says aloud. Where more than `step` changes with a step, `go(step)` makes the change, and
// `isAway()` says that the reader has left the steps: then every button leads back to them. `first` ({ text, act,
// isThere }) replaces what the first button does.
export function transport(
  model,
  last_,
  {
    name = "Step",
    jump = null,
    marks = () => [],
    marksAre = "",
    stay = () => 900,
    value = "step",
    reading = null,
    go = (step) => change(model, { [value]: step }),
    isAway = () => false,
    first: beginning = null,
  } = {},
) {
  const last = () => (typeof last_ === "function" ? last_() : last_);
  const now = () => Math.min(model.get(value), last());
  const goTo = (step) => go(Math.max(0, Math.min(last(), step)));
  const onPause = new Set();
  let timer = null;
  let isScrubbing = false;
  let speed = 1;
  const isPlaying = () => timer !== null;
  function pause() {
    if (!isPlaying()) return;
    clearTimeout(timer);
    timer = null;
    showPlay();
    for (const act of onPause) act();
  }
  function tick() {
    if (now() >= last()) return pause();
    goTo(now() + 1);
    if (now() >= last()) return pause();
    timer = setTimeout(tick, stay(now()) / speed);
  }
  function start() {
    // Played again from the end, the start is seen for a moment.
    const isOver = now() === last();
    if (isOver) goTo(0);
    timer = setTimeout(tick, isOver ? stay(0) / speed : 0);
    showPlay();
  }
  // A step by hand ends the play.
  function goByHand(step) {
    pause();
    goTo(step);
  }
  const first = iconButton(beginning?.text ?? "First", "first", () => {
    pause();
    if (beginning) beginning.act();
    else goTo(0);
  });
  const back = iconButton("Back", "back", () => goByHand(now() - 1));
  const play = button("", () => (isPlaying() ? pause() : start()), { class: "pla-filled pla-play" });
  const next = button("Next", () => goByHand(now() + 1), { class: "pla-filled pla-next" });
  next.append(icon("next"));
  const jumpButton = jump && iconButton(jump.text, jump.icon ?? "mistake", () => goByHand(jump.to(now())));
  const input = element("input", { type: "range", min: 0, step: 1, "aria-label": name });
  // A step that the reader drags to, here or in a chart, is there at once, without motion.
  function scrubTo(step) {
    isScrubbing = true;
    goByHand(step);
    isScrubbing = false;
  }
  input.addEventListener("input", () => scrubTo(input.valueAsNumber));
  const ticks = element("span", { class: "pla-ticks", "aria-hidden": true });
  const scrubber = element("span", { class: "pla-scrubber" }, ticks, input);
  const speedChip = button("", () => setSpeed(SPEEDS[(SPEEDS.indexOf(speed) + 1) % SPEEDS.length]), {
    class: "pla-speed",
  });
  function setSpeed(value) {
    speed = value;
    speedChip.textContent = `${speed === 0.5 ? "\u00bd" : speed}\u00d7`;
    speedChip.setAttribute("aria-label", `Speed ${speed}\u00d7`);
  }
  setSpeed(1);
  function showPlay() {
    const word = isPlaying() ? "Pause" : "Play";
    play.replaceChildren(icon(isPlaying() ? "pause" : "play"), word);
  }
  showPlay();
  let drawnMarks = null;
  function drawTicks() {
    const all = marks();
    const shown = all.length > MOST_TICKS ? [] : all;
    const key = [last(), ...shown].join();
    if (key === drawnMarks) return;
    drawnMarks = key;
    scrubber.title = shown.length ? marksAre : "";
    ticks.replaceChildren(
      ...shown.map((step) => element("i", { style: `left:${((100 * step) / Math.max(1, last())).toFixed(2)}%` })),
    );
  }
  function show() {
    drawTicks();
    input.max = last();
    input.value = now();
    input.setAttribute("aria-valuetext", reading?.(now()) ?? `${now()} of ${last()}`);
    // A disabled button would lose the focus when an end is reached; aria-disabled keeps it.
    const isAtStart = now() === 0 && !isAway();
    first.setAttribute("aria-disabled", beginning ? beginning.isThere() : isAtStart);
    back.setAttribute("aria-disabled", isAtStart);
    for (const node of [next, jumpButton]) node?.setAttribute("aria-disabled", now() === last() && !isAway());
  }
  const keys = { ArrowLeft: () => now() - 1, ArrowRight: () => now() + 1, Home: () => 0, End: () => last() };
  function onKey(event) {
    if (event.target.matches?.("input, select, textarea, .pla-handle, [role=tab]") || !isPlainKey(event)) return;
    if (!(event.key in keys)) return;
    event.preventDefault();
    event.stopPropagation();
    goByHand(keys[event.key]());
  }
  // How long a motion of so many milliseconds takes: none while the slider is dragged, less when played faster.
  const duration = (milliseconds) => (isScrubbing ? 0 : isPlaying() ? milliseconds / speed : milliseconds);
  // Whether the whole of an update is shown, or only where it leads to.
  const isBrief = () => isPlaying() && speed > 2;
  const node = element(
    "div",
    { class: "pla-transport" },
    element("span", { class: "pla-buttons" }, first, back, play, next, ...(jumpButton ? [jumpButton] : [])),
    scrubber,
    speedChip,
  );
  const lessMotion = reducedMotion();
  respectMotionPreference();
  // Readers who ask for less motion step by hand: they get no play button.
  function respectMotionPreference() {
    play.hidden = lessMotion.matches;
    speedChip.hidden = lessMotion.matches;
    if (lessMotion.matches) pause();
  }
  lessMotion.addEventListener("change", respectMotionPreference);
  function stop() {
    clearTimeout(timer);
    lessMotion.removeEventListener("change", respectMotionPreference);
  }
  return {
    node,
    goTo: goByHand,
    scrubTo,
    now,
    last,
    show,
    onKey,
    stop,
    play: start,
    pause,
    isPlaying,
    isBrief,
    duration,
    onPause,
  };
}
