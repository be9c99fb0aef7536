// play.js - the playground: the buttons, and what they show.
import { drawn } from "./charts.js";
import { open_editor } from "./editor.js";
import { grid } from "./grid.js";
import { pack, unpack } from "./link.js";
import { story } from "./story.js";
import { Library, load } from "./workers.js";

const $ = (id) => document.getElementById(id);
const WIDE = 100000; // columns of a line that the page itself breaks
const TRIALS = 2000, COMPARED = 500;
const SYSTEMS = ["osric", "lite", "proc", "crucible", "dew"];
const OK = 0, EXPECTATION = 1;

const status = (text) => { $("status").textContent = text; };
const make = (tag, values = {}, ...inside) => {
  const e = document.createElement(tag);
  for (const [k, v] of Object.entries(values)) k in e ? (e[k] = v) : e.setAttribute(k, v);
  e.append(...inside);
  return e;
};
const words = (pieces) => pieces.map(([, t]) => t).join("");
const seed = () => Math.max(1, Math.trunc(+$("seed").value) || 1);

let fight, editor, odds_workers = [], busy = null;
let session = null; // of Step: what each step told; null: the story is that of Run
let typed = [];     // dice typed so far

// ---- tabs ----

const tabs = [...document.querySelectorAll("[role=tab]")];
function show(name) {
  for (const t of tabs) {
    const on = t.getAttribute("aria-controls") === name;
    t.setAttribute("aria-selected", String(on));
    t.tabIndex = on ? 0 : -1;
    $(t.getAttribute("aria-controls")).hidden = !on;
  }
  // an answer belongs to the story
  if (name !== "story") close_answer();
}
for (const t of tabs) {
  t.addEventListener("click", () => show(t.getAttribute("aria-controls")));
  t.addEventListener("keydown", (e) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[e.key];
    if (!step) return;
    const next = tabs[(tabs.indexOf(t) + step + tabs.length) % tabs.length];
    show(next.getAttribute("aria-controls"));
    next.focus();
  });
}

// On a phone the results are below the script: go there.
function look() {
  if (matchMedia("(max-width: 60rem)").matches) document.querySelector(".results").scrollIntoView({ behavior: "instant", block: "start" });
}

// ---- why ----

function close_answer() {
  $("answer").hidden = true;
  for (const b of document.querySelectorAll(".ask[aria-pressed]")) b.removeAttribute("aria-pressed");
}

function show_answer(question, pieces, wrong) {
  const box = $("answer");
  box.replaceChildren(
    make("button", { type: "button", className: "close", textContent: "\u00d7", ariaLabel: "Close the answer", onclick: close_answer }),
    make("h2", { textContent: question }),
    make("p", { className: wrong ? "wrong" : "", textContent: pieces.trim() }));
  box.hidden = false;
  box.scrollTop = 0;
}

// The first of some questions that is understood.
async function why(questions, button) {
  close_answer();
  if (button) button.setAttribute("aria-pressed", "true");
  let last = null;
  for (const question of questions) {
    const a = await fight.ask("why", { question });
    const told = words(a.out);
    if (a.status === OK && told && !/ has not come yet\.|^No such die|^I don't know/m.test(told) && !a.reports.length) {
      show_answer("Why: " + question, told);
      return;
    }
    last = last || { question, told: told || a.reports.map((r) => r.text).join("\n") };
  }
  if (last) show_answer("Why: " + last.question, last.told, true);
}

// ---- the story ----

// A piece that can be asked about: a button that breaks over lines as text does.
function asker(p) {
  const ask = (e) => why(p.ask, e.currentTarget);
  return make("span", {
    className: "ask", role: "button", tabIndex: 0, textContent: p.text, title: "Why?", onclick: ask,
    onkeydown: (e) => { if (e.key === "Enter" || e.key === " ") { e.preventDefault(); ask(e); } },
  });
}

function put_story(pieces, names) {
  const box = $("story");
  for (const line of story(pieces, names)) {
    const inside = line.pieces.map((p) => p.ask
      ? asker(p)
      : p.text);
    if (line.kind === "heading") box.append(make("h3", {}, ...inside));
    else if (line.kind === "note") box.append(make("p", { className: "note" }, ...inside));
    else box.append(make("div", { className: "told" }, make("span", { textContent: line.label }), make("p", {}, ...inside)));
  }
}

function put_reports(box, reports) {
  for (const r of reports) {
    const p = make("p", { className: "wrong", textContent: r.text.trim() });
    if (r.line && r.file === "fight.fray") {
      p.tabIndex = 0;
      p.onclick = () => editor.go(r.line);
    }
    box.append(p);
  }
}

function told_end(a) {
  if (a.status === OK) return `The fight is over after ${a.rounds} round${a.rounds === 1 ? "" : "s"}.` + (a.passed ? ` ${a.passed} expectation${a.passed === 1 ? " holds" : "s hold"}.` : "");
  return a.status === EXPECTATION ? `${a.failed} expectation${a.failed === 1 ? " does" : "s do"} not hold.` : a.awaits ? "A die is needed." : "The fight could not be played.";
}

