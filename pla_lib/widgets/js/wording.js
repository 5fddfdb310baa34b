// Numbers, vectors and counts as text.

// A number as it is read aloud: a true minus sign, three digits that count.
export function number(value) {
  const rounded = Math.abs(value) >= 100 ? Math.round(value) : Number(value.toPrecision(3));
  return String(rounded || 0).replaceAll("-", "\u2212");
}

export const signed = (value) => (value > 0 ? "+" : "") + number(value);

export const vector = (values) => `(${values.map((value) => number(value)).join(", ")})`;

export const counted = (count, noun) => `${count} ${noun}${count === 1 ? "" : "s"}`;
