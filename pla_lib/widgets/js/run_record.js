// A perceptron run from its record. pla_lib/widgets/run_record.py says what a record holds.

import { dot } from "./plane.js";
import { counted, number, signed, vector } from "./wording.js";

// The example as theta takes it: with x0 = 1 in front if theta has an offset.
const augmented = (theta, x) => (theta.length > x.length ? [1, ...x] : x);

export const score = (theta, x) => dot(theta, augmented(theta, x));

// The weights before the first and after every mistake: theta + eta * y_i * x_i, in the order in which pla_lib adds.
export function weights({ X, y, theta0, eta, mistakes }) {
  const thetas = [theta0];
  for (const i of mistakes) {
    const x = augmented(theta0, X[i]);
    thetas.push(thetas.at(-1).map((value, j) => value + eta * y[i] * x[j]));
  }
  return thetas;
}

// Which example visit number `visit` looks at; the first visit is number 0.
export const visitedExample = ({ order }, visit) => order[visit % order.length];

// How many mistakes the run makes in its first `step` visits: times are sorted, so halving finds it.
export function mistakesWithin({ times }, step) {
  let low = 0;
  let high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] < step) low = middle + 1;
    else high = middle;
  }
  return low;
}

// The jump of a transport to the step just after the next mistake, or to the end if no more mistakes follow. It is
// given a function that returns the record, because in the playground the run changes.
export const nextMistake = (currentRecord) => ({
  text: "Next mistake",
  to(step) {
    const { times, visits } = currentRecord();
    return (times[mistakesWithin({ times }, step)] ?? visits - 1) + 1;
  },
});

// What a score of 0 counts as, by the rule for ties.
const TIE_COUNTS_AS = {
  mistake: "a mistake",
  negative: "class\u00a0\u22121",
  positive: "class\u00a0+1",
  correct: "right",
};

// Why weights have no line, in one sentence; empty if they have one.
function whyNoLine(theta, mistakeCount) {
  if (theta.slice(-2).some((value) => value !== 0)) return "";
  if (theta.some((value) => value !== 0)) return "Only b is not zero, so there is no line.";
  return mistakeCount ? "All weights are zero again, so there is no line." : "No line yet.";
}

// What the first `step` visits led to: theta after them, and why it has no line if so; theta before the last of them,
// the example of the last visit with the score that judged it and the score it then has, and the verdict on it: its
// kind, one sentence, and why.
export function describeVisit(record, thetas, step) {
  const { X, y, eta, tie, times, visits, epochs, converged } = record;
  const mistakeCount = mistakesWithin(record, step);
  const theta = thetas[mistakeCount];
  const noLine = whyNoLine(theta, mistakeCount);
  if (step === 0) {
    const isZero = theta.every((value) => value === 0);
    const text = isZero
      ? "All weights are 0, so every point scores 0 and there is no line yet."
      : `The run starts from \u03b8 = ${vector(theta)}.`;
    const verdict = { kind: "start", text };
    return { mistakeCount, theta, noLine, previous: theta, example: null, isMistake: false, verdict };
  }
  const example = visitedExample(record, step - 1);
  const isMistake = times[mistakeCount - 1] === step - 1;
  const previous = isMistake ? thetas[mistakeCount - 1] : theta;
  const [before, after] = [previous, theta].map((one) => score(one, X[example]));
  const label = signed(y[example]);
  const point = `point\u00a0${example}`;
  const isTie = before === 0;
  const opening =
    `Visit ${step}: ${point} (class\u00a0${label}) scores\u00a0${signed(before)}` +
    (isTie ? `, and a tie counts as ${TIE_COUNTS_AS[tie]}.` : ".");
  const [text, why] = isMistake
    ? [
        `${opening} ${noLine || "The line moves."}`,
        `Update ${mistakeCount} ${y[example] > 0 ? "adds" : "subtracts"} ${eta === 1 ? "" : `${number(eta)} times `}` +
          `${point}: \u03b8 becomes ${vector(theta)}. ` +
          `Now the point scores ${signed(after)}, so it is ${y[example] * after > 0 ? "right" : "still not right"}.`,
      ]
    : [
        `${opening} Nothing changes.`,
        isTie
          ? `A score of 0 has no sign, so this run has a rule for it: it counts as ${TIE_COUNTS_AS[tie]}.`
          : `The score and the class have the same sign, so ${point} is on the correct side of the line.`,
      ];
  const visit = { mistakeCount, theta, noLine, previous, example, isMistake, score: before, scoreAfter: after };
  if (step < visits) return { ...visit, verdict: { kind: isMistake ? "mistake" : "right", text, why } };
  const made = `${counted(mistakeCount, "mistake")} in ${counted(epochs, "epoch")}`;
  const wrong = X.filter((x, i) => !(y[i] * score(theta, x) > 0)).length;
  // The last visit is part of the run too.
  const last = `${text} ${why}`;
  const verdict = converged
    ? { kind: "done", text: `${made}, and now all ${y.length} points count as right.`, why: last }
    : {
        kind: "note",
        chip: "Stopped",
        text: `${made}, and ${wrong === 1 ? "1 point is" : `${wrong} points are`} still not right.`,
        why: last,
      };
  return { ...visit, verdict };
}

// The steps just after each mistake, where the transport's slider has its ticks.
export const mistakeSteps = ({ times }) => times.map((time) => time + 1);

// How many milliseconds a step of a run stays when it is played: a mistake longer, because more is to be seen.
export const staysFor = (record) => (step) => {
  const k = mistakesWithin(record(), step);
  return k && record().times[k - 1] === step - 1 ? 1100 : 420;
};

// Python lines that make X, y and the run again: the visits in their order, whichever way they were chosen.
export function runInPython({ X, y, order, theta0, eta, tie, visits }) {
  const list = (values) => `[${values.join(", ")}]`;
  const isCyclic = order.length === y.length && order.every((i, k) => i === k);
  const options = [
    ...(isCyclic ? [] : [`order=${list(order)}`]),
    `max_epochs=${visits / order.length}`,
    ...(tie && tie !== "mistake" ? [`tie="${tie}"`] : []),
    ...(theta0.some(Boolean) ? [`theta0=${list(theta0)}`] : []),
    ...(eta === 1 ? [] : [`eta=${eta}`]),
    ...(theta0.length === X[0].length ? ["bias=False"] : []),
  ];
  return [`X = [${X.map(list).join(", ")}]`, `y = ${list(y)}`, `run = perceptron(X, y, ${options.join(", ")})`];
}
