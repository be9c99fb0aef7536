// charts.js - an answer about odds as bars: chances with their bounds, numbers as a spread.

const make = (tag, name, text) => {
  const e = document.createElement(tag);
  if (name) e.className = name;
  if (text !== undefined) e.textContent = text;
  return e;
};
const percent = (x) => (x > 0 && x < 0.001 ? "< 0.1" : x < 1 && x > 0.999 ? "> 99.9" : (100 * x).toFixed(1)) + " %";

function chance(m) {
  const row = make("div", "chance");
  const rail = make("span", "rail"), bar = make("i"), bounds = make("b");
  bar.style.width = `${100 * m.value}%`;
  row.append(make("span", "", m.name), rail);
  rail.append(bar);
  let figure = percent(m.value);
  if (m.low !== undefined && m.low !== null && m.high > m.low) {
    bounds.style.left = `${100 * m.low}%`;
    bounds.style.width = `${100 * (m.high - m.low)}%`;
    rail.append(bounds);
    figure += ` \u00b1 ${(50 * (m.high - m.low)).toFixed(1)}`;
  }
  rail.setAttribute("role", "img");
  rail.setAttribute("aria-label", `${m.name}: ${figure}`);
  row.append(make("span", "", figure));
  return row;
}

function spread(m) {
  const box = make("div");
  box.append(make("h4", "", `${m.name}: ${m.value.toFixed(1)} on average`));
  const bars = make("div", "spread"), rows = Object.entries(m.spread || {}).map(([k, v]) => [+k, v]).sort((a, b) => a[0] - b[0]);
  const most = Math.max(...rows.map(([, v]) => v), 1e-9);
  for (const [k, v] of rows) {
    const one = make("div"), bar = make("i");
    bar.style.height = `${(80 * v) / most}%`;
    one.title = `${k}: ${percent(v)}`;
    one.append(bar, String(k));
    bars.append(one);
  }
  bars.setAttribute("role", "img");
  bars.setAttribute("aria-label", `${m.name}: ` + rows.map(([k, v]) => `${k} in ${percent(v)}`).join(", "));
  box.append(bars);
  return box;
}

// One line of `fray odds --json` as an element.
export function drawn(answer) {
  const box = make("section");
  const how = answer.method === "exact" ? "counted exactly" : answer.trials ? `${answer.trials} fights played` : "";
  box.append(make("h3", "", answer.encounter || "Odds"), make("p", "hint", [how, (answer.rules || []).join(", ")].filter(Boolean).join(", by ")));
  for (const m of answer.measures || []) box.append(m.kind === "chance" ? chance(m) : spread(m));
  return box;
}
