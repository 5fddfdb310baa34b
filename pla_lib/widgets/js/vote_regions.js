// The region of the plane in which the vote of all the weights so far says +1.

import { polygon } from "./dom.js";
import { mix } from "./motion.js";

// Counts, for each of some points, by how many the votes for +1 outnumber those for -1. `lines` are the weights
// [b, w1, w2] between mistakes, and `mistakesBefore[t]` is how many mistakes come before visit t. `after(step)` returns
// the counts; going to another step adds or takes back only the votes between. `between(to, from, t)` returns the
// counts on their way from those after `from` visits to those after `to`.
export function voteCounter(points, { times, visits }, { lines, mistakesBefore }) {
  const x1 = Float64Array.from(points, ([x]) => x);
  const x2 = Float64Array.from(points, ([, x]) => x);
  const votes = new Int32Array(points.length);
  let countedStep = 0;
  function add([b, w1, w2], count) {
    for (let k = 0; k < votes.length; k++) votes[k] += w1 * x1[k] + w2 * x2[k] + b > 0 ? count : -count;
  }
  function after(step) {
    const [from, to, sign] = step > countedStep ? [countedStep, step, 1] : [step, countedStep, -1];
    for (let t = from; t < to; ) {
      // The weights stay the same until the next mistake, so their votes are added at once.
      const until = Math.min(to, (times[mistakesBefore[t]] ?? visits - 1) + 1);
      add(lines[mistakesBefore[t]], sign * (until - t));
      t = until;
    }
    countedStep = step;
    return votes;
  }
  let [origin, before] = [null, null];
  function between(to, from, t) {
    if (t === 1) return after(to);
    if (origin !== from) {
      before = after(from).slice();
      origin = from;
    }
    return Float64Array.from(after(to), (count, k) => mix(before[k], count, t));
  }
  return { after, between };
}

// The region in a view, from the votes at the knots of a grid, `spacing` apart, that reaches a little beyond the
// picture. `outline(to, from, t)` is its outline after `to` visits, or where t < 1 on its way from that after `from`.
export function voteRegions(view, record, history, spacing = 5) {
  const columns = Math.ceil(view.width / spacing) + 3;
  const rows = Math.ceil(view.height / spacing) + 3;
  const place = (i, j) => [(i - 1) * spacing, (j - 1) * spacing];
  const [index, knots] = [[], []];
  for (let j = 1; j < rows - 1; j++)
    for (let i = 1; i < columns - 1; i++) {
      index.push(j * columns + i);
      knots.push(view.from(place(i, j)));
    }
  const counter = voteCounter(knots, record, history);
  // The knots at the rim stay at -1 vote, so that the outline of the region is closed.
  const shown = new Float64Array(columns * rows).fill(-1);
  function outlineBetween(to, from, t) {
    const votes = counter.between(to, from, t);
    for (let k = 0; k < index.length; k++) shown[index[k]] = votes[k];
    return outline(shown, columns, rows, place);
  }
  return { outline: outlineBetween };
}

// The outline of where votes > 0, as closed polygons. Each cell of the grid that the outline crosses gives a piece of
// it: walking round the cell, the piece goes from where one leaves the region to where one enters it again. In the
// neighbouring cell the next piece begins where this one ends; `onward` leads from crossing to crossing.
function outline(votes, columns, rows, place) {
  const onward = new Map();
  const crossings = new Map();
  for (let j = 0; j < rows - 1; j++)
    for (let i = 0; i < columns - 1; i++) {
      const k = j * columns + i;
      const inRegion = (votes[k] > 0) + (votes[k + 1] > 0) + (votes[k + columns] > 0) + (votes[k + columns + 1] > 0);
      if (inRegion === 0 || inRegion === 4) continue;
      addPieces(i, j);
    }

  function addPieces(i, j) {
    const k = j * columns + i;
    const corners = [
      [i, j],
      [i + 1, j],
      [i + 1, j + 1],
      [i, j + 1],
    ];
    const values = corners.map(([a, b]) => votes[b * columns + a]);
    const isInside = values.map((value) => value > 0);
    // The cell's four edges, each with a number that the neighbouring cell gives it too.
    const edges = [2 * k, 2 * (k + 1) + 1, 2 * (k + columns), 2 * k + 1];
    for (let leaving = 0; leaving < 4; leaving++) {
      const next = (leaving + 1) % 4;
      if (!isInside[leaving] || isInside[next]) continue;
      let entering = next;
      while (isInside[entering] || !isInside[(entering + 1) % 4]) entering = (entering + 1) % 4;
      onward.set(edges[leaving], edges[entering]);
      const [p, q] = [place(...corners[leaving]), place(...corners[next])];
      const part = values[leaving] / (values[leaving] - values[next]);
      crossings.set(edges[leaving], [p[0] + part * (q[0] - p[0]), p[1] + part * (q[1] - p[1])]);
    }
  }

  let d = "";
  while (onward.size) {
    const loop = [];
    for (let [edge] = onward.keys(); onward.has(edge); ) {
      loop.push(crossings.get(edge));
      const next = onward.get(edge);
      onward.delete(edge);
      edge = next;
    }
    d += polygon(loop);
  }
  return d;
}
