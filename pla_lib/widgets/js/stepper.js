// The stepper: one visit of a perceptron run at a time. The model's `step` is how many visits have been made.

import { count } from "./address.js";
import { button, facts, follow, toggle } from "./controls.js";
import { arrow, element, path, pathShape, picture, polygon, setAttributes, shape } from "./dom.js";
import { mix, motion, phase } from "./motion.js";
import { fittedPicture } from "./picture.js";
import { axesInTwo, clip, dot, freePlace, planeAroundOrigin } from "./plane.js";
import { spotlight } from "./points.js";
import { runLog, runTransport } from "./run_controls.js";
import { runPicture, visitMotion } from "./run_picture.js";
import { describeVisit, mistakesWithin, runInPython, score, visitedExample, weights } from "./run_record.js";
import { shell } from "./shell.js";
import { counted, signed, vector } from "./wording.js";

// The names in weight space: of the cone, of w, and of the line on which the point of the last visit scores 0. They
// keep away from w, from the arrow that led to it, and from each other.
function weightNames(view, cone) {
  const coneName = shape("text", { class: "pla-label pla-cone-name", "text-anchor": "middle" }, "right for all points");
  const wName = shape("text", { class: "pla-symbol" }, "w");
  const lineName = shape("text", { class: "pla-label", "text-anchor": "middle" });
  const middle = cone.length < 3 ? null : [0, 1].map((k) => cone.reduce((sum, p) => sum + p[k], 0) / cone.length);
  const origin = view.to([0, 0]);
  if (!middle) coneName.textContent = "";
  // A name stands for the stretch of places that its text takes up.
  const stretch = ([u, v], half) => [-half, -half / 2, 0, half / 2, half].map((aside) => [u + aside, v]);
  function draw({ at, example, cut, arrow: from }) {
    const taken = [at, ...(from ? [0, 0.5].map((share) => mix(from, at, share)) : [])];
    if (middle) {
      const end = view.to(middle);
      const along = [1, 1.4, 0.7, 1.7, 0.5].map((share) => mix(origin, end, share));
      const places = along.flatMap(([u, v]) => [0, -22, 22].map((by) => [u, v + by]));
      const place = freePlace(view, places, taken, 62);
      setAttributes(coneName, { x: place[0], y: place[1] + 4 });
      taken.push(...stretch(place, 55));
    }
    const round = [-135, -45, 135, 45, 0, 180].map((angle) => (angle * Math.PI) / 180);
    const w = freePlace(
      view,
      round.map((angle) => [at[0] + 15 * Math.cos(angle), at[1] + 15 * Math.sin(angle)]),
      taken.slice(1),
    );
    setAttributes(wName, { x: w[0], y: w[1] + 5 });
    taken.push(w);
    lineName.textContent = cut.length ? `point\u00a0${example} scores 0` : "";
    if (!cut.length) return;
    const places = [0.15, 0.85, 0.25, 0.75, 0.35, 0.65].map((share) => mix(cut[0], cut[1], share));
    const [u, v] = freePlace(view, places, taken, 56);
    setAttributes(lineName, { x: u, y: v + 4 });
  }
  return { nodes: [coneName, lineName, wName], draw };
}

