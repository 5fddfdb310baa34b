// Python in a worker of its own. It needs no header of the server's, no shared memory and no other host.
//
// Messages from the page:
//   start   folder, manifest           fetch the parts and start Python
//   run     cell, source, name, isAnswer, stop
//                                      run a cell; `cell` is any id, `name` what tracebacks call it, such as "Cell 3",
//                                      `isAnswer` whether it is an exercise; `stop` is a blob address: the cell is
//                                      interrupted when it is revoked
//   needed  id, sources, k, answers    which cells above cell k it needs, of all the page's sources in order;
//                                      `answers` are the numbers of exercises
//   depends id, sources, k, answers    which cells below cell k need it
//   change  model, name, value         the reader changed a value of a widget
//
// Messages to the page:
//   progress  what, fetched, total     bytes of what is being fetched: "python" or "figures"
//   ready     ms                       Python has started
//   stream    cell, name, text         what a cell prints; name is "stdout" or "stderr"
//   output    cell, type, content      what a cell shows. type and content are
//       text     the repr of its last value
//       html     the HTML form of its last value
//       figure   {wide, narrow}: two SVG documents, with dark ink on no background as those of the site; narrow is
//                for phones, with panels below each other
//       widget   {id, state, sentence}: `state` as the page's widget host takes it
//       error    {name, text, line}: the error's class, the traceback from the cell on, the line in the cell or null
//       verdict  {exercise, kind, text}: what a check says; kind is "right", "not yet" or "not attempted"
//   change    model, name, value       Python changed a value of a widget, or did not take the reader's
//   done      cell, ok, ms, stopped    a cell has ended: whether it ran to its end, and whether it was interrupted;
//                                      one that was interrupted while it waited does not run at all
//   answer    id, cells                to needed and depends
//   failed    cell?, text              Python could not start, or not get what a cell needs: a sentence for the reader
//
// Messages are dealt with one after the other, in the order in which they come.
import { readParts } from "./files.js";

const say = (kind, more = {}) => postMessage({ kind, ...more });

// How a busy worker hears of anything without shared memory. While Python runs, it looks every now and then at what it
// takes for a buffer of signals. There it finds an alarm when its time is up, and an interrupt when the page has
// revoked the address `stop`, or when the cell has printed too much.
const SIGINT = 2;
const SIGALRM = 14;
const LOOK_EVERY = 150; // ms
let alarmAt = Number.POSITIVE_INFINITY;
let stop = null;
let lookAt = 0;
let flooded = false;
let stopped = false;

function revoked(address) {
  try {
    const request = new XMLHttpRequest();
    request.open("GET", address, false);
    request.send();
    return false;
  } catch {
    return true;
  }
}

const signals = {
  get 0() {
    const now = performance.now();
    if (now > alarmAt) {
      alarmAt = Number.POSITIVE_INFINITY;
      return SIGALRM;
    }
    if (now >= lookAt && stop) {
      lookAt = now + LOOK_EVERY;
      stopped = revoked(stop);
    }
    if (!flooded && !(stopped && stop)) return 0;
    flooded = false;
    stop = null;
    return SIGINT;
  },
  set 0(_) {}, // Python would clear it
};

// What is printed goes to the page at most ten times a second, and at most so much of it: more would freeze the page.
const MOST = 100_000; // characters
const FLUSH_EVERY = 100; // ms
let current = null;
let printed = 0;
let pending = [];
let flushedAt = 0;
const decoders = { stdout: new TextDecoder(), stderr: new TextDecoder() };

function flush() {
  for (const [name, text] of pending) say("stream", { cell: current, name, text });
  pending = [];
  flushedAt = performance.now();
}

function write(name, bytes) {
  let text = decoders[name].decode(bytes, { stream: true });
  if (printed <= MOST && printed + text.length > MOST) {
    text = `${text.slice(0, MOST - printed)}\n… This cell prints more than the page can show, so it was stopped.\n`;
    flooded = true;
  } else if (printed > MOST) text = "";
  printed += text.length;
  if (pending.at(-1)?.[0] === name) pending.at(-1)[1] += text;
  else if (text) pending.push([name, text]);
  if (performance.now() > flushedAt + FLUSH_EVERY) flush();
  return bytes.length;
}

let python = null;
let shell = null;
let where = null; // folder and manifest

const importable = (content) => URL.createObjectURL(new Blob([content], { type: "text/javascript" }));

