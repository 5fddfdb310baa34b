// The controls of a widget that replays a perceptron run: its transport, and the log of its mistakes.

import { logTable } from "./controls.js";
import { mistakeSteps, nextMistake, score, staysFor } from "./run_record.js";
import { transport } from "./transport.js";
import { signed, vector } from "./wording.js";

const LOG_ROWS = 200;

// A transport that goes from visit to visit. `record` is a function that returns the run's record, because in the
// playground the run changes.
export const runTransport = (model, record) =>
  transport(model, () => record()?.visits ?? 0, {
    name: "Visit",
    jump: nextMistake(record),
    marks: () => mistakeSteps(record()),
    marksAre: "Each tick is a mistake",
    stay: staysFor(record),
  });

// The log of the last mistakes; a press on a row goes to its visit. `draw` shows the first `mistakeCount` mistakes of a
// run whose weights are `thetas`.
export function runLog(lights, goTo) {
  let run = null;
  function rowOf(k) {
    const { X, y, mistakes, times, thetas } = run;
    const i = mistakes[k - 1];
    const cells = [k, `${i} (${signed(y[i])})`, signed(score(thetas[k - 1], X[i])), vector(thetas[k])];
    return { cells, point: i, act: () => goTo(times[k - 1] + 1) };
  }
  const table = logTable("The mistakes so far", ["mistake", "point", "score", "\u03b8 after"], rowOf, lights);
  function draw(record, thetas, mistakeCount) {
    if (record.mistakes !== run?.mistakes) table.forget();
    run = { ...record, thetas };
    table.show(Math.max(1, mistakeCount - LOG_ROWS + 1), mistakeCount);
  }
  return { node: table.node, draw };
}
