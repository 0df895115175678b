// Packs Python for the page: node pack.mjs FOLDER_OF_PYODIDE FOLDER_WITH_WHEELS OUT
//
// The Python that is packed does the packing, so that the bytes do not depend on this machine: not on its Python, and not on
// its zlib.

import { readFileSync, readdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [pyodide, wheels, out] = process.argv.slice(2).map((path) => resolve(path));
const text = (name) => readFileSync(join(pyodide, name), "utf8");

/** Replace a text that must occur exactly this often: in another release of Pyodide it may not, and then nothing is built. */
function replaced(source, found, times, by) {
  const parts = source.split(found);
  if (parts.length !== times + 1) throw new Error(`expected ${times} times, found ${parts.length - 1}: ${found}`);
  return parts.join(by);
}

function without(source, ...words) {
  const left = words.find((word) => source.includes(word));
  if (left) throw new Error(`this must not be left: ${left}`);
  return source;
}

/** Pyodide as an expression for a classic worker: modules cannot be loaded from a file. It gives `{loadPyodide, createModule}`. */
function asScript() {
  // A release that no longer looks for classic workers in this way would be loaded in another way, too.
  const loader = replaced(text("pyodide.mjs"), "globalThis.importScripts(", 1, "globalThis.importScripts(");
  const opened = replaced(loader, "export{dt as loadPyodide,U as version};", 1, "return dt;");
  const core = replaced(text("pyodide.asm.mjs"), "export default _createPyodideModule;", 1, "return _createPyodideModule;");
  const placed = replaced(core, "import.meta.url", 3, '"file:///python/pyodide.asm.mjs"');
  const bare = replaced(opened, "//# sourceMappingURL=pyodide.mjs.map", 1, "");
  const parts = [without(bare, "import.meta", "export{"), without(placed, "import.meta", "export default")];
  // Pyodide tries `importScripts` to find out what kind of worker this is.
  const alone = 'globalThis.importScripts = () => { throw new TypeError("nothing is loaded from elsewhere"); };';
  return `(() => {${alone} return {loadPyodide: (() => {${parts[0]}\n})(), createModule: (() => {${parts[1]}\n})()};})()`;
}

const { loadPyodide } = await import(pathToFileURL(join(pyodide, "pyodide.mjs")));
const python = await loadPyodide({ env: { PYTHONHASHSEED: "0", PYTHONDONTWRITEBYTECODE: "1" } });
const script = asScript();
python.FS.mkdirTree("/in");
const give = (name, bytes) => python.FS.writeFile(`/in/${name}`, bytes);
give("pyodide.js", new TextEncoder().encode(script));
for (const name of ["pyodide.asm.wasm", "pyodide-lock.json", "python_stdlib.zip"]) give(name, readFileSync(join(pyodide, name)));
give("left-out.txt", readFileSync(new URL("left-out.txt", import.meta.url)));
const wheel = readdirSync(wheels).filter((name) => name.endsWith(".whl"));
if (wheel.length !== 1) throw new Error("expected one wheel");
give("msgspec.whl", readFileSync(join(wheels, wheel[0])));
python.runPython(readFileSync(new URL("pack.py", import.meta.url), "utf8"));
for (const name of python.FS.readdir("/out").filter((name) => !name.startsWith("."))) writeFileSync(join(out, name), python.FS.readFile(`/out/${name}`));
