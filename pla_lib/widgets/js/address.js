// What a widget shows, as text: in a link that can be shared, and in what the browser remembers. A share link beats
// memory. With a kernel there is neither: the notebook keeps the state.

import { change } from "./controls.js";

// How values are written and read back; read gives undefined where the text makes no sense.
const LARGEST = 1e100; // widgets can square and add up to that
const readNumber = (text) => (text.trim() && Math.abs(Number(text)) <= LARGEST ? Number(text) : undefined);

export const count = {
  write: String,
  read: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : undefined),
};

export const oneOf = (...values) => ({
  write: String,
  read: (text) => values.find((value) => String(value) === text),
});

// A plus sign would be read as a space.
const plain = (values) => values.join().replaceAll("+", "");

export const numbers = (length) => ({
  write: plain,
  read(text) {
    const values = text.split(",").map(readNumber);
    return values.length === length && !values.includes(undefined) ? values : undefined;
  },
});

export const numberBetween = (low, high) => ({
  write: String,
  read(text) {
    const value = readNumber(text);
    return value >= low && value <= high ? value : undefined;
  },
});

// A line [b, w1, w2]: its w is not zero.
export const lineNumbers = {
  write: plain,
  read(text) {
    const theta = numbers(3).read(text);
    return theta?.slice(1).some(Boolean) ? theta : undefined;
  },
};

// Points [x1, x2, label], in any number up to `most`.
export const labelledPoints = (most) => ({
  write: (points) => points.map(plain).join("_"),
  read(text) {
    const points = text ? text.split("_").map((part) => part.split(",").map(readNumber)) : [];
    const isPoint = ([x1, x2, label, ...rest]) =>
      Math.abs(x1) <= 1e6 && Math.abs(x2) <= 1e6 && Math.abs(label) === 1 && !rest.length;
    return points.length <= most && points.every(isPoint) ? points : undefined;
  },
});

export const someOf = (...values) => ({
  write: (chosen) => chosen.join("_"),
  read(text) {
    const chosen = text ? text.split("_") : [];
    return chosen.every((value) => values.includes(value)) ? chosen : undefined;
  },
});

const write = (model, codecs) =>
  Object.entries(codecs)
    .map(([name, codec]) => `${name}:${codec.write(model.get(name))}`)
    .join(";;");

// The values in a text, or null if one of them cannot be read.
function read(text, codecs) {
  const values = {};
  for (const part of text.split(";;")) {
    const [name, ...rest] = part.split(":");
    const value = codecs[name]?.read(rest.join(":"));
    if (value === undefined) return null;
    values[name] = value;
  }
  return values;
}

function isReadable(codec, value) {
  try {
    return codec.read(codec.write(value)) !== undefined;
  } catch {
    return false;
  }
}

function hash(text) {
  let value = 0;
  for (let k = 0; k < text.length; k++) value = Math.imul(value ^ text.charCodeAt(k), 0x01000193);
  return (value >>> 0).toString(36);
}

// The text for `key` in the page's address: after #, several parts joined by &, none of them a section's anchor.
const inAddress = (key) => new URLSearchParams(location.hash.slice(1)).get(key);

// Keeps the state of a widget. `codecs` maps the names of the model's values to how they are written. Returns what the
// widget needs: `problem`, a sentence if the address could not be read; `link()`, an address that shows this state;
// `edited()`, to be called after an edit, which puts the state into the address a moment later;
// `writeAddress()`, which does it now; and `stop`.
export function keepState(model, el, codecs) {
  if (model.widget_manager || !el.dataset.widget)
    return { problem: "", link: null, edited() {}, writeAddress() {}, stop() {} };
  const key = `widget${el.dataset.widget}`;
  const names = Object.keys(codecs);
  // A fingerprint of what the widget shows keeps its memory away from another one, as after an edit of the chapter.
  const memory = globalThis.plaProgress;
  const widget = hash(JSON.stringify([write(model, codecs), model.get("record"), model.get("questions")]));
  let problem = "";
  function readAddress() {
    const text = inAddress(key);
    if (text === null) return false;
    const values = read(text, codecs);
    problem = values ? "" : "This widget cannot read the link, so it starts from the beginning. ";
    if (values) change(model, values);
    return true;
  }
  const kept = memory?.recall(memory.page, el.dataset.widget);
  if (!readAddress() && kept?.widget === widget) {
    // What is remembered passes the same check as what a link holds.
    const readable = names.filter((name) => isReadable(codecs[name], kept[name]));
    change(model, Object.fromEntries(readable.map((name) => [name, kept[name]])));
  }
  const link = () => `${location.href.split("#")[0]}#${key}=${write(model, codecs)}`;
  // An address that names a section stays as it is: it is where the reader wants to come back to.
  let timer = null;
  let isWritten = false; // whether the address is ours: then it also follows the steps, so that a reload loses none
  function writeAddress() {
    clearTimeout(timer);
    isWritten = true;
    if (location.hash && !location.hash.includes("=")) return;
    history.replaceState(history.state, "", link());
  }
  function edited() {
    clearTimeout(timer);
    timer = setTimeout(writeAddress, 100);
  }
  function remember() {
    const values = Object.fromEntries(names.map((name) => [name, model.get(name)]));
    memory?.remember(memory.page, el.dataset.widget, { widget, ...values });
    if (isWritten) edited();
  }
  for (const name of names) model.on(`change:${name}`, remember);
  const listen = () => readAddress();
  addEventListener("hashchange", listen);
  function stop() {
    clearTimeout(timer);
    removeEventListener("hashchange", listen);
    for (const name of names) model.off(`change:${name}`, remember);
  }
  return { problem, link, edited, writeAddress, stop };
}