// Weight space, for runs without offset: every example is a line through 0, and w must be on the right side of it. The
// cone of the w that are right for all examples is shaded; it is empty if the examples cannot be separated.
function weightSpace({ X, y }, thetas) {
  const reach = Math.max(...thetas.flat().map(Math.abs)) || 1;
  return fittedPicture((size) => {
    const view = planeAroundOrigin(reach, { ...size, names: ["w\u2081", "w\u2082"] });
    let cone = view.corners;
    const lines = X.map((x, i) => {
      const { side, cut } = clip(view.corners, (w) => y[i] * dot(w, x));
      cone = clip(cone, (w) => y[i] * dot(w, x)).side;
      const classes = `pla-thin pla-${y[i] > 0 ? "positive" : "negative"}-line`;
      return pathShape(classes, side.length ? path(cut.map(view.to)) : "");
    });
    const coneShape = pathShape("pla-solution-cone", polygon(cone.map(view.to)));
    const exampleLine = pathShape("pla-line pla-example-line");
    const updateArrow = pathShape("pla-line pla-update-arrow");
    const position = shape("circle", { r: 6, class: "pla-position" });
    const { grid, labels } = axesInTwo(view);
    const names = weightNames(view, cone);
    const shapes = [...lines, exampleLine, updateArrow, position];
    const node = picture(view, "", coneShape, grid, ...shapes, labels, ...names.nodes);
    function draw({ theta, from, previous, example, isMistake, t }) {
      const now = mix(from, theta, phase(t, 0.5, 1));
      const [u, v] = view.to(now);
      setAttributes(position, { cx: u, cy: v });
      updateArrow.setAttribute("d", isMistake ? arrow(view.to(previous), [u, v]) : "");
      const cut = example === null ? [] : clip(view.corners, (w) => dot(w, X[example])).cut;
      exampleLine.setAttribute("d", path(cut.map(view.to)));
      names.draw({ at: [u, v], example, cut: cut.map(view.to), arrow: isMistake ? view.to(previous) : null });
      const inCone = X.every((x, i) => y[i] * dot(theta, x) > 0) ? "in it" : "not in it";
      const coneText =
        cone.length < 3
          ? "No w is right for all points."
          : `Every w in the shaded region is right for all points; the current w is ${inCone}.`;
      node.setAttribute("aria-label", `Weight space: w is at ${vector(theta)}. ${coneText}`);
    }
    return { node, draw };
  });
}

// The questions about the next visit, for readers who ask to be asked before they see it. First: on which side is the
// point? Then, if it is a mistake: which way will w go? `answered` is the verdict on the last answer.
function questionnaire(record, thetas, steps, stop) {
  const { X, y, visits } = record;
  let isOn = false;
  let answered = "";
  const isAsking = () => isOn && steps.now() < visits;
  function show(ui, question, answers) {
    // The keyboard goes on with the next question, whose first answer looks chosen only to those who use it.
    const goOn = (act) => (event) => {
      act();
      if (!isAsking()) return;
      const question = ui.root.querySelector(".pla-question");
      question.tabIndex = -1;
      (event.detail ? question : question.querySelector("button")).focus({ preventScroll: true });
    };
    const buttons = Object.entries(answers).map(([answer, act]) => button(answer, goOn(act)));
    const end = button("Stop asking", stop, { class: "pla-quiet" });
    ui.ask(element("p", {}, question), element("span", { class: "pla-answers" }, ...buttons, end));
  }
  function ask(ui) {
    if (!isAsking()) return ui.ask();
    const step = steps.now();
    const i = visitedExample(record, step);
    const { isMistake } = describeVisit(record, thetas, step + 1);
    const theta = thetas[mistakesWithin(record, step)];
    const scored = score(theta, X[i]);
    const side = scored > 0 ? "on the +1 side" : scored < 0 ? "on the \u22121 side" : "on the line";
    const hasNoLine = theta.every((value) => value === 0);
    function finish(opening) {
      answered = opening;
      steps.goTo(step + 1);
    }
    function askDirection(opening) {
      const direction = y[i] > 0 ? "towards the point" : "away from it";
      const wrong = `No: the update ${y[i] > 0 ? "adds" : "subtracts"} the point, so w moves ${direction}. `;
      const answer = (given) => [given, () => finish(given === direction ? "Yes. " : wrong)];
      show(
        ui,
        `${opening}. Its class is ${signed(y[i])}, so this is a mistake. Which way does w move?`,
        Object.fromEntries(["towards the point", "away from it"].map(answer)),
      );
    }
    function answerSide(opening) {
      const where = hasNoLine ? "there is no line yet, so it scores 0" : `it scores ${signed(scored)}, ${side}`;
      if (isMistake) askDirection(opening + where);
      else finish(`${opening}${where}. `);
    }
    // Where there is no line, a question about its sides makes no sense.
    if (hasNoLine && isMistake) return answerSide(`Next is point\u00a0${i}: `);
    const answer = (given) => [given, () => answerSide(given === side ? "Yes: " : "No: ")];
    show(
      ui,
      `Next is point\u00a0${i}, class\u00a0${signed(y[i])}. Where does it lie?`,
      Object.fromEntries(["on the +1 side", "on the \u22121 side", "on the line"].map(answer)),
    );
  }
  function takeAnswered() {
    const text = answered;
    answered = "";
    return text;
  }
  function turn(on) {
    isOn = on;
  }
  return { ask, turn, takeAnswered, askedExample: () => (isAsking() ? visitedExample(record, steps.now()) : null) };
}

