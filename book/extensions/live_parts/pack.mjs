// Runs a Python script in the very interpreter that readers will run: node pack.mjs PYODIDE FOLDER SCRIPT ARGUMENT
// PYODIDE has Pyodide's core; the script sees FOLDER as /folder, and the argument as ARGUMENT.
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const [core, folder, script, argument] = process.argv.slice(2);
const { loadPyodide } = await import(pathToFileURL(`${core}/pyodide.mjs`));
const python = await loadPyodide({ indexURL: core });
python.FS.mkdir("/folder");
python.mountNodeFS("/folder", folder);
python.globals.set("ARGUMENT", argument);
python.runPython(readFileSync(script, "utf8"), { filename: "pack.py" });
process.exit(0); // Pyodide would keep Node waiting