async function start({ folder, manifest }) {
  const began = performance.now();
  where = { folder, manifest };
  const parts = await readParts(folder, manifest, manifest.start, (fetched, total) =>
    say("progress", { what: "python", fetched, total }),
  );
  // Pyodide asks for these two by address.
  const own = {
    "pyodide.asm.wasm": [parts["pyodide.asm.wasm"], "application/wasm"],
    "python_stdlib.zip": [parts["python_stdlib.zip"], "application/zip"],
  };
  const fetchOther = globalThis.fetch;
  globalThis.fetch = (request, ...more) => {
    const [content, type] =
      own[
        String(request.url ?? request)
          .split("/")
          .pop()
      ] ?? [];
    return content
      ? Promise.resolve(new Response(content, { headers: { "Content-Type": type } }))
      : fetchOther(request, ...more);
  };
  const [{ loadPyodide }, { default: createPyodideModule }] = await Promise.all(
    ["pyodide.mjs", "pyodide.asm.mjs"].map((name) => import(importable(parts[name]))),
  );
  python = await loadPyodide({
    indexURL: folder,
    createPyodideModule,
    lockFileContents: { info: { ...LOCK }, packages: {} },
    packageBaseUrl: folder,
  });
  globalThis.fetch = fetchOther;
  for (const name of ["packages.zip", "library.zip"]) install(parts[name]);
  for (const name of ["stdout", "stderr"])
    python[name === "stdout" ? "setStdout" : "setStderr"]({ write: (bytes) => write(name, bytes), isatty: false });
  python.registerJsModule("page", {
    show(type, content) {
      flush();
      say("output", { cell: current, type, content: JSON.parse(content) });
    },
    change: (model, name, value) => say("change", { model, name, value: JSON.parse(value) }),
    alarm(seconds) {
      alarmAt = seconds ? performance.now() + 1000 * seconds : Number.POSITIVE_INFINITY;
    },
    install_figures: () => installFiguresAtOnce(),
  });
  shell = python.pyimport("shell");
  python.setInterruptBuffer(signals);
  say("ready", { ms: Math.round(performance.now() - began) });
}

const LOCK = { abi_version: "2026_0", arch: "wasm32", platform: "emscripten_5_0_3", python: "3.14.0" };

function install(content) {
  python.unpackArchive(content, "zip", { extractDir: python.runPython("import site; site.getsitepackages()[0]") });
}

// matplotlib and what it needs are fetched when a cell is about to draw.
const DRAWS = /\bplot_\w+\s*\(|\bmatplotlib\b|\bplt\.|\bPIL\b|\.picture\(/;
let canDraw = false;

async function installFigures() {
  const { folder, manifest } = where;
  const progress = (fetched, total) => say("progress", { what: "figures", fetched, total });
  const parts = await readParts(folder, manifest, manifest.figures, progress);
  for (const name of manifest.figures) install(parts[name]);
  canDraw = true;
}

// A cell that draws although its text does not tell: Python is waiting, so there is no time to ask the Cache API.
function installFiguresAtOnce() {
  if (canDraw) return;
  for (const name of where.manifest.figures) {
    const request = new XMLHttpRequest();
    request.open("GET", new URL(where.manifest.files[name].file, where.folder), false);
    request.responseType = "arraybuffer";
    request.send(); // throws if there is no connection
    if (request.status !== 200) throw new Error(`The site has no ${name}.`);
    install(request.response);
  }
  canDraw = true;
}

async function run({ cell, source, name, isAnswer, stop: address }) {
  if (!canDraw && DRAWS.test(source)) await installFigures();
  if (revoked(address)) return say("done", { cell, ok: false, stopped: true, ms: 0 });
  current = cell;
  printed = 0;
  flooded = stopped = false;
  lookAt = 0;
  alarmAt = Number.POSITIVE_INFINITY;
  stop = address;
  const began = performance.now();
  let ok = false;
  try {
    ok = shell.run(source, name, isAnswer);
  } finally {
    stop = null;
    flush();
  }
  say("done", { cell, ok, stopped, ms: Math.round(performance.now() - began) });
}

const answer = (question, { id, sources, k, answers }) =>
  say("answer", { id, cells: JSON.parse(shell[question](JSON.stringify(sources), k, JSON.stringify(answers))) });

const handlers = {
  start,
  run,
  needed: (message) => answer("needed", message),
  depends: (message) => answer("depends", message),
  change: ({ model, name, value }) => shell.change(model, name, JSON.stringify(value)),
};

let queue = Promise.resolve();
addEventListener("message", ({ data }) => {
  queue = queue
    .then(() => handlers[data.kind](data))
    .catch((error) => say("failed", { cell: data.cell, text: String(error.message ?? error) }));
});
