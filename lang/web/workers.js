// library_workers.js - workers with the library in them: the compiled module is fetched once and shared.

let shared = null;

export function load(files) {
  shared = shared || (async () => {
    const answer = await fetch("fray.wasm");
    const bytes = answer.clone();
    const module = await WebAssembly.compileStreaming(answer).catch(async () => WebAssembly.compile(await bytes.arrayBuffer()));
    return { module, files };
  })();
  return shared;
}

export class Library {
  constructor() {
    this.waiting = new Map();
    this.next = 1;
    this.start();
  }

  start() {
    this.worker = new Worker("worker.js");
    this.begun = shared.then((first) => this.worker.postMessage(first));
    this.worker.onmessage = ({ data }) => {
      const one = this.waiting.get(data.id);
      if (!one) return;
      if (data.progress) {
        if (one.progress) one.progress(...data.progress);
        return;
      }
      this.waiting.delete(data.id);
      if (data.failed) {
        // what has ended cannot be asked again
        this.restart();
        one.fail(new Error(data.failed));
      } else one.done(data.answer);
    };
  }

  async send(message, progress) {
    await this.begun;
    const id = this.next++;
    return new Promise((done, fail) => {
      this.waiting.set(id, { done, fail, progress });
      this.worker.postMessage({ id, ...message });
    });
  }

  ask(what, values, progress) { return this.send({ ask: { do: what, ...values } }, progress); }
  lsp(message) { return this.send({ lsp: { jsonrpc: "2.0", ...message } }); }

  // Ends what is being done.
  restart() {
    this.worker.terminate();
    for (const one of this.waiting.values()) one.fail(new Error("stopped"));
    this.waiting.clear();
    this.start();
  }
}
