// The votes at the knots of a grid that reaches a little beyond the picture. Going to another step adds or takes back
// only the votes between. The knots at the rim stay at -1, so that the region's outline is closed.

import { area } from "./dom.js";

export function ballot(view, { times, visits }, { lines, made }, side = 5) {
  const across = view.width / side + 3,
    down = view.height / side + 3,
    votes = new Int32Array(across * down).fill(-1);
  const place = (i, j) => [(i - 1) * side, (j - 1) * side];
  const knots = [];
  for (let j = 1; j < down - 1; j++)
    for (let i = 1; i < across - 1; i++) knots.push([j * across + i, ...view.from(place(i, j))]);
  const at = Int32Array.from(knots, ([k]) => k),
    x1 = Float64Array.from(knots, ([, x]) => x),
    x2 = Float64Array.from(knots, ([, , x]) => x);
  at.forEach((k) => (votes[k] = 0));
  let counted = 0;
  function add([b, w1, w2], count) {
    for (let k = 0; k < at.length; k++) votes[at[k]] += w1 * x1[k] + w2 * x2[k] + b > 0 ? count : -count;
  }
  function count(step) {
    const [from, to, way] = step > counted ? [counted, step, 1] : [step, counted, -1];
    for (let t = from; t < to; ) {
      const until = Math.min(to, (times[made[t]] ?? visits - 1) + 1);
      add(lines[made[t]], way * (until - t));
      t = until;
    }
    counted = step;
  }
  return { count, outline: () => outline(votes, across, down, place) };
}

// Round where votes > 0, as closed lines. Walking round a cell, one leaves the region and enters it again further on:
// the outline goes from there to there, and on into the neighbouring cell, for which it is the other way round.
function outline(votes, across, down, place) {
  const onward = new Map(),
    points = new Map();
  for (let j = 0; j < down - 1; j++)
    for (let i = 0; i < across - 1; i++) {
      const at = j * across + i,
        within = (votes[at] > 0) + (votes[at + 1] > 0) + (votes[at + across] > 0) + (votes[at + across + 1] > 0);
      if (within === 0 || within === 4) continue;
      const corners = [
          [i, j],
          [i + 1, j],
          [i + 1, j + 1],
          [i, j + 1],
        ],
        value = corners.map(([a, b]) => votes[b * across + a]);
      const inside = value.map((v) => v > 0),
        edges = [2 * at, 2 * (at + 1) + 1, 2 * (at + across), 2 * at + 1];
      for (let k = 0; k < 4; k++) {
        const next = (k + 1) % 4;
        if (!inside[k] || inside[next]) continue;
        let m = next;
        while (inside[m] || !inside[(m + 1) % 4]) m = (m + 1) % 4;
        onward.set(edges[k], edges[m]);
        const [p, q] = [place(...corners[k]), place(...corners[next])],
          part = value[k] / (value[k] - value[next]);
        points.set(edges[k], [p[0] + part * (q[0] - p[0]), p[1] + part * (q[1] - p[1])]);
      }
    }
  let drawn = "";
  while (onward.size) {
    const loop = [];
    for (let [key] = onward.keys(); onward.has(key); ) {
      loop.push(points.get(key));
      const next = onward.get(key);
      onward.delete(key);
      key = next;
    }
    drawn += area(loop);
  }
  return drawn;
}