function ask_die(prompt) {
  const input = make("input", { inputMode: "numeric", ariaLabel: prompt, size: 5 });
  const form = make("form", {}, make("label", {}, prompt + " ", input), make("button", { textContent: "Take it" }),
    make("button", { type: "button", textContent: "Roll it", onclick: () => answer("") }));
  const answer = (text) => { typed.push(text); run(true); };
  form.onsubmit = (e) => { e.preventDefault(); if (input.value.trim()) answer(input.value.trim()); };
  $("story").append(form);
  input.focus();
}

async function run(again) {
  if (!again) typed = [];
  session = null;
  $("undo").disabled = true;
  close_answer();
  show("story");
  status("Playing ..");
  const begun = performance.now(), text = editor.text();
  const asks = +$("dice").value;
  const timeline = await fight.ask("run", { text, seed: seed(), asks, dice: typed, timeline: true, width: 92 });
  const a = await fight.ask("run", { text, seed: seed(), asks, dice: typed, width: WIDE });
  $("story").replaceChildren();
  if (a.story) put_story(a.story, Object.keys(a.names));
  put_reports($("story"), a.awaits ? [] : a.reports);
  if (a.awaits) ask_die(a.awaits);
  else if (!a.story && !a.reports.length) $("story").append(make("p", { className: "hint", textContent: "There is no encounter in this script. Write one, or choose an example." }));
  $("timeline").replaceChildren(make("pre", { tabIndex: 0, textContent: timeline.timeline ? words(timeline.timeline) : "" }));
  if (!again || a.awaits) look();
  status(`${told_end(a)} (${Math.round(performance.now() - begun)} ms)`);
}

// ---- step by step ----

function put_session() {
  $("story").replaceChildren();
  for (const s of session.told) put_story(s.out, session.names);
  $("undo").disabled = session.told.length < 2;
  const last = session.told[session.told.length - 1];
  if (last) put_reports($("story"), last.reports);
  $("story").scrollTop = $("story").scrollHeight;
}

function names_of(text) {
  // "  party: Halvaine the Arcane, Bruna"
  return [...text.matchAll(/^ +[^:\n]+: (.+)$/gm)].flatMap((m) => m[1].split(", ")).map((n) => n.trim());
}

async function begin() {
  const a = await fight.ask("begin", { text: editor.text(), seed: seed(), width: WIDE });
  session = { told: [a], names: names_of(words(a.out)) };
  put_session();
  return a.status === OK;
}

async function say(line) {
  close_answer();
  if (!session && !(await begin())) return null;
  const a = await fight.ask("line", { line });
  return a;
}

async function step() {
  show("story");
  const a = await say("step");
  if (!a) { status("The fight could not begin."); return; }
  session.told.push(a);
  put_session();
  look();
  status(a.place ? `At ${a.place}.` : "");
}

async function undo() {
  const a = await say("undo");
  if (a && a.status === OK && session.told.length > 1) session.told.pop();
  put_session();
  status(a && a.place ? `Back at ${a.place}.` : "Back at the beginning.");
}

// Keeps the fight as it stands under a name, and goes on with a copy.
let forks = 1;
async function fork() {
  show("story");
  const a = await say(`fork try ${++forks}`);
  if (!a) return;
  session.told.push(a);
  put_session();
  status(a.fork ? `On the fork "${a.fork}". "forks" lists them, "fork main" goes back.` : "");
}

// ---- odds ----

function workers(n) {
  while (odds_workers.length < n) odds_workers.push(new Library());
  return odds_workers.slice(0, n);
}

// Plays shares of one sample in several workers and puts them together: what one alone would tell.
async function sample(values, progress) {
  const n = Math.max(1, Math.min(4, navigator.hardwareConcurrency || 2));
  const done = new Array(n).fill(0);
  const shares = await Promise.all(workers(n).map((w, i) => w.ask("odds", { ...values, method: "sampled", share: true, shard: i + 1, of: n, json: true }, (d, of) => {
    done[i] = of ? d / of : 0;
    progress(done.reduce((a, b) => a + b, 0) / n);
  })));
  const bad = shares.find((s) => typeof s.part !== "string");
  if (bad) return bad;
  const merged = await odds_workers[0].ask("merge", { parts: shares.map((s) => s.part), json: true });
  // a script's own questions may fail; what was counted is told all the same
  return { ...merged, status: shares[0].status || merged.status };
}

function meter(stop) {
  const bar = make("progress", { max: 1, value: 0 });
  $("status").replaceChildren(bar, " ", make("button", { type: "button", textContent: "Stop", onclick: stop }));
  return (share) => { bar.value = share; };
}

function stop_all() {
  busy = null;
  for (const w of odds_workers) w.restart();
}

async function odds() {
  if (busy) stop_all();
  const mine = (busy = {});
  show("chances");
  const begun = performance.now();
  try {
    const a = await sample({ text: editor.text(), seed: seed(), trials: TRIALS }, meter(stop_all));
    if (busy !== mine) return;
    const box = $("chances");
    look();
    box.replaceChildren();
    for (const line of words(a.out || []).split("\n").filter(Boolean)) box.append(drawn(JSON.parse(line)));
    put_reports(box, a.reports);
    status(a.reports.length && !a.out.length ? "The odds could not be worked out." : `${TRIALS} fights in ${((performance.now() - begun) / 1000).toFixed(1)} s.`);
  } catch (e) {
    status("Stopped.");
  }
  busy = null;
}

