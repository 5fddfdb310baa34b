// Every code cell of the page can be changed and run. Nothing is fetched before the reader asks for it.
import { hindrance, loadEditor, startPython } from "./python.js";

const { src, dataset } = document.currentScript;
const folder = new URL("./", src);

// For the tests of what is behind the cells.
globalThis.plaLive = {
  hindrance,
  startPython: (hear) => startPython(folder, dataset.manifest, hear),
  loadEditor: () => loadEditor(folder, dataset.manifest),
};
