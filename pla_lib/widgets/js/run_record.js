// A perceptron run from its record. pla_lib/widgets/run_record.py says what a record holds.

import { dot } from "./plane.js";
import { counted, signed, vector } from "./wording.js";

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

// What the first `step` visits led to: theta after them, theta before the last of them if that was a mistake, the
// example of the last visit, and a text about that visit.
export function describeVisit(record, thetas, step) {
  const { X, y, times, visits, epochs, converged } = record;
  const mistakeCount = mistakesWithin(record, step);
  const theta = thetas[mistakeCount];
  const start = { mistakeCount, theta, previous: null, example: null, isMistake: false };
  if (step === 0) return { ...start, text: `Start: \u03b8 = ${vector(theta)}.` };
  const example = visitedExample(record, step - 1);
  const isMistake = times[mistakeCount - 1] === step - 1;
  const judge = isMistake ? thetas[mistakeCount - 1] : theta;
  const [before, after] = [judge, theta].map((one) => score(one, X[example]));
  const scored = `point\u00a0${example} (class\u00a0${signed(y[example])}) scored\u00a0${signed(before)}`;
  const tie =
    before !== 0 ? "" : isMistake ? ", a tie, which counts as a mistake" : ", a tie, which here counts as right";
  const result = y[example] * after > 0 ? "right" : "still not right";
  const text = isMistake
    ? `Visit ${step}, update ${mistakeCount}: ${scored}${tie}. ` +
      `\u03b8 becomes ${vector(theta)}, and the point's score ${signed(after)}: ${result}.`
    : `Visit ${step}: ${scored}${tie}. Right: nothing changes.`;
  const end = converged
    ? ` The run is over: all ${y.length} points count as right.`
    : ` The run stops after ${counted(epochs, "epoch")}; some points are still wrong.`;
  const previous = isMistake ? judge : null;
  return { mistakeCount, theta, previous, example, isMistake, text: step < visits ? text : text + end };
}
