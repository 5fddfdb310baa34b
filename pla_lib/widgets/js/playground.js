// The playground: the reader's own points. It is the one widget that runs the perceptron itself.

import { assemble, button, change, choice, facts, follow, liveText, row, transport } from "./controls.js";
import { separability } from "./convex_hull.js";
import {
  element,
  isPlainKey,
  path,
  pathShape,
  pictureWithHandles,
  polygon,
  rings,
  setAttributes,
  shape,
} from "./dom.js";
import { axes, exampleRing, halfPlane, handle, mark, plane, pointerInPicture, separator } from "./plane.js";
import { describeVisit, nextMistake, weights } from "./run_record.js";
import { counted, number, signed, vector } from "./wording.js";

// For each tie rule, the labels for which a score of 0 is a mistake.
const TIES = { mistake: [-1, 1], negative: [1], positive: [-1], correct: [] };
const MAX_EPOCHS = 100;
const DOUBLE_TAP = 400; // milliseconds
const NOTHING = "\u2013"; // where there is no number to show

// Random numbers between 0 and 1 that the seed determines (mulberry32): the same address shows the same run.
function randomNumbers(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

function shuffled(indices, random) {
  const order = [...indices];
  for (let i = order.length - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [order[i], order[j]] = [order[j], order[i]];
  }
  return order;
}

// The perceptron, as pla_lib runs it on points [x1, x2, label]. Returns the record of the run.
function perceptron(points, orderName, tie, seed) {
  const X = points.map(([x1, x2]) => [x1, x2]);
  const y = points.map((point) => point[2]);
  const random = randomNumbers(seed);
  const cyclic = points.map((_, i) => i);
  const drawn = [];
  const mistakes = [];
  const times = [];
  const theta = [0, 0, 0];
  const isMistake = (i) => {
    const score = theta[0] + theta[1] * X[i][0] + theta[2] * X[i][1];
    return y[i] * score < 0 || (score === 0 && TIES[tie].includes(y[i]));
  };
  let epochs = 0;
  let visits = 0;
  let isClean = points.length === 0;
  while (!isClean && epochs < MAX_EPOCHS) {
    const pass = orderName === "random" ? shuffled(cyclic, random) : cyclic;
    isClean = true;
    for (const i of pass) {
      if (isMistake(i)) {
        isClean = false;
        mistakes.push(i);
        times.push(visits);
        theta[0] += y[i];
        theta[1] += y[i] * X[i][0];
        theta[2] += y[i] * X[i][1];
      }
      visits++;
    }
    drawn.push(...pass);
    epochs++;
  }
  const order = orderName === "random" ? drawn : cyclic;
  const converged = y.every((_, i) => !isMistake(i));
  return { X, y, theta0: [0, 0, 0], eta: 1, order, mistakes, times, visits, epochs: epochs || 1, converged };
}

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

// The state as text in the page's address, and back; null where the text makes no sense.
const STATE = ["points", "order", "tie", "seed", "step"];

const stateText = ({ points, order, tie, seed, step }) =>
  [order, tie, seed, step, ...points.map((point) => point.join())].join(";");

function parseState(text) {
  const [order, tie, seed, step, ...rest] = text.split(";");
  const points = rest.map((part) => part.split(",").map((digits) => (digits.trim() ? Number(digits) : NaN)));
  const isPoint = (point) =>
    point.length === 3 && Math.abs(point[0]) <= 1e6 && Math.abs(point[1]) <= 1e6 && Math.abs(point[2]) === 1;
  const isCount = (digits) => /^\d{1,9}$/.test(digits ?? "");
  const isValid =
    points.length <= 5000 &&
    points.every(isPoint) &&
    [seed, step].every(isCount) &&
    ["cyclic", "random"].includes(order) &&
    tie in TIES;
  return isValid ? { points, order, tie, seed: Number(seed), step: Number(step) } : null;
}

// Why no line separates the points, from the groups of points whose hulls meet.
const OBSTACLES = {
  coincide: ([[p], [q]]) => `points ${p} and ${q} coincide but differ in class`,
  segment: ([[p, q], [r]]) => `point ${r} lies on the segment between points ${p} and ${q} of the other class`,
  triangle: ([three, [r]]) => `point ${r} lies in the triangle of points ${three.join(", ")} of the other class`,
  crossing: ([[p, q], [r, s]]) => `the segment between points ${p} and ${q} crosses the one between ${r} and ${s}`,
};

function separabilityText(points, { obstacle, groups }) {
  if (!points.length) return "Click into the picture to add a point.";
  if (obstacle === "one class") return "Two classes are needed: add points of the other one.";
  if (obstacle) return `No line separates these points: ${OBSTACLES[obstacle](groups)}.`;
  return (
    "These points can be separated. The dashed line \u03b8\u0303 has the widest margin \u03c1. " +
    "It promises at most (\u2016\u03b8\u0303\u2016\u03c4/\u03c1)\u00b2 mistakes."
  );
}

function render({ model, el }) {
  const get = (name) => model.get(name);
  // Without a kernel the page's address keeps the state; with one, the notebook does.
  const onPage = !model.widget_manager;
  const addressKey = `play${document.querySelectorAll("[data-playground]").length || ""}`;
  const addressParts = () => new URLSearchParams(location.hash.slice(1));
  const currentState = () => stateText(Object.fromEntries(STATE.map((name) => [name, get(name)])));
  let message = "";
  if (onPage && addressParts().has(addressKey)) {
    const state = parseState(addressParts().get(addressKey));
    if (state) for (const [name, value] of Object.entries(state)) model.set(name, value);
    else message = "The address of this page holds no playground that can be read, so here is the usual one. ";
  }

  const frame = [...get("points"), [-4, -4], [4, 4]].map((point) => point.slice(0, 2));
  const view = plane(frame, { height: 430 });
  const line = separator(view);
  const ring = exampleRing(view);
  const obstacleShape = pathShape("pla-line pla-obstacle");
  const obstacleNames = shape("g");
  const widestLine = pathShape("pla-thin pla-dashed");
  const dots = shape("g");
  const layers = [line.tint, axes(view), widestLine, line.over, obstacleShape, ring.node, dots, obstacleNames];
  const canvas = pictureWithHandles(view, "", ...layers);
  canvas.classList.add("pla-canvas");

  let selected = 0; // the index of the point that the keyboard reaches
  let newLabel = 1; // the class of the next point
  let run = null;
  let separable = null;

  // Changing the points. All coordinates lie inside the picture and have two decimals.
  function insidePicture([x1, x2]) {
    const [[left, top], , [right, bottom]] = view.corners;
    const within = [Math.max(left, Math.min(right, x1)), Math.max(bottom, Math.min(top, x2))];
    return within.map((value) => Math.round(value * 100) / 100);
  }
  function setPoints(points, select = selected) {
    selected = Math.max(0, Math.min(select, points.length - 1));
    change(model, { points, step: 0 });
  }
  const replace = (i, point) => {
    const points = get("points").map((old, j) => (i === j ? point : old));
    setPoints(points, i);
  };
  const add = (point) => setPoints([...get("points"), [...insidePicture(point), newLabel]], get("points").length);
  const move = (i, point) => replace(i, [...insidePicture(point), get("points")[i][2]]);
  const flip = (i) => replace(i, [...get("points")[i].slice(0, 2), -get("points")[i][2]]);
  function remove(i) {
    const rest = get("points").filter((_, j) => i !== j);
    setPoints(rest, i);
  }
  const select = (i) => {
    selected = (i + get("points").length) % get("points").length;
  };

  // A point that can be dragged; two taps on it, or a key, flip its class.
  let lastTap = { i: null, time: 0 };
  function pointHandle(i) {
    const node = shape("g", {}, shape("circle", { r: 16, class: "pla-touch-area" }));
    handle(view, node, { name: "", at: () => get("points")[i].slice(0, 2), move: (to) => move(i, to) });
    node.addEventListener("pointerdown", (event) => {
      selected = i;
      const isSecond = lastTap.i === i && event.timeStamp - lastTap.time < DOUBLE_TAP;
      if (isSecond) flip(i);
      lastTap = isSecond ? { i: null, time: 0 } : { i, time: event.timeStamp };
    });
    node.addEventListener("focus", () => {
      selected = i;
      updateTabOrder();
    });
    const keys = {
      f: () => flip(i),
      F: () => flip(i),
      Delete: () => remove(i),
      Backspace: () => remove(i),
      PageDown: () => select(i + 1),
      PageUp: () => select(i - 1),
    };
    node.addEventListener("keydown", (event) => {
      if (!(event.key in keys) || !isPlainKey(event)) return;
      event.preventDefault();
      event.stopPropagation();
      keys[event.key]();
      (dots.children[selected] ?? addButton).focus();
    });
    return node;
  }
  // Tab reaches one point, not all of them; Page Up and Page Down lead to the others.
  function updateTabOrder() {
    [...dots.children].forEach((node, i) => node.setAttribute("tabindex", i === selected ? 0 : -1));
  }
  canvas.addEventListener("click", (event) => {
    if (!event.target.closest(".pla-handle")) add(view.from(pointerInPicture(canvas, event)));
  });

  const numbers = facts(
    "mistakes",
    "bound",
    "radius \u03c4",
    "margin \u03c1",
    "\u2016\u03b8\u0303\u2016",
    "\u03b8 = (b, w\u2081, w\u2082)",
  );
  const text = liveText();
  const note = element("p", { class: "pla-note" });
  const steps = transport(model, () => run.visits, { name: "Visit", jump: nextMistake(() => run) });

  const presets = get("presets");
  const presetNames = Object.fromEntries(Object.keys(presets).map((name) => [name, name]));
  const presetChoice = choice("Points", { "": "your own", ...presetNames }, (name) => {
    if (!name) return;
    selected = 0;
    change(model, { ...presets[name], step: 0 });
  });
  const orderChoice = choice("Order", { cyclic: "cyclic", random: "random" }, (order) => {
    const seed = order === "random" ? { seed: Math.floor(Math.random() * 1e9) } : {};
    change(model, { order, step: 0, ...seed });
  });
  const tieNames = { mistake: "a mistake", negative: "class \u22121", positive: "class +1", correct: "right" };
  const tieChoice = choice("A score of 0 is", tieNames, (tie) => change(model, { tie, step: 0 }));
  const classButtons = [1, -1].map((label) => {
    const choose = () => {
      newLabel = label;
      showClass();
    };
    const classes = label > 0 ? "pla-add-positive" : "pla-add-negative";
    return button(label > 0 ? "\u25cf +1" : "\u25a0 \u22121", choose, { class: classes });
  });
  function showClass() {
    classButtons.forEach((node, k) => node.setAttribute("aria-pressed", newLabel === [1, -1][k]));
  }
  showClass();
  const addButton = button("Add a point", () => {
    // Round the middle of the picture, so that it does not lie on top of the last one.
    const angle = (2 * Math.PI * (get("points").length % 12)) / 12;
    const direction = [Math.cos(angle), Math.sin(angle)];
    add([0, 1].map((i) => view.middle[i] + (24 / view.scale) * direction[i]));
    dots.lastChild.focus();
  });
  const removeButton = button("Remove it", () => {
    if (get("points").length) remove(selected);
  });
  const clearButton = button("Clear", () => setPoints([]));

  const copyStatus = element("span", { role: "status" });
  const code = element("pre", { class: "pla-python", tabindex: 0, "aria-label": "Python", hidden: "" });
  async function copy(content, name) {
    try {
      await navigator.clipboard.writeText(content);
      copyStatus.textContent = `${name} copied.`;
    } catch {
      copyStatus.textContent = "This browser does not let a page copy: select the text yourself.";
    }
  }
  const copyPython = button("Copy as Python", () => {
    code.hidden = false;
    code.textContent = pythonCode(run, get("order"), get("tie"));
    copy(code.textContent, "Python");
  });
  const copyLink = button("Copy link", () => copy(location.href, "Link"));

  let runState = null; // what the run was made from
  function updateRun() {
    const state = [get("points"), get("order"), get("tie"), get("seed")];
    if (runState && state.every((value, k) => value === runState[k])) return;
    if (!runState || runState[0] !== state[0]) separable = separability(get("points"));
    runState = state;
    run = perceptron(...state);
    run.thetas = weights(run);
    code.hidden = true;
    copyStatus.textContent = "";
  }

  function draw() {
    updateRun();
    const points = get("points");
    drawPoints(points);
    const visit = describeVisit(run, run.thetas, steps.now());
    const lineText = line.draw(visit.theta, visit.previous);
    ring.draw(visit.example === null ? null : run.X[visit.example], visit.isMistake);
    drawSeparability(points);
    text.textContent = message + (points.length ? visit.text + lineText : "No points yet.");
    numbers.values[0].textContent = visit.mistakeCount;
    numbers.values[5].textContent = vector(visit.theta);
    canvas.setAttribute("aria-label", `${counted(points.length, "point")}. ${text.textContent} ${note.textContent}`);
    orderChoice.select.value = get("order");
    tieChoice.select.value = get("tie");
    const setting = (state) => JSON.stringify([state.points, state.order, state.tie]);
    const now = setting({ points, order: get("order"), tie: get("tie") });
    presetChoice.select.value = Object.keys(presets).find((name) => setting(presets[name]) === now) ?? "";
    steps.show();
    if (onPage) rememberState();
  }

  function drawPoints(points) {
    while (dots.childElementCount < points.length) dots.append(pointHandle(dots.childElementCount));
    while (dots.childElementCount > points.length) dots.lastChild.remove();
    points.forEach((point, i) => {
      const node = dots.children[i];
      const drawnAs = point.join();
      if (node.dataset.at === drawnAs) return;
      node.dataset.at = drawnAs;
      const [u, v] = view.to(point);
      const touchArea = setAttributes(node.firstChild, { cx: u, cy: v });
      node.replaceChildren(touchArea, mark(view, point, point[2]));
      node.setAttribute(
        "aria-label",
        `Point ${i}, class ${signed(point[2])}, at ${vector(point.slice(0, 2))}. ` +
          "Arrow keys move it, F flips its class, Delete removes it, Page Down goes to the next.",
      );
    });
    updateTabOrder();
  }

  // Radius, margin and bound; or why no line can separate the points, in words and drawn.
  function drawSeparability(points) {
    const { obstacle, groups = [], theta, margin } = separable;
    const ends = groups.map((group) => group.map((i) => view.to(points[i])));
    const drawn = (group) => (group.length === 3 ? polygon(group) : group.length === 2 ? path(group) : "");
    const single = ends.filter((group) => group.length === 1).flat();
    obstacleShape.setAttribute("d", ends.map(drawn).join("") + rings(single, 13));
    const names = groups.flat().map((i) => {
      const [u, v] = view.to(points[i]);
      return shape("text", { x: u + 12, y: v - 9, class: "pla-label" }, String(i));
    });
    obstacleNames.replaceChildren(...names);
    const radius2 = Math.max(...points.map(([x1, x2]) => 1 + x1 * x1 + x2 * x2), 0);
    const [, boundValue, radiusValue, marginValue, normValue] = numbers.values;
    radiusValue.textContent = points.length ? number(Math.sqrt(radius2)) : NOTHING;
    normValue.textContent = obstacle ? NOTHING : number(Math.hypot(...theta) * margin);
    marginValue.textContent = obstacle ? NOTHING : number(margin);
    const theta2 = obstacle ? 0 : theta.reduce((sum, value) => sum + value * value, 0);
    boundValue.textContent = obstacle ? NOTHING : number(Math.floor(theta2 * radius2 * (1 + 1e-12)));
    const widest = obstacle ? null : halfPlane(view, theta);
    widestLine.setAttribute("d", widest ? path(widest.line) : "");
    note.textContent = separabilityText(points, separable);
  }

  // The state goes into the address once the reader pauses; an untouched playground leaves the address alone.
  const untouched = currentState();
  let timer = null;
  function rememberState() {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const parts = addressParts();
      if (!parts.has(addressKey) && currentState() === untouched) return;
      parts.set(addressKey, currentState());
      const hash = [...parts].map(([name, value]) => `${name}=${value}`).join("&");
      history.replaceState(history.state, "", `#${hash}`);
    }, 100);
  }

  const hint = "Click to add a point, drag to move it, double-click to flip it. Keys: arrows, F, Delete.";
  const root = assemble(el, "Perceptron playground", {
    pictures: [canvas],
    panel: [text, note, numbers.node],
    controls: [
      element("p", { class: "pla-hint" }, hint),
      ...steps.nodes,
      row(element("span", {}, "Add class"), ...classButtons, addButton, removeButton, clearButton),
      row(presetChoice.node, orderChoice.node, tieChoice.node),
      row(copyPython, ...(onPage ? [copyLink] : []), copyStatus),
      code,
    ],
    onKey: steps.onKey,
  });
  root.dataset.playground = addressKey;
  const unfollow = follow(model, STATE, draw);
  message = "";
  return () => {
    unfollow();
    steps.stop();
    clearTimeout(timer);
  };
}

export default { render };
