// worker.js - one library in a worker. First message: { module, files }, then { id, ask } or { id, lsp }.
// Answers { id, answer }, { id, progress: [done, of] } meanwhile, or { id, failed } when the library ended.
/* global FrayModule, importScripts */
importScripts("fray.js");

let ready = null, current = 0;

function call(fray, name, text) {
  const size = fray.lengthBytesUTF8(text) + 1;
  const at = fray._malloc(size);
  fray.stringToUTF8(text, at, size);
  try {
    return JSON.parse(fray.UTF8ToString(fray["_" + name](at)));
  } finally {
    fray._free(at);
  }
}

async function start({ module, files }) {
  const fray = await FrayModule({
    instantiateWasm(imports, done) {
      WebAssembly.instantiate(module, imports).then((instance) => done(instance, module));
      return {};
    },
    progress: (done, of) => postMessage({ id: current, progress: [done, of] }),
  });
  for (const [name, text] of Object.entries(files))
    call(fray, "web_ask", JSON.stringify({ do: "file", name: "/" + name, text }));
  return fray;
}

onmessage = async ({ data }) => {
  if (data.module) {
    ready = start(data);
    return;
  }
  try {
    const fray = await ready;
    current = data.id;
    const answer = data.lsp ? call(fray, "web_lsp", JSON.stringify(data.lsp)) : call(fray, "web_ask", JSON.stringify(data.ask));
    postMessage({ id: data.id, answer });
  } catch (problem) {
    postMessage({ id: data.id, failed: String(problem) });
  }
};
