// The perceptron, for points of the reader's own. The tests compare every step with pla_lib's.

// For each tie rule, the labels for which a score of 0 is a mistake.
export const TIES = { mistake: [-1, 1], negative: [1], positive: [-1], correct: [] };
export const MAX_EPOCHS = 100;

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
export function perceptron(points, orderName, tie, seed) {
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
  return { X, y, theta0: [0, 0, 0], eta: 1, tie, order, mistakes, times, visits, epochs: epochs || 1, converged };
}
