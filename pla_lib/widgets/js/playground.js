// The playground: the reader's own points, and a line of the reader's own to race against the perceptron. It is the one
// widget that runs the perceptron itself.

import { count, labelledPoints, lineNumbers, oneOf } from "./address.js";
import { button, change, choice, facts, follow, iconButton, segments } from "./controls.js";
import { separability } from "./convex_hull.js";
import { element, isPlainKey, path, pathShape, polygon, rings, setAttributes, shape } from "./dom.js";
import { mix, motion, phase } from "./motion.js";
import { MOST_POINTS, parsePoints } from "./pasted_points.js";
import { MAX_EPOCHS, perceptron, TIES } from "./perceptron.js";
import { dot, halfPlane, handle, inside, lineAndArrow, namedLine, pointerInPicture } from "./plane.js";
import { mark, spotlight } from "./points.js";
import { runLog, runTransport } from "./run_controls.js";
import { runPicture, visitMotion } from "./run_picture.js";
import { describeVisit, score, weights } from "./run_record.js";
import { shell } from "./shell.js";
import { counted, number, signed, vector } from "./wording.js";

const DOUBLE_TAP = 400; // milliseconds
const NOTHING = "\u2013"; // where there is no number to show
const LIVE = 500; // up to so many points the run answers while a point is dragged, beyond that when it is let go
const CLICK = 6; // pixels: whoever moves farther drags
const TURN = Math.PI / 36; // what a key turns the reader's line by

// The lines of Python that make the same run.
function pythonCode({ X, y, order }, orderName, tie) {
  const list = (values) => `[${values.join(", ")}]`;
  const orderOptions = orderName === "random" ? [`order=${list(order)}`, "max_epochs=1"] : [`max_epochs=${MAX_EPOCHS}`];
  return [
    "from pla_lib import perceptron, stepper",
    "",
    `X = [${X.map(list).join(", ")}]`,
    `y = ${list(y)}`,
    `run = perceptron(X, y, ${[`tie="${tie}"`, ...orderOptions].join(", ")})`,
    "stepper(run)",
    "",
  ].join("\n");
}

// Why no line separates the points, from the groups of points whose hulls meet.
const OBSTACLES = {
  coincide: ([[p], [q]]) => `point\u00a0${p} and point\u00a0${q} coincide but differ in class`,
  segment: ([[p, q], [r]]) => `point\u00a0${r} lies between points ${p} and ${q} of the other class`,
  triangle: ([three, [r]]) => `point\u00a0${r} lies in the triangle of points ${three.join(", ")} of the other class`,
  crossing: ([[p, q], [r, s]]) =>
    `the segment from point\u00a0${p} to ${q} crosses the one from point\u00a0${r} to ${s}`,
};

const press = () => (matchMedia("(pointer: coarse)").matches ? "Tap" : "Click");

// What the points allow: the bound on the mistakes, or why there is none.
function describePoints(points, { obstacle, groups }, bound) {
  if (!points.length) return `${press()} in the picture to add a point.`;
  if (obstacle === "one class") return "Only one class so far: add a point of the other.";
  if (obstacle) return `No line separates these points: ${OBSTACLES[obstacle](groups)}.`;
  const limit = counted(bound, "mistake");
  return `A line can separate these ${points.length} points. The perceptron makes at most ${limit} (the bound).`;
}

// The widest line, dashed, or what shows that no line separates the points: segments that cross, a point in a triangle.
function certificate(view, current) {
  const obstacleShape = pathShape("pla-line pla-obstacle");
  const obstacleNames = shape("g");
  const widest = namedLine(view, "pla-thin pla-dashed pla-widest-line", "widest margin");
  function draw({ theta: now, ghost, mine, occupied }) {
    const { points, separable } = current();
    const { obstacle, groups = [], theta } = separable;
    const ends = groups.map((group) => group.map((i) => view.to(points[i])));
    const drawn = (group) => (group.length === 3 ? polygon(group) : group.length === 2 ? path(group) : "");
    const single = ends.filter((group) => group.length === 1).flat();
    obstacleShape.setAttribute("d", ends.map(drawn).join("") + rings(single, 13));
    const names = groups.flat().map((i) => {
      const [u, v] = view.to(points[i]);
      return shape("text", { x: u + 12, y: v - 9, class: "pla-label" }, String(i));
    });
    obstacleNames.replaceChildren(...names);
    const lines = [now, ghost, mine.length ? mine : null].flatMap((one) => lineAndArrow(view, one));
    widest.draw(obstacle ? null : theta, occupied, lines);
  }
  return { node: shape("g", {}, widest.node, obstacleShape, obstacleNames), draw, names: widest.names };
}

