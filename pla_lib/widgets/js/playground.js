// The playground: the reader's own points. It is the one widget that runs the algorithm itself.

import { assemble, button, choice, facts, follow, row, spoken, stepping } from "./controls.js";
import { verdict } from "./convex_hull.js";
import { area, element, filled, path, shape, stage } from "./dom.js";
import { axes, halfPlane, handle, mark, plane, pointed, separator, spotlight } from "./plane.js";
import { made, story, weights } from "./run_record.js";
import { counted, number, signed, vector } from "./wording.js";

const TIES = { mistake: [-1, 1], negative: [1], positive: [-1], correct: [] }; // the labels for which a score of 0 is a mistake
const EPOCHS = 100;

// Numbers between 0 and 1 that a seed determines.
function dice(seed) {
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

// The perceptron, as pla_lib runs it: the record of a run on points [x1, x2, label].
function perceptron(points, orderName, tie, seed) {
  const X = points.map(([x1, x2]) => [x1, x2]),
    y = points.map((point) => point[2]),
    n = points.length;
  const random = dice(seed),
    cyclic = Array.from({ length: n }, (_, i) => i),
    drawn = [],
    times = [],
    theta = [0, 0, 0];
  const wrong = (i) => {
    const score = theta[0] + theta[1] * X[i][0] + theta[2] * X[i][1];
    return y[i] * score < 0 || (score === 0 && TIES[tie].includes(y[i]));
  };
  let epochs = 0,
    visits = 0,
    clean = n === 0;
  while (!clean && epochs < EPOCHS) {
    const pass = orderName === "random" ? shuffled(cyclic, random) : cyclic;
    clean = true;
    for (const i of pass) {
      if (wrong(i)) {
        clean = false;
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
  return {
    X,
    y,
    theta0: [0, 0, 0],
    eta: 1,
    order: orderName === "random" ? drawn : cyclic,
    times,
    visits,
    epochs: epochs || 1,
    converged: y.every((_, i) => !wrong(i)),
  };
}

// The lines of Python that make the same run.
function python({ X, y, order, visits }, orderName, tie) {
  const row = (values) => `[${values.join(", ")}]`;
  const options = [
    `tie="${tie}"`,
    ...(orderName === "random" ? [`order=${row(order)}`, "max_epochs=1"] : [`max_epochs=${EPOCHS}`]),
  ];
  return `from pla_lib import perceptron, stepper\n\nX = [${X.map(row).join(", ")}]\ny = ${row(y)}\nrun = perceptron(X, y, ${options.join(", ")})\nstepper(run)\n`;
}

// The state as it stands in an address, and back; null where an address does not make sense.
const written = ({ points, order, tie, seed, step }) =>
  [order, tie, seed, step, ...points.map((point) => point.join())].join(";");

function read(text) {
  const [order, tie, seed, step, ...rest] = text.split(";");
  const points = rest.map((part) => part.split(",").map((digits) => (digits.trim() ? Number(digits) : NaN)));
  const sound =
    points.length <= 5000 &&
    points.every(
      (point) =>
        point.length === 3 && Math.abs(point[0]) <= 1e6 && Math.abs(point[1]) <= 1e6 && Math.abs(point[2]) === 1,
    );
  const counts = [seed, step].every((digits) => /^\d{1,9}$/.test(digits ?? ""));
  return sound && counts && ["cyclic", "random"].includes(order) && tie in TIES
    ? { points, order, tie, seed: Number(seed), step: Number(step) }
    : null;
}

const REASONS = {
  coincide: ([[p], [q]]) => `points ${p} and ${q} coincide but differ in class`,
  segment: ([[p, q], [r]]) => `point ${r} lies on the segment between points ${p} and ${q} of the other class`,
  triangle: ([three, [r]]) => `point ${r} lies in the triangle of points ${three.join(", ")} of the other class`,
  crossing: ([[p, q], [r, s]]) => `the segment between points ${p} and ${q} crosses the one between ${r} and ${s}`,
};

function render({ model, el }) {
  const onPage = !model.widget_manager; // with a kernel, the notebook keeps the state
  const key = `play${document.querySelectorAll("[data-playground]").length || ""}`;
  const address = () => new URLSearchParams(location.hash.slice(1));
  let message = "",
    selected = 0,
    adding = 1,
    run = null,
    judged = null;
  if (onPage && address().has(key)) {
    const state = read(address().get(key));
    if (state) for (const [name, value] of Object.entries(state)) model.set(name, value);
    else message = "The address of this page holds no playground that can be read, so here is the usual one. ";
  }

  const get = (name) => model.get(name);
  const corner = [
    [-4, -4],
    [4, 4],
  ];
  const view = plane(
    [...get("points"), ...corner].map((point) => point.slice(0, 2)),
    { height: 430 },
  );
  const line = separator(view),
    light = spotlight(view);
  const reason = shape("path", { class: "pla-line pla-reason" }),
    named = shape("g"),
    band = shape("path", { class: "pla-thin pla-dashed" });
  const dots = shape("g");
  const canvas = stage(view, "", line.tint, axes(view), band, line.over, reason, light.node, dots, named);
  canvas.classList.add("pla-canvas");

  function set(changes) {
    for (const [name, value] of Object.entries(changes)) model.set(name, value);
    model.save_changes();
  }
  const round = (point) => point.map((value) => Math.round(value * 100) / 100);
  const keep = ([x1, x2]) => {
    const [[left, top], , [right, bottom]] = view.corners;
    return round([Math.max(left, Math.min(right, x1)), Math.max(bottom, Math.min(top, x2))]);
  };
  const edit = (points, at = selected) => {
    selected = Math.max(0, Math.min(at, points.length - 1));
    set({ points, step: 0 });
  };
  const replaced = (i, point) => get("points").map((old, j) => (i === j ? point : old));
  const add = (point) => edit([...get("points"), [...keep(point), adding]], get("points").length);
  const flip = (i) => edit(replaced(i, [...get("points")[i].slice(0, 2), -get("points")[i][2]]), i);
  const remove = (i) =>
    edit(
      get("points").filter((_, j) => i !== j),
      i,
    );

  // A point is moved by handle(); two taps on the same point, or a key, flip its class.
  let tapped = { i: null, at: 0 };
  function dot(i) {
    const node = shape("g", {}, shape("circle", { r: 16, class: "pla-hit" }));
    handle(view, node, {
      name: "",
      at: () => get("points")[i].slice(0, 2),
      move: (to) => edit(replaced(i, [...keep(to), get("points")[i][2]]), i),
    });
    node.addEventListener("pointerdown", (event) => {
      selected = i;
      if (tapped.i === i && event.timeStamp - tapped.at < 400) {
        flip(i);
        tapped = { i: null, at: 0 };
      } else tapped = { i, at: event.timeStamp };
    });
    node.addEventListener("focus", () => {
      selected = i;
      roving();
    });
    node.addEventListener("keydown", (event) => {
      const act = {
        f: () => flip(i),
        F: () => flip(i),
        Delete: () => remove(i),
        Backspace: () => remove(i),
        PageDown: () => visit(i + 1),
        PageUp: () => visit(i - 1),
      }[event.key];
      if (!act || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      event.stopPropagation();
      act();
      (dots.children[selected] ?? blank).focus();
    });
    return node;
  }
  const visit = (i) => {
    selected = (i + get("points").length) % get("points").length;
  };
  // One point at a time is reached by Tab.
  const roving = () => [...dots.children].forEach((node, i) => node.setAttribute("tabindex", i === selected ? 0 : -1));
  canvas.addEventListener("click", (event) => event.target.closest(".pla-handle") || add(pointed(view, canvas, event)));

  const numbers = facts(
    "mistakes",
    "bound",
    "radius \u03c4",
    "margin \u03c1",
    "\u2016\u03b8\u0303\u2016",
    "\u03b8 = (b, w\u2081, w\u2082)",
  );
  const words = spoken(),
    note = element("p", { class: "pla-note" });
  const steps = stepping(model, () => run.visits, {
    name: "Visit",
    jump: { text: "Next mistake", to: (step) => (run.times[made(run.times, step)] ?? run.visits - 1) + 1 },
  });
  const preset = choice(
    "Points",
    { "": "your own", ...Object.fromEntries(Object.keys(get("presets")).map((name) => [name, name])) },
    (name) => {
      if (name) {
        selected = 0;
        set({ ...get("presets")[name], step: 0 });
      }
    },
  );
  const order = choice("Order", { cyclic: "cyclic", random: "random" }, (name) =>
    set({ order: name, step: 0, ...(name === "random" ? { seed: Math.floor(Math.random() * 1e9) } : {}) }),
  );
  const tie = choice(
    "A score of 0 is",
    { mistake: "a mistake", negative: "class \u22121", positive: "class +1", correct: "right" },
    (name) => set({ tie: name, step: 0 }),
  );
  const kinds = [1, -1].map((label) =>
    button(
      label > 0 ? "\u25cf +1" : "\u25a0 \u22121",
      () => {
        adding = label;
        press();
      },
      { class: label > 0 ? "pla-plus" : "pla-minus" },
    ),
  );
  const press = () => kinds.forEach((node, k) => node.setAttribute("aria-pressed", adding === [1, -1][k]));
  press();
  const blank = button("Add a point", () => {
    const k = get("points").length % 12,
      turn = (2 * Math.PI * k) / 12; // not on top of the last one
    add([0, 1].map((i) => view.middle[i] + (24 / view.scale) * [Math.cos(turn), Math.sin(turn)][i]));
    dots.lastChild.focus();
  });
  const drop = button("Remove it", () => {
    if (get("points").length) remove(selected);
  });
  const clear = button("Clear", () => edit([]));
  const copied = element("span", { role: "status" }),
    lines = element("pre", { class: "pla-lines", tabindex: 0, "aria-label": "Python", hidden: "" });
  async function copy(text, what) {
    try {
      await navigator.clipboard.writeText(text);
      copied.textContent = `${what} copied.`;
    } catch {
      copied.textContent = `This browser does not let a page copy: select the text yourself.`;
    }
  }
  const asPython = button("Copy as Python", () => {
    lines.hidden = false;
    lines.textContent = python(run, get("order"), get("tie"));
    copy(lines.textContent, "Python");
  });
  const asLink = button("Copy link", () => copy(location.href, "Link"));

  let drawn = null;
  function draw() {
    const points = get("points"),
      state = [points, get("order"), get("tie"), get("seed")];
    if (!drawn || state.some((value, k) => value !== drawn[k])) {
      if (!drawn || drawn[0] !== points) judged = verdict(points);
      drawn = state;
      run = perceptron(points, get("order"), get("tie"), get("seed"));
      run.thetas = weights(run);
      lines.hidden = true;
      copied.textContent = "";
    }
    place(points);
    const step = steps.now(),
      now = story(run, run.thetas, step),
      seen = line.draw(now.theta, now.before);
    light.draw(now.example === null ? null : run.X[now.example], now.wrong);
    explain(points);
    words.textContent = message + (points.length ? now.words + seen : "No points yet.");
    numbers.values[0].textContent = now.mistakes;
    numbers.values[5].textContent = vector(now.theta);
    canvas.setAttribute("aria-label", `${counted(points.length, "point")}. ${words.textContent} ${note.textContent}`);
    order.select.value = get("order");
    tie.select.value = get("tie");
    const now_set = (set) =>
      JSON.stringify([set.points, set.order, set.tie]) === JSON.stringify([points, get("order"), get("tie")]);
    preset.select.value = Object.keys(get("presets")).find((name) => now_set(get("presets")[name])) ?? "";
    steps.show();
    if (onPage) remember();
  }

  function place(points) {
    while (dots.childElementCount < points.length) dots.append(dot(dots.childElementCount));
    while (dots.childElementCount > points.length) dots.lastChild.remove();
    points.forEach((point, i) => {
      const node = dots.children[i],
        text = point.join();
      if (node.dataset.at === text) return;
      node.dataset.at = text;
      const [u, v] = view.to(point),
        hit = node.firstChild;
      filled(hit, { cx: u, cy: v }, []);
      node.replaceChildren(hit, mark(view, point, point[2]));
      node.setAttribute(
        "aria-label",
        `Point ${i}, class ${signed(point[2])}, at ${vector(point.slice(0, 2))}. Arrow keys move it, F flips its class, Delete removes it, Page Down goes to the next.`,
      );
    });
    roving();
  }

  // Radius, margin and bound; or why no line can separate the points, in words and drawn.
  function explain(points) {
    const { why, groups, theta, margin } = judged;
    const ends = (groups ?? []).map((group) => group.map((i) => view.to(points[i])));
    reason.setAttribute(
      "d",
      ends.map((group) => (group.length === 3 ? area(group) : group.length === 2 ? path(group) : "")).join("") +
        ends
          .filter((group) => group.length === 1)
          .map(([[u, v]]) => `M${u - 13},${v}a13,13 0 1 0 26,0a13,13 0 1 0 -26,0`)
          .join(""),
    );
    named.replaceChildren(
      ...(groups ?? []).flat().map((i) => {
        const [u, v] = view.to(points[i]);
        return shape("text", { x: u + 12, y: v - 9, class: "pla-label" }, String(i));
      }),
    );
    const radius2 = Math.max(...points.map(([x1, x2]) => 1 + x1 * x1 + x2 * x2), 0);
    const [, bound, radius, room, length] = numbers.values;
    radius.textContent = points.length ? number(Math.sqrt(radius2)) : "\u2013";
    length.textContent = why ? "\u2013" : number(Math.hypot(...theta) * margin);
    room.textContent = why ? "\u2013" : number(margin);
    bound.textContent = why
      ? "\u2013"
      : number(Math.floor(theta.reduce((sum, value) => sum + value * value, 0) * radius2 * (1 + 1e-12)));
    const wide = why ? null : halfPlane(view, theta);
    band.setAttribute("d", wide ? path(wide.line) : "");
    note.textContent =
      why === "one class"
        ? "Two classes are needed: add points of the other one."
        : why
          ? `No line separates these points: ${REASONS[why](groups)}.`
          : "These points can be separated. The dashed line \u03b8\u0303 has the widest margin \u03c1. It promises at most (\u2016\u03b8\u0303\u2016\u03c4/\u03c1)\u00b2 mistakes.";
    if (!points.length) note.textContent = "Click into the picture to add a point.";
  }

  let waiting = null;
  function remember() {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      const parts = address(),
        text = written(Object.fromEntries(["points", "order", "tie", "seed", "step"].map((name) => [name, get(name)])));
      // An untouched playground leaves the address alone.
      if (!parts.has(key) && text === untouched) return;
      parts.set(key, text);
      history.replaceState(history.state, "", "#" + [...parts].map(([name, value]) => `${name}=${value}`).join("&"));
    }, 100);
  }
  const untouched = written(
    Object.fromEntries(["points", "order", "tie", "seed", "step"].map((name) => [name, get(name)])),
  );

  const root = assemble(el, "Perceptron playground", {
    pictures: [canvas],
    panel: [words, note, numbers.node],
    controls: [
      element(
        "p",
        { class: "pla-hint" },
        "Click to add a point, drag to move it, double-click to flip it. Keys: arrows, F, Delete.",
      ),
      ...steps.nodes,
      row(element("span", {}, "Add class"), ...kinds, blank, drop, clear),
      row(preset.node, order.node, tie.node),
      row(asPython, ...(onPage ? [asLink] : []), copied),
      lines,
    ],
    keys: steps.listen,
  });
  root.dataset.playground = key;
  const forget = follow(model, ["points", "order", "tie", "seed", "step"], draw);
  message = "";
  return () => {
    forget();
    steps.stop();
    clearTimeout(waiting);
  };
}

export default { render };
