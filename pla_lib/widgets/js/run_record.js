// A run, told from its record: how it was started, the order of visits, and the times of its mistakes.

import { dot, input } from "./plane.js";
import { counted, signed, vector } from "./wording.js";

// The weights before the first and after every mistake, summed as pla_lib sums them.
export function weights({ X, y, theta0, eta, order, times }) {
  const thetas = [theta0];
  for (const time of times) {
    const i = order[time % order.length],
      x = input(theta0, X[i]);
    thetas.push(thetas.at(-1).map((value, j) => value + eta * y[i] * x[j]));
  }
  return thetas;
}

// How many of the run's mistakes were made before visit `step`.
export function made(times, step) {
  let low = 0,
    high = times.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (times[middle] < step) low = middle + 1;
    else high = middle;
  }
  return low;
}

// What there is to say and show after `step` visits.
export function story(record, thetas, step) {
  const { X, y, order, times, visits, epochs, converged } = record;
  const mistakes = made(times, step),
    theta = thetas[mistakes];
  if (step === 0)
    return { mistakes, theta, before: null, example: null, wrong: false, words: `Start: \u03b8 = ${vector(theta)}.` };
  const example = order[(step - 1) % order.length],
    wrong = times[mistakes - 1] === step - 1;
  const before = wrong ? thetas[mistakes - 1] : theta,
    x = input(theta, X[example]);
  const score = dot(before, x);
  const who = `point\u00a0${example} (class\u00a0${signed(y[example])}) scored\u00a0${signed(score)}`;
  const after = dot(theta, x),
    mended = y[example] * after > 0 ? "right" : "still not right";
  const words = wrong
    ? `Visit ${step}, update ${mistakes}: ${who}${score === 0 ? ", a tie, which counts as a mistake" : ""}. \u03b8 becomes ${vector(theta)}, and the point's score ${signed(after)}: ${mended}.`
    : `Visit ${step}: ${who}${score === 0 ? ", a tie, which here counts as right" : ""}. Right: nothing changes.`;
  const end =
    step < visits
      ? ""
      : converged
        ? ` The run is over: all ${y.length} points count as right.`
        : ` The run stops after ${counted(epochs, "epoch")}; some points are still wrong.`;
  return { mistakes, theta, before: wrong ? before : null, example, wrong, words: words + end };
}
