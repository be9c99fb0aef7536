// story.js - a story as lines of pieces, and for each piece what to ask `why` about it.
//
// The library tells a story as pieces of text with a style each. Here they become lines: a heading,
// or a moment ("segment 4") with a sentence. In a sentence every figure and every clause is a piece
// of its own with its questions, the best one first: a question that is not understood is followed
// by the next.

export const style = { plain: 0, heading: 1, time: 2, name: 3, die: 4, good: 5, bad: 6, cite: 7, dim: 8 };

// [[style, text], ..] -> [[[style, text], ..], ..], one list a line
function lines(pieces) {
  const out = [[]];
  for (const [s, text] of pieces)
    text.split("\n").forEach((part, i) => {
      if (i) out.push([]);
      if (part) out[out.length - 1].push([s, part]);
    });
  return out.filter((line) => line.length);
}

const escaped = (s) => s.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

// The names that stand in a text, in its order.
function named(text, names) {
  const sorted = [...names].sort((a, b) => b.length - a.length);
  if (!sorted.length) return [];
  const found = new RegExp(`(?<![\\w#])(?:${sorted.map(escaped).join("|")})(?![\\w])`, "g");
  return [...text.matchAll(found)].map((m) => m[0]);
}

const FIGURES = [
  // "attack roll 17 [forced]", "party's initiative 5"
  [/([A-Za-z][\w'# -]*?) (-?\d+)(?: \[[^\]]*\])?/y, null],
  [/\b(?:hit|miss)(?![\w ]*point)\b/y, (m, c) => c.target && [`${c.actor} ${m[0] === "hit" ? "hits" : "misses"} ${c.target}`]],
  [/-?\d+ damage(?: \[[^\]]*\])?/y, (m, c) => [`${c.actor}'s damage`]],
  [/(?:at )?(?:-?\d+|no) hit points?(?: left)?/y, (m, c) => [`${c.whose}'s hit points`]],
];

// A clause as a question: "orc #1 was to attack Bruna, but died" -> "orc #1 does not attack Bruna"
function asked(clause) {
  const given = /^(.*?) was to (.*?), but .*$/.exec(clause);
  return given ? `${given[1]} does not ${given[2]}` : clause.replace(/,.*$/, "");
}

// A sentence cut at ": ", "; " and ", " outside brackets: parts, with what separates them between.
function cut(text) {
  const out = [""];
  let depth = 0;
  for (let i = 0; i < text.length; i++) {
    depth += (text[i] === "[") - (text[i] === "]");
    if (!depth && ":;,".includes(text[i]) && text[i + 1] === " ") {
      out.push(text.slice(i, i + 2), "");
      i++;
    } else out[out.length - 1] += text[i];
  }
  return out;
}

function pieces_of(text, dice, names, when) {
  const out = [];
  const parts = cut(text);
  const main = parts[0];
  const [actor, target] = named(main, names);
  const context = { actor: actor || main, target, whose: target || actor || main };
  // with a time, then without
  const questions = (list) => list.flatMap((q) => [...when.map((w) => `${q} ${w}`), q]);
  const put = (piece, list) => out.push({ text: piece, ask: list && list.length ? questions(list) : null });

  // clauses that begin with a name are sentences of their own
  let at = 0;
  for (let i = 0; i < parts.length; i++) {
    const part = parts[i];
    const start = at;
    at += part.length;
    if (i % 2) { put(part); continue; }
    const die = dice.find((d) => d.from === start || (d.from >= start && d.from < at && part.trim() === d.text));
    let m = null, list = null;
    if (die) {
      m = FIGURES[0][0];
      m.lastIndex = 0;
      const r = m.exec(part);
      const label = r ? r[1] : part;
      list = [/'s /.test(label) || /'/.test(label) ? label : `${context.actor}'s ${label}`];
    } else {
      for (const [pattern, make] of FIGURES.slice(1)) {
        pattern.lastIndex = 0;
        m = pattern.exec(part);
        if (m) { list = make(m, context); break; }
      }
      if (!list && start === 0) list = [asked(i === 0 && parts.length > 2 && / was to /.test(text) ? text : part)];
      else if (!list && named(part, names)[0] && part.startsWith(named(part, names)[0])) {
        context.whose = named(part, names)[0];
        list = [part];
      }
    }
    put(part, list);
  }
  return out;
}

// pieces: the story; names: everyone in it. -> [{ kind: "heading" | "line" | "note", label, pieces }]
export function story(pieces, names) {
  const out = [];
  let round = 0, phase = "", segment = "";
  for (const line of lines(pieces)) {
    const text = line.map(([, t]) => t).join("");
    if (line[0][0] === style.heading && !/^\s/.test(text)) {
      round = +(/^round (\d+)/.exec(text) || [0, 0])[1];
      phase = round ? "" : text;
      segment = "";
      out.push({ kind: "heading", label: "", pieces: [{ text, ask: null }] });
      continue;
    }
    const rest = [...line];
    let label = "";
    while (rest.length && !rest[0][1].trim()) rest.shift();
    if (rest.length && rest[0][0] === style.time) {
      label = rest.shift()[1].trim();
      segment = label;
    }
    const body = rest.map(([, t]) => t).join("");
    const indent = body.length - body.trimStart().length;
    const dice = [];
    let at = -indent;
    for (const [s, t] of rest) {
      if (s === style.die) dice.push({ from: at, text: t.trim() });
      at += t.length;
    }
    const dim = rest.length && rest.every(([s, t]) => s === style.dim || !t.trim());
    if (!/^\s/.test(text) || dim) {
      out.push({ kind: "note", label, pieces: [{ text: body.trim(), ask: null }] });
      continue;
    }
    const when = [];
    const timed = /^segment \d+/.test(segment) ? segment : "";
    if (round && timed) when.push(`in ${timed} of round ${round}`);
    if (round) when.push(`in round ${round}`);
    if (!round && timed && phase) when.push(`in ${timed} of the ${phase}`, `in ${timed}`);
    out.push({ kind: "line", label, pieces: pieces_of(body.trim(), dice, names, when) });
  }
  return out;
}