// The reader's own line, and the broad invisible line by which it, or the perceptron's, is taken. Dragging the middle
// shifts the line, dragging its outer thirds turns it about its middle.
function ownLine(view, { theta, setMine }) {
  const line = namedLine(view, "pla-line pla-own-line", "yours");
  const grip = pathShape("pla-line-grip");
  let grabbed = null; // "shift" or "turn", and the middle about which the line turns
  const through = (point, w) => [-dot(w, point), ...w];
  function unit() {
    const w = theta().slice(-2);
    const norm = Math.hypot(...w);
    return w.map((value) => value / norm);
  }
  handle(view, grip, {
    name: "The line: drag it to make it yours. Arrow keys shift it, Page Up and Page Down turn it.",
    at: () => view.from(halfPlane(view, theta()).foot ?? [view.width / 2, view.height / 2]),
    move(to, gesture) {
      if (gesture === null || grabbed?.way !== "turn") return setMine(through(to, unit()), gesture);
      const along = to.map((value, k) => value - grabbed.middle[k]);
      if (Math.hypot(...along) * view.scale < 12) return;
      const side = dot([-along[1], along[0]], unit()) < 0 ? -1 : 1;
      const length = side * Math.hypot(...along);
      setMine(through(grabbed.middle, [-along[1] / length, along[0] / length]), gesture);
    },
  });
  grip.addEventListener("pointerdown", (event) => {
    const half = halfPlane(view, theta());
    const [u, v] = pointerInPicture(grip.ownerSVGElement, event);
    const reach = Math.hypot(half.line[1][0] - half.line[0][0], half.line[1][1] - half.line[0][1]);
    const isMiddle = Math.hypot(u - half.foot[0], v - half.foot[1]) < reach / 6;
    grabbed = { way: isMiddle ? "shift" : "turn", middle: view.from(half.foot) };
  });
  grip.addEventListener("keydown", (event) => {
    const by = { PageUp: TURN, PageDown: -TURN }[event.key];
    if (!by || !isPlainKey(event)) return;
    event.preventDefault();
    event.stopPropagation();
    const [w1, w2] = unit();
    const middle = view.from(halfPlane(view, theta()).foot ?? [view.width / 2, view.height / 2]);
    const [c, s] = [Math.cos(by), Math.sin(by)];
    setMine(through(middle, [c * w1 - s * w2, s * w1 + c * w2]), null);
  });
  function draw({ theta: now, mine, occupied }) {
    const others = now === mine ? [[]] : lineAndArrow(view, now);
    line.draw(mine.length ? mine : null, occupied, others);
    const half = halfPlane(view, theta());
    grip.setAttribute("d", half ? path(half.line) : "");
    grip.setAttribute("visibility", half?.foot ? "visible" : "hidden");
  }
  return { node: shape("g", {}, line.node, grip), draw, names: line.names };
}

// A picture of a preset, for its button.
function thumbnail({ points }) {
  const node = shape("svg", { viewBox: "-5 -4 10 8", class: "pla-thumbnail", "aria-hidden": true });
  for (const [x1, x2, label] of points)
    node.append(setAttributes(mark(label), { transform: `translate(${x1} ${-x2}) scale(0.085)` }));
  return node;
}

