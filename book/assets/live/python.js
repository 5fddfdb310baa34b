// Python for the page: starts the worker and speaks with it. worker.js says which messages there are.
import { readManifest, scriptAddress } from "./files.js";

// Why this browser cannot run Python here, in a sentence for the reader; null if nothing is known against it.
export function hindrance() {
  if (location.protocol === "file:")
    return "Code cannot run in a page that was opened as a file. Open the book on its website, or run 'make serve'.";
  if (typeof WebAssembly !== "object")
    return "Code cannot run here, because this browser has WebAssembly switched off.";
  let modules = false;
  const options = {
    get type() {
      modules = true;
      return "module";
    },
  };
  try {
    new Worker("data:text/javascript,", options).terminate();
  } catch {
    modules = false;
  }
  if (!modules || typeof DecompressionStream !== "function")
    return "Code cannot run here, because this browser is too old. Any browser from 2024 or later works.";
  return null;
}

// Starts Python, unless `signal` breaks it off. `hear(message)` gets every message of the worker. Rejects with an Error
// for the reader.
//   send(message)     sends a message; a message of kind "run" can be interrupted
//   interrupt()       asks all cells that were sent to stop; Python does within a second, C code at its end
//   end()             ends the worker, and all names with it, whatever it is doing
export async function startPython(folder, manifestName, hear, signal) {
  const reason = hindrance();
  if (reason) throw new Error(reason);
  const manifest = await readManifest(folder, manifestName);
  const script = await scriptAddress(folder, manifest, "worker.js");
  const worker = new Worker(script, { type: "module" });
  const stops = new Map(); // cell -> the address that stops it, while it waits or runs
  const revoke = (cell) => URL.revokeObjectURL(stops.get(cell));
  const python = {
    send(message) {
      if (message.kind !== "run") return worker.postMessage(message);
      const stop = URL.createObjectURL(new Blob([" "]));
      stops.set(message.cell, stop);
      return worker.postMessage({ ...message, stop });
    },
    interrupt: () => [...stops.keys()].forEach(revoke),
    end: () => worker.terminate(),
  };
  await new Promise((resolve, reject) => {
    worker.onerror = (event) => reject(new Error(event.message || "Python could not be started."));
    worker.onmessage = ({ data }) => {
      if (data.kind === "ready") resolve();
      if (data.kind === "failed" && data.cell === undefined) reject(new Error(data.text));
      if (data.kind === "done" || data.kind === "failed") {
        revoke(data.cell);
        stops.delete(data.cell);
      }
      hear(data);
    };
    signal.onabort = () => reject(new Error("Stopped."));
    worker.postMessage({ kind: "start", folder: String(folder), manifest });
  }).catch((error) => {
    worker.terminate();
    throw error;
  });
  URL.revokeObjectURL(script);
  return python;
}

// The editor's module; see editor.js.
export async function loadEditor(folder, manifestName) {
  const script = await scriptAddress(folder, await readManifest(folder, manifestName), "editor.js");
  return import(script).finally(() => URL.revokeObjectURL(script));
}
