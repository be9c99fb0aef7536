// site.js - what all pages share: the menu on a phone, light and dark, the search page. The index is
// a script of its own, so that search works from a folder on disk as well.
(() => {
  const root = document.currentScript.dataset.root || "";
  const menu = document.querySelector(".menu"), contents = document.getElementById("contents");
  if (menu)
    menu.addEventListener("click", () => menu.setAttribute("aria-expanded", String(contents.classList.toggle("open"))));
  document.querySelector(".theme").addEventListener("click", () => {
    const now = document.documentElement.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light");
    const other = now === "dark" ? "light" : "dark";
    document.documentElement.dataset.theme = other;
    try { localStorage.theme = other; } catch (e) { /* private mode */ }
    dispatchEvent(new Event("themechange"));
  });

  const list = document.querySelector(".found");
  if (!list) return;
  const field = document.getElementById("q"), told = document.getElementById("told");
  const plain = (s) => s.replace(/[&<>"]/g, (c) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" })[c]);
  const part = (text, words) => {
    const low = text.toLowerCase();
    const at = Math.max(0, Math.min(...words.map((w) => low.indexOf(w)).filter((i) => i >= 0)) - 60) || 0;
    let piece = plain(text.slice(at, at + 220));
    for (const w of words)
      piece = piece.replace(new RegExp(plain(w).replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "gi"), (m) => `<mark>${m}</mark>`);
    return (at ? ".. " : "") + piece + (at + 220 < text.length ? " .." : "");
  };
  const search = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    list.innerHTML = "";
    if (!words.length || !window.FRAY_INDEX) { told.textContent = ""; return; }
    const hits = [];
    for (const [url, page, head, text] of window.FRAY_INDEX) {
      const low = text.toLowerCase(), top = head.toLowerCase();
      let score = 0;
      if (!words.every((w) => low.includes(w) || top.includes(w))) continue;
      for (const w of words)
        score += (top === w ? 100 : 0) + (top.split(/\W+/).includes(w) ? 30 : top.includes(w) ? 15 : 0) + Math.min(5, low.split(w).length - 1);
      if (url.startsWith("decisions/") || url.startsWith("reference/")) score /= 3;
      hits.push([score, url, page, head, text]);
    }
    hits.sort((a, b) => b[0] - a[0]);
    told.textContent = hits.length ? `${hits.length} found` : "Nothing found. Try fewer or shorter words.";
    for (const [, url, page, head, text] of hits.slice(0, 40)) {
      const li = document.createElement("li");
      li.innerHTML = `<a href="${root}${url}">${plain(head)}</a> <small>${plain(page)}</small><p>${part(text, words)}</p>`;
      list.append(li);
    }
  };
  field.value = new URLSearchParams(location.search).get("q") || "";
  field.addEventListener("input", search);
  const index = document.createElement("script");
  index.src = root + "index.js";
  index.onload = search;
  document.head.append(index);
  field.focus();
})();
