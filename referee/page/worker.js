// The worker that runs the rules: Python in WebAssembly. A classic script, because a browser loads no module worker from a
// file. `pyodide`, which gives `{loadPyodide, createModule}`, is put before it; what else it needs comes with the first message.
//
// Messages in: `{start}`, then `{id, name, body}`. Out: `{ready}`, `{id, ok, answer}`, or `{fatal}`, after which nothing can be
// relied on.

const HOME = "file:///python/";
const gunzip = (bytes) => new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"));
const inflated = async (bytes) => new Uint8Array(await new Response(gunzip(bytes)).arrayBuffer());

/** Load Python and the rules; returns what answers calls. */
async function start({ wasm, stdlib, site, lock, sources }) {
  const inside = {
    "pyodide.asm.wasm": () => new Response(gunzip(wasm), { headers: { "Content-Type": "application/wasm" } }),
    "python_stdlib.zip": () => new Response(gunzip(stdlib)),
  };
  // Pyodide asks for its files by address; nothing leaves this worker.
  self.fetch = async (address) => {
    const name = String(address).replace(HOME, "");
    if (!Object.hasOwn(inside, name)) throw new TypeError(`there is no ${name} in this page`);
    return inside[name]();
  };
  const python = await pyodide.loadPyodide({
    indexURL: HOME,
    createPyodideModule: pyodide.createModule,
    lockFileContents: JSON.parse(lock),
    env: { REFEREE_HOME: "/memory", PYTHONDONTWRITEBYTECODE: "1" },
  });
  python.FS.writeFile("/site.zip", await inflated(site));
  python.FS.writeFile("/sources.zip.bz2", sources);
  python.runPython(`
import bz2, io, site, sys, zipfile
packages = next(path for path in sys.path if path.endswith("site-packages"))
zipfile.ZipFile("/site.zip").extractall(packages)
with open("/sources.zip.bz2", "rb") as packed:
    zipfile.ZipFile(io.BytesIO(bz2.decompress(packed.read()))).extractall(packages)
`);
  python.FS.unlink("/site.zip");
  python.FS.unlink("/sources.zip.bz2");
  python.pyimport("referee.app.judged").stand_in();
  return python.pyimport("referee.app.inside").answer;
}

let answer = null;

async function take({ start: parts, id, name, body }) {
  if (parts) {
    answer = await start(parts);
    return postMessage({ ready: true });
  }
  const [ok, found] = JSON.parse(answer(name, JSON.stringify(body)));
  return postMessage({ id, ok, answer: found });
}

let turn = Promise.resolve();
self.onmessage = ({ data }) => {
  turn = turn.then(() => take(data)).catch((error) => postMessage({ fatal: String(error?.message ?? error).slice(0, 2000) }));
};
