// grid.js - who attacks whom in a round: ticks in a table become lines of the script.

// Everyone on the sides of the last encounter: [[side, names], ..].
export function sides(text) {
  const encounter = text.slice(Math.max(0, text.lastIndexOf("\nencounter ")));
  return [...encounter.matchAll(/^\s*side ([^:\n]+): *([^\n{]+)/gm)].map((m) => [m[1].trim(), m[2].replace(/--.*/, "").split(",").flatMap((n) => {
    const many = /^(\d+) (.+)$/.exec(n.trim());
    const one = many && many[2].replace(/s$/, "");
    return many ? (+many[1] === 1 ? [many[2]] : Array.from({ length: +many[1] }, (_, i) => `${one} #${i + 1}`)) : [n.trim()];
  })]);
}

// The script with a round that has these lines: put into `round N { .. }` when there is one, else as a new round.
export function written(text, round, lines) {
  const body = lines.map((l) => `    ${l}\n`).join("");
  const at = text.lastIndexOf("\nencounter ");
  const found = new RegExp(`\\n\\s*round ${round} \\{[^\\n]*\\n`, "g");
  found.lastIndex = Math.max(0, at);
  const m = found.exec(text);
  if (m) return text.slice(0, m.index + m[0].length) + body + text.slice(m.index + m[0].length);
  const end = text.lastIndexOf("}");
  return text.slice(0, end) + `  round ${round} {\n${body}  }\n` + text.slice(end);
}

export function grid(box, editor) {
  const all = sides(editor.text());
  const everyone = all.flatMap(([side, names]) => names.map((name) => ({ side, name })));
  if (!everyone.length) {
    box.textContent = "Write the sides of an encounter first.";
    return;
  }
  const table = document.createElement("table"), round = document.createElement("input"), put = document.createElement("button");
  const head = table.createTHead().insertRow();
  head.insertCell().textContent = "attacks";
  for (const t of everyone) head.insertCell().textContent = t.name;
  const body = table.createTBody();
  for (const a of everyone) {
    const row = body.insertRow();
    row.insertCell().textContent = a.name;
    for (const t of everyone) {
      const cell = row.insertCell();
      if (t.side === a.side) continue;
      const label = document.createElement("label"), tick = document.createElement("input");
      tick.type = "radio";
      tick.name = "grid " + a.name;
      tick.ariaLabel = `${a.name} attacks ${t.name}`;
      tick.dataset.line = `${a.name} attacks ${t.name}`;
      label.append(tick);
      cell.append(label);
    }
  }
  round.type = "number";
  round.min = round.value = 1;
  round.ariaLabel = "Round";
  put.type = "button";
  put.textContent = "Write these lines";
  put.onclick = () => {
    const lines = [...body.querySelectorAll("input:checked")].map((t) => t.dataset.line);
    if (lines.length) editor.set(written(editor.text(), +round.value || 1, lines));
  };
  const wrap = document.createElement("div");
  wrap.className = "table";
  wrap.append(table);
  box.replaceChildren(wrap, "in round ", round, " ", put);
}