async function compare() {
  if (busy) stop_all();
  const mine = (busy = {});
  show("systems");
  const begun = performance.now(), tell = meter(stop_all), done = new Map();
  const names = [], cells = new Map();
  try {
    for (const rules of SYSTEMS) {
      const a = await sample({ text: editor.text(), seed: seed(), trials: COMPARED, rules }, (x) => tell((done.size + x) / SYSTEMS.length));
      if (busy !== mine) return;
      const first = words(a.out || []).split("\n").filter(Boolean).map((l) => JSON.parse(l))[0];
      done.set(rules, first ? null : a.reports.map((r) => r.message).join(" ") || "not playable");
      for (const m of (first && first.measures) || []) {
        if (!cells.has(m.name)) { cells.set(m.name, {}); names.push(m.name); }
        cells.get(m.name)[rules] = m.kind === "chance" ? `${(100 * m.value).toFixed(0)} %` : m.value.toFixed(1);
      }
    }
    const head = make("tr", {}, make("th", { textContent: "" }), ...SYSTEMS.map((s) => make("th", { scope: "col", textContent: s })));
    const rows = names.map((n) => make("tr", {}, make("th", { scope: "row", textContent: n }), ...SYSTEMS.map((s) => make("td", { textContent: cells.get(n)[s] || "-" }))));
    const wrong = [...done].filter(([, why]) => why).map(([s, why]) => make("p", { className: "note", textContent: `${s}: ${why}` }));
    $("systems").replaceChildren(...wrong, make("div", { className: "table" }, make("table", {}, make("thead", {}, head), make("tbody", {}, ...rows))));
    status(`${COMPARED} fights by each system in ${((performance.now() - begun) / 1000).toFixed(1)} s.`);
  } catch (e) {
    status("Stopped.");
  }
  busy = null;
}

// ---- the rest ----

async function share() {
  const hash = await pack(editor.text());
  history.replaceState(null, "", hash);
  try {
    await navigator.clipboard.writeText(location.href);
    status("The link is in the clipboard.");
  } catch (e) {
    status("The link is in the address bar.");
  }
}

function put_problems(found) {
  $("problems").replaceChildren(...found.map((d) => make("li", {}, make("button", {
    type: "button", className: d.severity, textContent: `Line ${d.line}: ${d.message}`, onclick: () => editor.go(d.line),
  }))));
}

async function start() {
  const shown = await (await fetch("examples.json")).json();
  load(shown.modules);
  fight = new Library();
  const list = $("example");
  for (const group of [...new Set(shown.examples.map((e) => e.group))])
    list.append(make("optgroup", { label: group }, ...shown.examples.map((e, i) => [e, i]).filter(([e]) => e.group === group).map(([e, i]) => make("option", { value: i, textContent: e.name }))));
  const given = await unpack(location.hash);
  editor = open_editor({
    parent: $("editor"), text: given || shown.examples[0].text, keywords: shown.keywords, server: new Library(),
    changed: () => { session = null; $("undo").disabled = true; }, checked: put_problems,
  });
  const script = (text) => { editor.set(text); $("story").replaceChildren(); close_answer(); };
  list.addEventListener("change", () => { history.replaceState(null, "", location.pathname + location.search); script(shown.examples[+list.value].text); run(); });
  addEventListener("hashchange", async () => { const text = await unpack(location.hash); if (text) script(text); });
  const press = (id, what) => $(id).addEventListener("click", () => what().catch((e) => status(String(e.message || e))));
  press("run", run.bind(null, false));
  press("step", step);
  press("undo", undo);
  press("odds", odds);
  press("compare", compare);
  press("share", share);
  press("fork", fork);
  $("dice").addEventListener("change", () => run(false));
  document.querySelector(".grid").addEventListener("toggle", () => grid($("grid"), editor));
  $("prompt").addEventListener("submit", async (e) => {
    e.preventDefault();
    const line = $("line").value.trim();
    if (!line) return;
    if (/^(why|who|what|how|when|did|is|was)\b/.test(line)) { await why([line.replace(/^why +/, "")]); return; }
    const a = await say(line);
    if (a) { session.told.push(a); put_session(); show("story"); }
  });
  document.querySelector(".bar").addEventListener("submit", (e) => e.preventDefault());
  addEventListener("keydown", (e) => { if (e.key === "Enter" && (e.ctrlKey || e.metaKey)) { e.preventDefault(); run(false); } if (e.key === "Escape") close_answer(); }, true);
  await fight.ask("check", { text: "" });
  status("Ready.");
  document.documentElement.dataset.ready = "yes";
  if ("serviceWorker" in navigator) navigator.serviceWorker.register("sw.js").catch(() => {});
}

start().catch((e) => status("The page could not start: " + e.message));
