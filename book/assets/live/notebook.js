// Runs the cells of a page, one after the other, in one Python that the first Run starts. worker.js says what passes
// between them.
import { output } from "./output.js";
import { startPython } from "./python.js";

const PATIENCE = 2000; // milliseconds that a stopped cell gets to end by itself

let python = null;
let busy = null; // the cell that the reader runs
let starting = null; // what breaks off the start
let current = null; // the cell that runs now: { cell, show, finish }
const asked = new Map(); // number of a question to the worker -> what takes its answer
let questions = 0;
let tell = () => {}; // says in the bar of the cell that was asked for how far things are
const takers = new Map(); // widget -> what takes a change from Python
const connect = {
  send(model, changes) {
    for (const [name, value] of Object.entries(changes)) python?.send({ kind: "change", model, name, value });
  },
  receive: (model, take) => takers.set(model, take),
};

const megabytes = (bytes) => Math.round(bytes / 1e6);
const PARTS = { python: "Python", figures: "matplotlib" };

const hear = {
  progress({ what, fetched, total }) {
    const amount = `${megabytes(fetched)} of ${megabytes(total)} MB (only once)`;
    tell(fetched < total ? `Downloading ${PARTS[what]}: ${amount}…` : `Starting ${PARTS[what]}…`);
  },
  change: ({ model, name, value }) => takers.get(model)?.(name, value),
  answer({ id, cells }) {
    asked.get(id)(cells);
    asked.delete(id);
  },
  stream: ({ name, text }) => current?.show.stream(name, text),
  output({ type, content }) {
    tell("Running…"); // what it needs is there
    current?.show[type](content);
    if (current && type === "verdict") current.verdict = content;
  },
  done: (result) => current?.finish(result),
  failed({ text }) {
    current?.show.error({ text });
    current?.finish({ ok: false });
  },
};

async function start({ folder, manifest }) {
  if (python) return;
  tell("Starting Python…");
  starting = new AbortController();
  try {
    python = await startPython(folder, manifest, (message) => hear[message.kind]?.(message), starting.signal);
  } finally {
    starting = null;
  }
}

// Which cells does cell k need, or which depend on it? `kind` is "needed" or "depends".
function ask(kind, { cells }, sources, k) {
  const answers = cells.filter((cell) => cell.exercise).map((cell) => cell.k);
  return new Promise((resolve) => {
    questions += 1;
    asked.set(questions, resolve);
    python.send({ kind, id: questions, sources, k, answers });
  });
}

// Runs one cell; resolves to how it ended.
function execute(cell) {
  return new Promise((resolve) => {
    const { source } = cell;
    const show = output(cell, connect);
    function finish({ ok, stopped = false }) {
      const { verdict } = current;
      current = null;
      show.end();
      cell.ran = ok ? source : null;
      cell.shown = source;
      cell.node.classList.remove("live-stale");
      cell.node.classList.toggle("live-changed", cell.source !== source);
      if (cell.isClaims) cell.node.classList.toggle("live-broken", !ok && !stopped);
      resolve({ ok, stopped, verdict });
    }
    current = { cell, show, finish };
    python.send({ kind: "run", cell: cell.k, source, name: `cell ${cell.k + 1}`, isAnswer: cell.exercise !== null });
  });
}

// Stops what runs: Python code by an interrupt; what does not listen, by ending Python, and all names with it.
function stop({ cells }) {
  starting?.abort();
  if (!current) return;
  const stopped = current;
  python.interrupt();
  setTimeout(() => {
    if (current !== stopped) return;
    python.end();
    python = null;
    for (const cell of cells) cell.ran = null;
    stopped.show.error({ text: "Stopped. Python had to be shut down: all variables are lost. Run starts it again." });
    stopped.finish({ ok: false, stopped: true });
  }, PATIENCE);
}

const counted = (cells) => (cells === 1 ? "1 cell" : `${cells} cells`);