function render({ model, el }) {
  const record = model.get("record");
  const { X, y, visits, epochs, theta0 } = record;
  const thetas = weights(record);
  const lights = spotlight();
  const steps = runTransport(model, () => record);
  const data = runPicture({ data: { X, y }, lights });
  const hasOffset = theta0.length === 3;
  const space = hasOffset ? null : weightSpace(record, thetas);
  const log = runLog(lights, steps.goTo);
  const numbers = facts(
    "epoch",
    "visit",
    "mistakes",
    `\u03b8 = ${hasOffset ? "(b, w\u2081, w\u2082)" : "(w\u2081, w\u2082)"}`,
  );
  const stage = motion();
  const questions = questionnaire(record, thetas, steps, () => turnQuestions(false));
  const askFirst = toggle("Ask me first", (on) => turnQuestions(on));

  const ui = shell(
    { model, el },
    {
      name: "Perceptron stepper",
      main: { name: "Data", picture: data },
      panes: { ...(space ? { Weights: space.node } : {}), Log: log.node, Numbers: numbers.node },
      steps,
      extra: { name: "Before each visit", nodes: [askFirst.node] },
      state: { step: count },
      python: () =>
        ["from pla_lib import perceptron, stepper", "", ...runInPython(record), "stepper(run)", ""].join("\n"),
      lights,
    },
  );
  function turnQuestions(on) {
    askFirst.box.checked = on;
    questions.turn(on);
    draw();
  }

  let shown = {}; // { step, theta } as drawn last
  function draw() {
    const step = steps.now();
    const visit = describeVisit(record, thetas, step);
    const { verdict, theta, previous, isMistake } = visit;
    const asked = questions.askedExample();
    const { from, isUpdate, milliseconds } = visitMotion({ ...visit, step }, shown, steps.isBrief());
    shown = { step, theta };
    const label = `The ${X.length} points and the line after ${counted(step, "visit")}. ${verdict.text}`;
    stage.play(steps.duration(milliseconds), (t) => {
      const state = {
        ...visit,
        from,
        ghost: isMistake && asked === null ? previous : null,
        example: asked ?? visit.example,
        isMistake: isUpdate && asked === null,
        score: asked === null ? visit.score : undefined,
        t,
        brief: steps.isBrief(),
        label,
      };
      data.draw(state);
      space?.draw({ ...visit, from, t });
      const rolled = mix(from, theta, isUpdate ? phase(t, 0.5, 1) : t);
      numbers.show(`${epochOf(step)} of ${epochs}`, `${step} of ${visits}`, visit.mistakeCount, vector(rolled));
    });
    log.draw(record, thetas, visit.mistakeCount);
    const noLine =
      visit.noLine && verdict.kind === "right" ? ` ${visit.noLine.replace("No line", "There is no line")}` : "";
    ui.show({ ...verdict, text: questions.takeAnswered() + verdict.text + noLine });
    steps.show();
    questions.ask(ui);
  }
  const epochOf = (step) => Math.max(1, Math.ceil(step / (visits / epochs)));

  const unfollow = follow(model, ["step"], draw);
  return () => {
    unfollow();
    stage.finish();
    space?.stop();
    ui.stop();
  };
}

export default { render };
