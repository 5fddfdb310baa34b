// The stepper: one visit of a perceptron run at a time. The model's `step` is how many visits have been made.

import { assemble, button, facts, follow, ledgerTable, liveText, row, toggle, transport } from "./controls.js";
import { arrow, element, path, pathShape, picture, polygon, setAttributes, shape, titledPicture } from "./dom.js";
import { axes, clip, dot, exampleRing, mark, plane, planeAroundOrigin, separator } from "./plane.js";
import { describeVisit, mistakesWithin, nextMistake, score, visitedExample, weights } from "./run_record.js";
import { counted, signed, vector } from "./wording.js";

const LEDGER_ROWS = 6;

// Weight space, for runs without offset: every example is a line through 0, and w must be on the right side of it. The
// cone of the w that are right for all examples is shaded; it is empty if the examples cannot be separated.
function weightSpace({ X, y }, thetas) {
  const reach = Math.max(...thetas.flat().map(Math.abs)) || 1;
  const view = planeAroundOrigin(reach, { names: ["w\u2081", "w\u2082"] });
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
  const node = picture(view, "", coneShape, axes(view), ...lines, exampleLine, updateArrow, position);
  function draw({ theta, previous, example }) {
    const [u, v] = view.to(theta);
    setAttributes(position, { cx: u, cy: v });
    updateArrow.setAttribute("d", previous ? arrow(view.to(previous), [u, v]) : "");
    const cut = example === null ? [] : clip(view.corners, (w) => dot(w, X[example])).cut;
    exampleLine.setAttribute("d", path(cut.map(view.to)));
    const inCone = X.every((x, i) => y[i] * dot(theta, x) > 0) ? "in it" : "not in it";
    const coneText =
      cone.length < 3
        ? "No w is right for all points."
        : `The shaded region holds the w that are right for all points; w is ${inCone}.`;
    node.setAttribute("aria-label", `Weight space: w is at ${vector(theta)}. ${coneText}`);
  }
  return { node: titledPicture("Weight space.", " Shaded: right for all.", node), draw };
}

// The table of updates, for runs with offset, whose three weights cannot be drawn in the plane.
function updateLedger({ X, y, mistakes }, thetas) {
  const table = ledgerTable("The updates so far", ["update", "point", "score", "\u03b8 = (b, w\u2081, w\u2082)"]);
  function draw({ mistakeCount }) {
    const rows = [];
    for (let k = Math.max(1, mistakeCount - LEDGER_ROWS + 1); k <= mistakeCount; k++) {
      const i = mistakes[k - 1];
      rows.push([k, `${i} (${signed(y[i])})`, signed(score(thetas[k - 1], X[i])), vector(thetas[k])]);
    }
    table.show(rows);
  }
  return { node: table.node, draw };
}