// Runs a cell after the cells above that it needs; or after all of `above`.
export async function run(cell, page, above = null) {
  const { cells, say } = page;
  if (busy === cell) return say(cell, "This cell is still running. Press Stop first.");
  if (busy) return say(cell, "Another cell is running. Wait until it ends, or stop it: ", link(busy));
  busy = cell;
  const [name, act] = [cell.run.textContent, cell.run.onclick];
  Object.assign(cell.run, { textContent: "Stop", onclick: () => stop(page) });
  cell.node.classList.add("live-running");
  tell = (text) => say(cell, text);
  try {
    await start(page);
    // The solutions are the reader's to open: nothing runs them unasked.
    const sources = cells.map((one) => (one.solution && one !== cell && !one.solution.open ? "" : one.source));
    const needed = above ?? (await ask("needed", page, sources, cell.k)).map((k) => cells[k]);
    let before = 0;
    for (const [k, one] of needed.entries()) {
      if (one.ran === one.source) continue;
      before += 1;
      const all = before + needed.slice(k + 1).filter((other) => other.ran !== other.source).length;
      const which = above ? "above" : "above that this cell needs";
      tell = () => say(cell, `Running ${counted(all)} ${which}: ${before} of ${all}…`);
      tell();
      const isChanged = one.source !== (one.ran ?? one.original);
      const { ok, stopped } = await execute(one);
      if (stopped) return say(cell, "Stopped.");
      if (!ok)
        return say(cell, above ? "A cell above has failed: " : "A cell that this one needs has failed: ", link(one));
      if (isChanged) await markStale(one, page, sources);
    }
    tell = (text) => say(cell, text);
    tell("Running…");
    const isChanged = cell.source !== (cell.ran ?? cell.original);
    const { ok, verdict } = await execute(cell);
    page.showVerdict(cell, verdict?.exercise === cell.exercise ? verdict.kind : null);
    const isAbove = cell.node.querySelector(".cell_output")?.compareDocumentPosition(cell.bar) & 4;
    if (!ok) say(cell, "");
    else if (cell.exercise && !verdict)
      say(
        cell,
        `Nothing was checked: the line that begins with check("${cell.exercise}" is missing. Reset brings it back.`,
      );
    else if (before && above) say(cell, `The page first ran ${counted(before)} above.`);
    else if (before)
      say(cell, `The page first ran ${counted(before)} above that this cell needs. `, runAll(cell, page));
    else say(cell, isAbove ? "Done: what this cell shows is above its code." : "");
    if (isChanged && python) markStale(cell, page, sources); // the reader need not wait for this
  } catch (error) {
    say(cell, error.message);
  } finally {
    busy = null;
    Object.assign(cell.run, { textContent: name, onclick: act });
    cell.node.classList.remove("live-running");
    cell.node.dataset.runs = Number(cell.node.dataset.runs ?? 0) + 1;
  }
}

// A link to a cell, which is unfolded if it has to be.
function link(cell) {
  cell.node.id ||= `cell-${cell.k + 1}`;
  const to = Object.assign(document.createElement("a"), {
    href: `#${cell.node.id}`,
    textContent: `cell ${cell.k + 1}`,
  });
  to.onclick = () => {
    for (let box = cell.code.closest("details"); box; box = box.parentElement.closest("details")) box.open = true;
  };
  return to;
}

// Claims are about the code as it is printed, and exercises and solutions are the reader's own.
function runAll(cell, page) {
  const above = page.cells.slice(0, cell.k).filter((one) => !one.solution && !one.exercise && !one.isClaims);
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Run all above" });
  button.onclick = () => run(cell, page, above);
  return button;
}

// Cells below that use what this one makes show what was true before.
async function markStale(cell, page, sources) {
  for (const k of await ask("depends", page, sources, cell.k)) {
    page.cells[k].ran = null;
    page.cells[k].node.classList.add("live-stale");
  }
}
