// Runs the cells of a page in one worker, which is started by the first Run. worker.js says what passes between them.

import { output } from "./output.js";

const PATIENCE = 2000; // milliseconds that a stopped cell gets to end by itself

let worker = null;
let ready = null; // a promise: Python has started
let current = null; // { cell, address, show, finish }: the cell that runs now
const takers = new Map(); // model -> what takes a change from Python
const connect = {
  send: (model, changes) => worker?.postMessage({ kind: "change", model, changes }),
  receive: (model, take) => takers.set(model, take),
};

const megabytes = (bytes) => Math.round(bytes / 1e6);

// Starts Python, once, and tells how far it is.
function start(here, tell) {
  ready ??= new Promise((resolve, reject) => {
    worker = new Worker(new URL("worker.js", here), { type: "module" });
    worker.onerror = () => reject(new Error("This browser cannot run Python in a page. Use the notebook instead."));
    worker.onmessage = ({ data }) => {
      if (data.kind === "ready") resolve();
      else if (data.kind === "failed") reject(new Error(data.text));
      else hear(data);
    };
    worker.postMessage({ kind: "start" });
  });
  hear.progress = ({ fetched, total }) =>
    tell(
      fetched < total
        ? `Fetching Python, ${megabytes(fetched)} of ${megabytes(total)} MB, once\u2026`
        : "Starting Python\u2026",
    );
  return ready;
}

// What the worker says while it works.
let answer = null; // takes the worker's answer to a question
function hear(data) {
  if (data.kind === "progress") return hear.progress(data);
  if (data.kind === "changed") return takers.get(data.model)?.(data.name, data.value);
  if (data.kind === "answer") return answer(data.value);
  if (!current) return;
  if (data.kind === "done") return current.finish(data);
  if (data.kind === "stream") return current.show.stream(data.name, data.text);
  if (data.kind === "verdict" && data.verdict === "right") current.passed = true;
  current.show[data.kind](data.content);
}
function ask(message) {
  return new Promise((resolve) => {
    answer = resolve;
    worker.postMessage(message);
  });
}

// Runs one cell; resolves to how it ended. Revoking the address is how the page tells a busy worker to stop.
function execute(cell) {
  return new Promise((resolve) => {
    const { source } = cell;
    const show = output(cell, connect);
    const address = URL.createObjectURL(new Blob([" "]));
    current = {
      cell,
      address,
      show,
      finish({ ok, stopped = false }) {
        URL.revokeObjectURL(address);
        const { passed } = current;
        current = null;
        show.end();
        cell.ran = ok ? source : null;
        resolve({ ok, stopped, passed });
      },
    };
    worker.postMessage({ kind: "run", source, stop: address });
  });
}

// Stops what runs: Python code by an interrupt; what does not listen, by ending the worker, and all names with it.
function stop(page) {
  if (!current) return;
  const stopped = current;
  URL.revokeObjectURL(stopped.address);
  setTimeout(() => {
    if (current !== stopped) return;
    worker.terminate();
    worker = ready = null;
    for (const cell of page.cells) cell.ran = null;
    stopped.show.error("Stopped. Python had to be ended, so all names are gone; Run starts it again.");
    stopped.finish({ ok: false, stopped: true });
  }, PATIENCE);
}

const plural = (count) => (count === 1 ? "1 cell" : `${count} cells`);

let isBusy = false;
export async function run(cell, page, above = null) {
  const { cells, say } = page;
  if (isBusy) return say(cell, "Another cell is running: wait for it, or stop it.");
  isBusy = true;
  const button = cell.run;
  const [name, act] = [button.textContent, button.onclick];
  Object.assign(button, { textContent: "Stop", onclick: () => stop(page) });
  cell.node.classList.add("live-running");
  try {
    await start(page.here, (text) => say(cell, text));
    // The solutions are the reader's to open: nothing runs them unasked.
    const sources = cells.map((one) => (one.isSolution && one !== cell && !isOpen(one) ? "" : one.source));
    const needed = above ?? (await ask({ kind: "needed", sources, k: cell.k }));
    const first = needed.map((k) => cells[k]).filter((one) => one.ran !== one.source);
    for (const [k, one] of first.entries()) {
      say(cell, `Running ${plural(first.length)} above that this one needs (${k + 1} of ${first.length})\u2026`);
      const { ok, stopped } = await execute(one);
      if (!ok) return say(cell, stopped ? "Stopped." : "A cell above that this one needs does not run: ", jump(one));
    }
    say(cell, "Running\u2026");
    const wasChanged = cell.ran !== null && cell.ran !== cell.source;
    const { ok, passed } = await execute(cell);
    if (passed) page.markDone(cell);
    cell.node.classList.remove("live-stale");
    const after = first.length ? `First ran ${plural(first.length)} above. ` : "";
    const all = first.length && !above ? [runAll(cell, page)] : [];
    say(cell, ok ? after : "", ...(ok ? all : []));
    if (wasChanged || cell.source !== cell.original) await markStale(cell, page, sources);
  } catch (error) {
    worker?.terminate();
    worker = ready = null;
    say(cell, error.message);
  } finally {
    isBusy = false;
    Object.assign(button, { textContent: name, onclick: act });
    cell.node.classList.remove("live-running");
    cell.node.dataset.runs = Number(cell.node.dataset.runs ?? 0) + 1;
  }
}

const isOpen = (cell) => cell.node.closest("details.solution")?.open ?? true;

function jump(cell) {
  cell.node.id ||= `cell-${cell.k + 1}`;
  return Object.assign(document.createElement("a"), { href: `#${cell.node.id}`, textContent: "see there" });
}

function runAll(cell, page) {
  const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Run all above" });
  const above = page.cells.slice(0, cell.k).filter((one) => !one.isSolution && !one.exercise);
  button.onclick = () =>
    run(
      cell,
      page,
      above.map((one) => one.k),
    );
  return button;
}

// Cells below that use what this one makes show what was true before.
async function markStale(cell, page, sources) {
  for (const k of await ask({ kind: "dependents", sources, k: cell.k })) {
    const one = page.cells[k];
    one.ran = null;
    one.node.classList.add("live-stale");
  }
}
