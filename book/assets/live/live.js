// Every cell of a lecture can be changed and run in the page, and every exercise answered and checked there. This
// script draws the bars below the cells; Python and the editor are fetched when the reader first asks for them.
import { run } from "./notebook.js";
import { loadEditor } from "./python.js";

const { src, dataset } = document.currentScript;
const folder = new URL("./", src);
const { manifest } = dataset;
const memory = globalThis.plaProgress;
const remembered = memory?.recall(memory.page, "code") ?? {};
const done = new Set(memory?.recall(memory.page, "exercises") ?? []);

// A short name for a text: what a reader typed belongs to the code as it was printed.
function nameOf(text) {
  let hash = 0;
  for (const letter of text) hash = (Math.imul(hash, 31) + letter.codePointAt(0)) | 0;
  return (hash >>> 0).toString(36);
}

function button(className, text, act) {
  const node = document.createElement("button");
  Object.assign(node, { type: "button", className, textContent: text, onclick: act });
  return node;
}

const cells = [...document.querySelectorAll(".live-bar")].map((bar, k) => {
  const node = bar.closest("div.cell");
  const code = node.querySelector(".cell_input pre");
  const original = code.textContent.replace(/\n$/, "");
  const exercise = original.match(/^check\("([\d.]+)"/m)?.[1] ?? null;
  const solution = node.closest("details.solution");
  const id = exercise ?? nameOf(original);
  const cell = { k, node, bar, code, original, exercise, solution, id, source: remembered[id] ?? original };
  const isClaims = node.classList.contains("tag_claims");
  // `ran` is the code that Python knows, `shown` the code whose output is on the page.
  return Object.assign(cell, { printed: code.innerHTML, isClaims, ran: null, shown: original, editor: null });
});

// What the reader has typed is kept, cell by cell.
function remember() {
  const changed = cells.filter((cell) => cell.source !== cell.original);
  memory?.remember(memory.page, "code", Object.fromEntries(changed.map((cell) => [cell.id, cell.source])));
}
function setSource(cell, text) {
  cell.source = text;
  if (cell.editor) cell.code.textContent = text; // the button Copy takes it from there
  drawChanged(cell);
  remember();
}
function drawChanged(cell) {
  cell.reset.hidden = cell.source === cell.original;
  cell.node.classList.toggle("live-changed", cell.source !== cell.shown);
}
function showVerdict(cell, kind) {
  if (kind === "right" && !done.has(cell.exercise)) {
    done.add(cell.exercise);
    memory?.remember(memory.page, "exercises", [...done]);
  }
  drawDone(cell, kind === "right");
}
function drawDone(cell, isNow = true) {
  cell.node.classList.toggle("live-done", done.has(cell.exercise));
  cell.doneMark.hidden = !done.has(cell.exercise);
  cell.doneMark.textContent = isNow ? "Solved" : "Solved before";
}

function say(cell, text, ...more) {
  cell.status.replaceChildren(text, ...more);
}

// Turns the code into an editor, with the caret where the reader clicked.
async function edit(cell, offset = 0) {
  if (!cell.editor) {
    const module = await loadEditor(folder, manifest).catch((error) => say(cell, error.message));
    if (!module || cell.editor) return;
    const box = document.createElement("div");
    box.className = "live-editor highlight";
    const { font, padding } = getComputedStyle(cell.code); // so that no letter moves
    Object.assign(box.style, { font, padding });
    cell.code.after(box);
    cell.code.hidden = true;
    cell.editor = module.edit(box, cell.source, {
      label: cell.exercise ? `Your answer to exercise ${cell.exercise}` : "Code of this cell",
      onRun: () => run(cell, page),
      onChange: (text) => setSource(cell, text),
    });
    say(cell, "");
  }
  cell.editor.focus(offset);
}
function reset(cell) {
  const typed = cell.source;
  replace(cell, cell.original);
  say(
    cell,
    "The original code is back. ",
    button("live-undo", "Bring mine back", () => {
      replace(cell, typed);
      say(cell, "");
    }),
  );
}
function replace(cell, text) {
  if (cell.editor) cell.editor.setText(text);
  else if (text === cell.original) cell.code.innerHTML = cell.printed;
  else cell.code.textContent = text;
  setSource(cell, text);
}

// Where in the code a click was, counted in characters.
function offsetOf(event, code) {
  const caret = document.caretPositionFromPoint?.(event.clientX, event.clientY);
  const [node, offset] = caret ? [caret.offsetNode, caret.offset] : [null, 0];
  if (!node || !code.contains(node)) return 0;
  const before = document.createRange();
  before.setStart(code, 0);
  before.setEnd(node, offset);
  return before.toString().length;
}

const page = { cells, folder, manifest, say, showVerdict };
for (const cell of cells) {
  const verb = cell.exercise ? "Check" : "Run";
  cell.run = button("live-run", verb, () => run(cell, page));
  cell.run.title = `${verb} (Shift+Enter in the code)`;
  cell.change = button("live-edit", cell.exercise ? "Write" : "Edit", () => edit(cell));
  cell.reset = button("live-reset", "Reset", () => reset(cell));
  cell.doneMark = Object.assign(document.createElement("span"), { className: "live-done-mark" });
  cell.status = document.createElement("span");
  cell.status.className = "live-status";
  cell.status.setAttribute("role", "status");
  const number = Object.assign(document.createElement("span"), {
    className: "live-number",
    textContent: `cell ${cell.k + 1}`,
  });
  cell.bar.append(cell.run, cell.change, cell.reset, cell.doneMark, cell.status, number);
  cell.node.classList.toggle("live-exercise", cell.exercise !== null);
  drawDone(cell);
  drawChanged(cell);
  if (cell.source !== cell.original) cell.code.textContent = cell.source;
  cell.code.addEventListener("click", (event) => {
    if (getSelection().isCollapsed) edit(cell, offsetOf(event, cell.code));
  });
}