// The questions about the next visit, for readers who ask to be asked before they see it. First: on which side is the
// point? Then, if it is a mistake: which way will w go?
function questionnaire(record, thetas, steps, text) {
  const { X, y, visits } = record;
  const node = element("div", { class: "pla-question", hidden: "" });
  let isOn = false;
  let verdict = ""; // on the last answer; it stands before the text of the step that answers the question
  const isAsking = () => isOn && steps.now() < visits;
  function showQuestion(question, answers) {
    const buttons = Object.entries(answers).map(([answer, act]) => button(answer, act));
    node.replaceChildren(element("p", {}, question), row(...buttons));
  }
  function ask() {
    node.hidden = !isAsking();
    if (node.hidden) return;
    const step = steps.now();
    const i = visitedExample(record, step);
    const { isMistake } = describeVisit(record, thetas, step + 1);
    const theta = thetas[mistakesWithin(record, step)];
    const scored = score(theta, X[i]);
    const side = scored > 0 ? "the +1 side" : scored < 0 ? "the \u22121 side" : "the line itself";
    const noLine = theta.every((value) => value === 0);
    function finish(opening) {
      verdict = opening;
      steps.goTo(step + 1);
    }
    function askDirection(opening) {
      const direction = y[i] > 0 ? "towards the point" : "away from it";
      const wrong = `No: the update ${y[i] > 0 ? "adds" : "subtracts"} the point, w goes ${direction}. `;
      const answer = (given) => [given, () => finish(given === direction ? "Yes. " : wrong)];
      showQuestion(
        `${opening}, and its class is ${signed(y[i])}: a mistake. Which way will w go?`,
        Object.fromEntries(["towards the point", "away from it"].map(answer)),
      );
    }
    function answerSide(opening) {
      const where = noLine
        ? "there is no line yet, every score is 0"
        : `its score is ${signed(scored)}, so it is on ${side}`;
      if (isMistake) askDirection(opening + where);
      else finish(`${opening}${where}. `);
    }
    // Where there is no line, a question about its sides makes no sense.
    if (noLine && isMistake) return answerSide(`Next is point ${i}: `);
    const answer = (given) => [
      given,
      () => {
        answerSide(given === side ? "Yes: " : "No: ");
        node.querySelector("button")?.focus();
      },
    ];
    showQuestion(
      `Next is point ${i}, class ${signed(y[i])}. On which side of the line is it?`,
      Object.fromEntries(["the +1 side", "the \u22121 side", "the line itself"].map(answer)),
    );
  }
  function draw() {
    text.prepend(verdict);
    verdict = "";
    ask();
  }
  function turn(on) {
    isOn = on;
    ask();
  }
  return { node, draw, turn, askedExample: () => (isAsking() ? visitedExample(record, steps.now()) : null) };
}

function render({ model, el }) {
  const record = model.get("record");
  const { X, y, visits, epochs, theta0 } = record;
  const thetas = weights(record);
  const view = plane(X);
  const line = separator(view);
  const ring = exampleRing(view);
  const marks = X.map((point, i) => mark(view, point, y[i]));
  const data = picture(view, "", line.tint, axes(view), ...marks, line.over, ring.node);
  const hasOffset = theta0.length === 3;
  const beside = hasOffset ? updateLedger(record, thetas) : weightSpace(record, thetas);
  const thetaName = `\u03b8 = ${hasOffset ? "(b, w\u2081, w\u2082)" : "(w\u2081, w\u2082)"}`;
  const numbers = facts("epoch", "visit", "mistakes", thetaName);
  const text = liveText();
  const steps = transport(model, visits, { name: "Visit", jump: nextMistake(() => record) });
  const questions = questionnaire(record, thetas, steps, text);
  const askFirst = toggle("Ask me first", (on) => {
    questions.turn(on);
    draw();
  });
  steps.nodes[1].append(askFirst.node);

  function draw() {
    const step = steps.now();
    const visit = describeVisit(record, thetas, step);
    const lineText = line.draw(visit.theta, visit.previous);
    const asked = questions.askedExample();
    const example = asked ?? visit.example;
    ring.draw(example === null ? null : X[example], asked === null && visit.isMistake);
    beside.draw(visit);
    const epoch = Math.max(1, Math.ceil(step / (visits / epochs)));
    numbers.show(`${epoch} of ${epochs}`, `${step} of ${visits}`, visit.mistakeCount, vector(visit.theta));
    text.textContent = visit.text + lineText;
    const name = `The ${X.length} points and the line after ${counted(step, "visit")}. ${visit.text}`;
    data.setAttribute("aria-label", name);
    steps.show();
    questions.draw();
  }

  assemble(el, "Perceptron stepper", {
    pictures: [titledPicture("Data.", " Ring: in hand. Cross: mistake.", data), beside.node],
    panel: [text, questions.node, numbers.node],
    controls: steps.nodes,
    onKey: steps.onKey,
  });
  const unfollow = follow(model, ["step"], draw);
  return () => {
    unfollow();
    steps.stop();
  };
}

export default { render };
