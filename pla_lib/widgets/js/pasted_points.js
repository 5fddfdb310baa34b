// Points from text that a reader pastes: a line for each, with x1, x2 and the label.

export const MOST_POINTS = 5000;

// Returns { points } or { problem }, a sentence that says which line is wrong, what it holds and what is wanted.
export function parsePoints(text) {
  const lines = text
    .split("\n")
    .map((line, k) => ({ line: line.trim(), number: k + 1 }))
    .filter(({ line }) => line);
  const cells = ({ line }) => line.split(/[\s,;]+/).map((cell) => (cell === "" ? Number.NaN : Number(cell)));
  // A first line of names is passed over.
  if (lines.length && cells(lines[0]).every(Number.isNaN)) lines.shift();
  if (!lines.length) return { problem: "The text has no points. Each line needs x\u2081, x\u2082 and a label." };
  if (lines.length > MOST_POINTS) return { problem: `These are ${lines.length} points; the limit is ${MOST_POINTS}.` };
  for (const one of lines) {
    const [x1, x2, label, ...rest] = cells(one);
    const given = `Line ${one.number} is \u201c${one.line.slice(0, 40)}\u201d`;
    if (![x1, x2, label].every(Number.isFinite) || rest.length)
      return { problem: `${given}. It needs three numbers: x\u2081, x\u2082 and a label, such as 1.5, \u22120.2, 1.` };
    if (label === 0) return { problem: `${given}. The label must be \u22121 or +1: write \u22121 where you have 0.` };
    if (Math.abs(label) !== 1) return { problem: `${given}. The label must be \u22121 or +1.` };
    if (Math.abs(x1) > 1e6 || Math.abs(x2) > 1e6)
      return { problem: `${given}. Each coordinate must lie between \u22121000000 and 1000000.` };
  }
  return { points: lines.map((one) => cells(one)) };
}