function render({ model, el }) {
  const get = (name) => model.get(name);
  const lights = spotlight();
  let selected = 0; // the point that was touched last
  let newLabel = 1; // the class of the next point
  let run = null;
  let separable = null;
  let bound = null;
  let isHeld = false; // whether one of many points is being dragged: then the run waits
  let isRacing = false;
  const data = () => run;
  let frame = []; // points that the picture shows, and all between them
  function reframe() {
    frame = [...get("points").map((point) => point.slice(0, 2)), [-4, -3], [4, 3]];
  }

  // Changing the points. All coordinates lie inside the picture and have two decimals. The visit stays where it is; at
  // the end of the run it stays at the end of the new one.
  function insidePicture([x1, x2]) {
    const [[left, top], , [right, bottom]] = picture.now().view.corners;
    const within = [Math.max(left, Math.min(right, x1)), Math.max(bottom, Math.min(top, x2))];
    return within.map((value) => Math.round(value * 100) / 100);
  }
  function setPoints(points, { select = selected, gesture = null, isMany = false } = {}) {
    selected = Math.max(0, Math.min(select, points.length - 1));
    isRacing = false;
    const wasAtEnd = run.visits > 0 && steps.now() === run.visits;
    isHeld = isMany && gesture !== null;
    const visits = isHeld ? run.visits : perceptron(points, get("order"), get("tie"), get("seed")).visits;
    ui.edit({ points, step: wasAtEnd ? visits : Math.min(steps.now(), visits) }, gesture);
    drawNow();
  }
  function replacePoints(values) {
    selected = 0;
    isRacing = false;
    ui.edit({ mine: [], ...values, step: 0 });
    drawNow();
    showAll();
  }
  function showAll() {
    reframe();
    picture.rebuild();
  }
  function replace(i, point, gesture = null) {
    const points = get("points").map((old, j) => (i === j ? point : old));
    setPoints(points, { select: i, gesture, isMany: points.length > LIVE });
  }
  const add = (point) =>
    setPoints([...get("points"), [...insidePicture(point), newLabel]], { select: get("points").length });
  const move = (i, to, gesture) => replace(i, [...insidePicture(to), get("points")[i][2]], gesture);
  const flip = (i) => get("points")[i] && replace(i, [...get("points")[i].slice(0, 2), -get("points")[i][2]]);
  function remove(i) {
    lights.light(null);
    const rest = get("points").filter((_, j) => i !== j);
    setPoints(rest, { select: i });
  }
  function letGo() {
    if (!isHeld) return;
    isHeld = false;
    const wasAtEnd = steps.now() === run.visits;
    updateRun();
    if (wasAtEnd) change(model, { step: run.visits });
    draw();
  }

  // A point that can be dragged; two taps on it, or a key, flip its class.
  let lastTap = { i: null, time: 0 };
  function tapped(i, event) {
    selected = i;
    lights.light(i);
    const isSecond = lastTap.i === i && event.timeStamp - lastTap.time < DOUBLE_TAP;
    if (isSecond) flip(i);
    lastTap = isSecond ? { i: null, time: 0 } : { i, time: event.timeStamp };
  }
  function decorate(node, i) {
    const view = () => picture.now().view;
    handle(
      {
        from: (at) => view().from(at),
        get scale() {
          return view().scale;
        },
      },
      node,
      { name: "", at: () => get("points")[i].slice(0, 2), move: (to, gesture) => move(i, to, gesture), release: letGo },
    );
    node.addEventListener("pointerdown", (event) => tapped(i, event));
    node.addEventListener("focus", () => {
      selected = i;
    });
    const keys = { f: () => flip(i), F: () => flip(i), Delete: () => remove(i), Backspace: () => remove(i) };
    node.addEventListener("keydown", (event) => {
      if (!(event.key in keys) || !isPlainKey(event)) return;
      event.preventDefault();
      event.stopPropagation();
      keys[event.key]();
      (picture.now().layer.shapes[selected] ?? addButton).focus();
    });
  }

  // Where the tools lie, so that no name is written there.
  const underTools = ({ width }) =>
    [12, 40].flatMap((v) => Array.from({ length: 11 }, (_, k) => [width - 12 - 22 * k, v]));
  const picture = runPicture({
    data,
    frame: () => frame,
    lights,
    avoid: underTools,
    options: {
      decorate,
      hint: " Arrow keys move it, F flips its class, Delete removes it, Page Down goes to the next point.",
    },
    under: (view) => [
      certificate(view, () => ({ points: get("points"), separable })),
      ownLine(view, { theta: shownTheta, setMine: (mine, gesture) => ui.edit({ mine }, gesture) }),
    ],
  });
  function shownTheta() {
    if (get("mine").length && !isRacing) return get("mine");
    return describeVisit(run, run.thetas, steps.now()).theta;
  }

  // A press on empty ground adds a point; a drag there adds nothing. Where points are too many for shapes of their own,
  // the picture itself finds the one that is dragged.
  let pressed = null;
  picture.node.addEventListener("pointerdown", (event) => {
    const svg = event.target.closest("svg");
    if (!svg || event.target.closest(".pla-handle")) return;
    const at = pointerInPicture(svg, event);
    const { layer } = picture.now();
    const i = layer.isMany() ? layer.nearest(at) : null;
    pressed = { at, i, gesture: {} };
    if (i === null) return;
    svg.setPointerCapture(event.pointerId);
    tapped(i, event);
  });
  picture.node.addEventListener("pointermove", (event) => {
    if (!pressed || pressed.i === null || !event.buttons) return;
    const to = picture.now().view.from(pointerInPicture(picture.now().node, event));
    move(pressed.i, to, pressed.gesture);
  });
  picture.node.addEventListener("pointerup", (event) => {
    if (!pressed) return;
    const { at, i } = pressed;
    pressed = null;
    if (i !== null) return letGo();
    const [u, v] = pointerInPicture(picture.now().node, event);
    if (Math.hypot(u - at[0], v - at[1]) < CLICK) add(picture.now().view.from(at));
  });

  const steps = runTransport(model, () => run);
  const values = facts(
    "mistakes",
    "bound",
    "radius \u03c4",
    "margin \u03c1",
    "\u2016\u03b8\u0303\u2016",
    "\u03b8 = (b, w\u2081, w\u2082)",
  );
  const note = element("p", { class: "pla-note" });
  const boundPane = element("div", { class: "pla-pane" }, note, values.node);
  const log = runLog(lights, steps.goTo);

  // The tools that lie in a corner of the picture.
  const classChoice = segments("Class of new points", { 1: "\u25cf", "-1": "\u25a0" }, (label) => {
    newLabel = Number(label);
    classChoice.show(newLabel);
  });
  classChoice.show(newLabel);
  for (const one of classChoice.node.children) {
    const label = one.dataset.value;
    setAttributes(one, {
      "aria-label": `Add class ${signed(Number(label))}`,
      class: label > 0 ? "pla-plus" : "pla-minus",
    });
  }
  const addButton = iconButton("Add a point", "plus", () => {
    // Round the middle of the picture, so that it does not lie on top of the last one.
    const { view, layer } = picture.now();
    const angle = (2 * Math.PI * (get("points").length % 12)) / 12;
    const direction = [Math.cos(angle), Math.sin(angle)];
    add([0, 1].map((k) => view.middle[k] + (24 / view.scale) * direction[k]));
    layer.shapes[selected]?.focus();
  });
  const flipButton = iconButton("Flip the class of the last point you touched", "flip", () => flip(selected));
  const removeButton = iconButton(
    "Remove the last point you touched",
    "remove",
    () => get("points").length && remove(selected),
  );
  const tools = element("div", { class: "pla-tools" }, classChoice.node, addButton, flipButton, removeButton);

  // The sheet: data, rules, a line of one's own.
  const presets = get("presets");
  const presetButtons = Object.entries(presets).map(([name, preset]) => {
    const one = button("", () => replacePoints(preset), { class: "pla-preset", "data-preset": name });
    one.append(thumbnail(preset), name);
    return one;
  });
  const pasteBox = element("textarea", {
    rows: 3,
    "aria-label": "Points to paste: x1, x2, label",
    placeholder: "x\u2081, x\u2082, label\n1.5, -0.2, 1",
    spellcheck: "false",
  });
  const pasteProblem = element("p", { role: "status", class: "pla-problem" });
  const pasteButton = button("Use these points", () => {
    const { points, problem = "" } = parsePoints(pasteBox.value);
    pasteProblem.textContent = problem;
    if (!points) return;
    replacePoints({ points });
    pasteBox.value = "";
    ui.toast(`${counted(points.length, "point")} loaded.`, { name: "Undo", act: ui.undo });
  });
  const clearButton = button("Clear", () => {
    if (!get("points").length) return;
    const cleared = counted(get("points").length, "point");
    replacePoints({ points: [] });
    ui.toast(`${cleared} cleared.`, { name: "Undo", act: ui.undo });
  });
  const newSeed = () => Math.floor(Math.random() * 1e9);
  const orderChoice = choice("Order", { cyclic: "in turn", random: "random" }, (order) =>
    ui.edit({ order, step: 0, ...(order === "random" ? { seed: newSeed() } : {}) }),
  );
  const reshuffle = button("Reshuffle", () => ui.edit({ order: "random", seed: newSeed(), step: 0 }));
  const tieNames = { mistake: "a mistake", negative: "class \u22121", positive: "class +1", correct: "right" };
  const tieChoice = choice("A score of 0 counts as", tieNames, (tie) => ui.edit({ tie, step: 0 }));
  const placeLine = button("Add my own line", () => {
    const { view } = picture.now();
    ui.edit({ mine: get("mine").length ? get("mine") : [-view.middle[1], 0, 1] });
    picture.node.querySelector(".pla-line-grip").focus();
  });
  const dropLine = button("Remove my line", () => ui.edit({ mine: [] }));

  const ui = shell(
    { model, el },
    {
      name: "Perceptron playground",
      main: { name: "Points", picture },
      panes: { Log: log.node, Bound: boundPane },
      steps,
      more: {
        "Your own line": [placeLine, dropLine],
        Points: [...presetButtons, clearButton],
        "Your own data": [pasteBox, pasteButton, pasteProblem],
        Rules: [orderChoice.node, reshuffle, tieChoice.node],
      },
      state: {
        points: labelledPoints(MOST_POINTS),
        order: oneOf("cyclic", "random"),
        tie: oneOf(...Object.keys(TIES)),
        seed: count,
        mine: { ...lineNumbers, read: (text) => (text ? lineNumbers.read(text) : []) },
        step: count,
      },
      edits: ["points", "order", "tie", "seed", "mine", "step"],
      python: () => pythonCode(run, get("order"), get("tie")),
      lights,
    },
  );
  ui.root.querySelector(".pla-main").append(tools);

  let runState = null; // what the run was made from
  function updateRun() {
    const state = [get("points"), get("order"), get("tie"), get("seed")];
    if (runState && state.every((value, k) => value === runState[k])) return;
    const isNewData = !runState || runState[0] !== state[0];
    if (isHeld && isNewData) {
      // The points move, the run waits.
      const [X, y] = [state[0].map(([x1, x2]) => [x1, x2]), state[0].map((point) => point[2])];
      run = { ...run, X, y };
      return;
    }
    runState = state;
    if (isNewData) separable = separability(state[0]);
    run = perceptron(...state);
    run.thetas = weights(run);
    const radius2 = Math.max(...run.X.map(([x1, x2]) => 1 + x1 * x1 + x2 * x2), 0);
    const { obstacle, theta, margin } = separable;
    bound = obstacle ? null : Math.floor(dot(theta, theta) * radius2 * (1 + 1e-12));
    note.textContent = describePoints(state[0], separable, bound);
    const [, boundValue, radiusValue, marginValue, normValue] = values.values;
    radiusValue.textContent = run.X.length ? number(Math.sqrt(radius2)) : NOTHING;
    normValue.textContent = obstacle ? NOTHING : number(Math.hypot(...theta) * margin);
    marginValue.textContent = obstacle ? NOTHING : number(margin);
    boundValue.textContent = obstacle ? NOTHING : number(bound);
  }

  const wrongUnder = (theta) => run.X.filter((x, i) => !(run.y[i] * score(theta, x) > 0)).length;

  // The verdict on the step, on the reader's line, or on the race between the two.
  function verdictOn(visit) {
    const points = get("points");
    const { verdict } = visit;
    const limit = bound === null ? "" : `; the bound allows at most ${bound}`;
    const isEnd = points.length > 0 && steps.now() === run.visits;
    if (get("mine").length && !isRacing)
      return {
        kind: wrongUnder(get("mine")) ? "note" : "done",
        chip: "Your line",
        text: `Your line gets ${wrongUnder(get("mine"))} of ${counted(points.length, "point")} wrong.`,
      };
    if (isRacing && isEnd) {
      const mine = wrongUnder(get("mine"));
      const theirs = wrongUnder(visit.theta);
      const winner = mine < theirs ? "You win." : mine > theirs ? "The perceptron wins." : "A draw.";
      const theirEffort = counted(run.mistakes.length, "mistake");
      const text = `Your line: ${mine} wrong. The perceptron, after ${theirEffort}: ${theirs} wrong. ${winner}`;
      return { kind: "done", chip: "Race", text, why: verdict.why };
    }
    if (!points.length || steps.now() === 0)
      return { kind: "start", text: describePoints(points, separable, bound), why: verdict.text };
    if (isEnd && run.converged && verdict.kind === "done")
      return {
        kind: "done",
        text: `${counted(run.mistakes.length, "mistake")}${limit}. All ${points.length} points count as right.`,
        why: `${verdict.why} ${describePoints(points, separable, bound)}`,
      };
    if (isEnd) return { ...verdict, why: `${verdict.why} ${describePoints(points, separable, bound)}` };
    return verdict;
  }

  // While the reader's own line is there, the row below offers the race.
  function offerRace() {
    if (!get("mine").length || isRacing) return ui.ask();
    const race = button("Race the perceptron", startRace, { class: "pla-filled" });
    const back = button("Back to the run", () => ui.edit({ mine: [] }), { class: "pla-quiet" });
    if (ui.root.querySelector(".pla-question button")) return;
    ui.ask(
      element("p", {}, "Drag the middle of your line to shift it, or an end to turn it."),
      element("span", { class: "pla-answers" }, race, back),
    );
  }
  function startRace() {
    isRacing = true;
    change(model, { step: 0 });
    draw();
    if (steps.node.querySelector(".pla-play").hidden) steps.goTo(run.visits);
    else steps.play();
  }

  const stage = motion();
  let shown = {}; // { step, theta, run } as drawn last
  function draw() {
    updateRun();
    const points = get("points");
    const step = steps.now();
    const visit = describeVisit(run, run.thetas, step);
    const { previous, isMistake, mistakeCount } = visit;
    const isMine = get("mine").length > 0 && !isRacing;
    ui.root.classList.toggle("pla-mine", isMine);
    const theta = isMine ? get("mine") : visit.theta;
    // What follows a hand follows at once.
    const isAtOnce = isMine || shown.run !== run;
    const way = visitMotion({ ...visit, step, theta }, isAtOnce ? {} : shown, steps.isBrief());
    const { from, isUpdate, milliseconds } = way;
    shown = { step, theta, run };
    const verdict = verdictOn(visit);
    const label = `${counted(points.length, "point")}. ${verdict.text}`;
    stage.play(steps.duration(milliseconds), (t) => {
      picture.draw({
        ...visit,
        theta,
        from,
        mine: get("mine"),
        example: points.length && !isMine ? visit.example : null,
        ghost: isMistake && !isMine ? previous : null,
        score: isMine ? undefined : visit.score,
        isMistake: isUpdate,
        noLine: visit.noLine.replace("No line", "The perceptron has no line"),
        t,
        brief: steps.isBrief(),
        label,
      });
      values.values[5].textContent = vector(mix(from, theta, isUpdate ? phase(t, 0.5, 1) : t));
    });
    values.values[0].textContent = mistakeCount;
    log.draw(run, run.thetas, mistakeCount);
    ui.show(verdict);
    orderChoice.select.value = get("order");
    tieChoice.select.value = get("tie");
    const setting = (state) => JSON.stringify([state.points, state.order, state.tie]);
    const now = points.length > LIVE ? "" : setting({ points, order: get("order"), tie: get("tie") });
    for (const one of presetButtons) one.setAttribute("aria-pressed", setting(presets[one.dataset.preset]) === now);
    for (const one of [flipButton, removeButton]) one.setAttribute("aria-disabled", !points.length);
    dropLine.setAttribute("aria-disabled", !get("mine").length);
    steps.show();
    offerRace();
    // Points that came from a link, a paste or an undo may lie outside.
    const view = picture.now()?.view;
    if (view && points.some((point) => !inside(view, view.to(point)))) showAll();
  }

  // Several values change together (undo, a preset, a link): one drawing is enough, with all of them.
  let isWaiting = false;
  function drawSoon() {
    if (isWaiting) return;
    isWaiting = true;
    queueMicrotask(drawNow);
  }
  function drawNow() {
    if (!isWaiting) return;
    isWaiting = false;
    draw();
  }
  updateRun();
  reframe();
  const unfollow = follow(model, ["points", "order", "tie", "seed", "mine", "step"], drawSoon);
  return () => {
    unfollow();
    stage.finish();
    ui.stop();
  };
}

export default { render };
