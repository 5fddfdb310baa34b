// Numbers, vectors and counts as text, by the same rule as pla_lib/wording.py.

const RAISED = "\u2070\u00b9\u00b2\u00b3\u2074\u2075\u2076\u2077\u2078\u2079";
const raised = (power) =>
  String(power)
    .replace("-", "\u207b")
    .replace(/\d/g, (digit) => RAISED[digit]);

// A number has a true minus sign. Below 100 in size it has three significant digits, without zeros at the end; from 100
// on it is a whole number. Halves are rounded away from zero, as toFixed, toPrecision and toExponential do with what is
// positive. Below 10^-6 and from 10^15 on three digits are followed by a power of ten.
export function number(value) {
  if (Number.isNaN(value)) return "not a number";
  const size = Math.abs(value);
  const sign = value < 0 ? "\u2212" : "";
  if (size === Infinity) return `${sign}\u221e`;
  if (size >= 100 && size < 1e15) return sign + size.toFixed(0);
  const [digits, power] = size.toExponential(2).split("e").map(Number);
  if (digits && (power < -6 || power > 14)) return `${sign}${digits} \u00d7 10${raised(power)}`;
  return sign + Number(size.toPrecision(3));
}

export const signed = (value) => (value > 0 ? "+" : "") + number(value);

export const vector = (values) => `(${values.map((value) => number(value)).join(", ")})`;

export const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
