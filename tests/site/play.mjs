// play.mjs - the playground end to end, in headless Chromium: type, run, ask why, odds, a mistake at
// its place, step and undo, share, offline, keyboard. Prints a line for each point: "ok NAME" or "fails NAME".
//
// usage: node play.mjs CHROMIUM ADDRESS [FOLDER FOR SCREENSHOTS]
import { createRequire } from "node:module";
import { mkdirSync } from "node:fs";

const require = createRequire(process.env.NODE_PATH + "/x.js");
const puppeteer = require("puppeteer-core");
const [chromium, address, pictures] = process.argv.slice(2);
const PATIENCE = 90000;

const browser = await puppeteer.launch({ executablePath: chromium, headless: true, args: ["--no-sandbox", "--disable-gpu", "--hide-scrollbars"], protocolTimeout: 240000 });
const page = await browser.newPage();
const complaints = [], foreign = [];
page.on("pageerror", (e) => complaints.push(String(e)));
page.on("console", (m) => { if (m.type() === "error") complaints.push(m.text()); });
page.on("request", (r) => { if (!r.url().startsWith(address) && !/^(data|blob):/.test(r.url())) foreign.push(r.url()); });
page.setDefaultTimeout(PATIENCE);

const check = (name, good, seen = "") => {
  console.log(`${good ? "ok" : "fails"} ${name}`);
  if (!good) console.log(String(seen).slice(0, 600));
};
const text = (selector) => page.$eval(selector, (e) => e.innerText);
const ready = () => page.waitForFunction(() => document.documentElement.dataset.ready === "yes");
const status = (pattern) => page.waitForFunction((p) => new RegExp(p).test(document.getElementById("status").innerText), {}, pattern);
const click = (selector) => page.$eval(selector, (e) => e.click());
const write = async (script) => {
  await page.focus(".cm-content");
  await page.keyboard.down("Control"); await page.keyboard.press("a"); await page.keyboard.up("Control");
  await page.keyboard.sendCharacter(script);
};
// the piece of the story with this text
const piece = (part) => page.evaluateHandle((p) => [...document.querySelectorAll("#story .ask")].find((b) => b.textContent.includes(p)), part);
const timed = async (name, what) => {
  const begun = performance.now();
  await what();
  console.log(`time: ${name}: ${Math.round(performance.now() - begun)} ms`);
};
const picture = async (name) => { if (pictures) { mkdirSync(pictures, { recursive: true }); await page.screenshot({ path: `${pictures}/${name}.png` }); } };

const DUEL = `use osric
weapon club { damage: 1d6 }
monster goblin { hit dice: 1; hit points: 3; armour class: 6; THAC0: 20; attacks: spear 1d6 }
combatant Ann { hit points: 8; armour class: 4; THAC0: 20; weapon: club }
encounter the gate {
  side party: Ann
  side goblins: 2 goblins
  distance: 5 ft
  dice: party's surprise die 6, goblins' surprise die 6
  round 1 {
    dice: party's initiative 5, goblins' initiative 2, Ann's attack roll 17, Ann's damage 3
    Ann attacks goblin #1
    goblins attack Ann
  }
}
`;

try {
  await page.setViewport({ width: 1280, height: 900 });
  await timed("first load", async () => { await page.goto(address + "play.html"); await ready(); });
  await timed("first run", async () => { await click("#run"); await status("over|hold"); });
  check("an example runs", /round 1/.test(await text("#story")), await text("#story"));
  await timed("second run", async () => { await click("#run"); await status("Playing"); await status("over|hold"); });

  await write(DUEL);
  await click("#run");
  await status("The fight is over");
  check("what was typed is played", /Ann attacks goblin #1/.test(await text("#story")), await text("#story"));

  await (await piece("attack roll 17")).click();
  await page.waitForFunction(() => !document.getElementById("answer").hidden);
  check("a click on a die asks why", /THAC0 20/.test(await text("#answer")) && /17/.test(await text("#answer")), await text("#answer"));
  await (await piece("hit")).click();
  await page.waitForFunction(() => /hit goblin #1/.test(document.getElementById("answer").innerText));
  check("a click on a hit asks why", true);
  await picture("why");
  const pieces = await page.$$("#story .ask");
  let silent = [];
  for (const p of pieces) {
    await p.evaluate((e) => e.click());
    await page.waitForFunction(() => !document.getElementById("answer").hidden);
    const told = await text("#answer");
    if (await page.$("#answer .wrong")) silent.push(`${await p.evaluate((e) => e.textContent)}: ${told}`);
  }
  check(`each of ${pieces.length} pieces has an answer`, pieces.length > 5 && !silent.length, silent.join("\n"));
  await page.keyboard.press("Escape");
  check("Escape closes the answer", await page.$eval("#answer", (e) => e.hidden));

  await click("#tab-timeline");
  check("the timeline is drawn", /round 1, segment/.test(await text("#timeline")), await text("#timeline"));

  await timed("odds", async () => { await click("#odds"); await status("fights in"); });
  const odds = await text("#chances");
  check("odds have figures", /party wins/.test(odds) && /%/.test(odds) && (await page.$$("#chances .rail")).length > 2, odds);
  await picture("odds");

  await click("#compare");
  await status("by each system");
  check("systems are compared", (await page.$$("#systems tbody tr")).length > 2 && (await page.$$("#systems thead th")).length === 6, await text("#systems"));

  await click("#step");
  await page.waitForFunction(() => !document.getElementById("undo").disabled);
  const one = await text("#story");
  await click("#step");
  await page.waitForFunction((n) => document.getElementById("story").innerText.length > n, {}, one.length);
  await click("#undo");
  await page.waitForFunction((n) => document.getElementById("story").innerText.length === n, {}, one.length);
  check("a step is taken back", true);

  await write(DUEL.replace("Ann attacks", "Ann atacks"));
  await page.waitForSelector("#problems button");
  await page.waitForSelector(".cm-lintRange-error");
  const marked = await page.$eval(".cm-lintRange-error", (e) => e.closest(".cm-line").innerText);
  check("a mistake is shown at its place", /atacks/.test(marked) && /Line 12/.test(await text("#problems")), marked + "\n" + (await text("#problems")));
  await picture("mistake");

  await write(DUEL.replace("    Ann attacks goblin #1\n", "    Ann a"));
  await page.keyboard.down("Control"); await page.keyboard.press(" "); await page.keyboard.up("Control");
  const offered = await page.waitForSelector(".cm-tooltip-autocomplete").then((e) => e.evaluate((x) => x.innerText), () => "");
  check("completion offers words", offered.length > 0, offered);
  await page.keyboard.press("Escape");

  await write(DUEL);
  await click("#share");
  await status("link");
  const link = await page.evaluate(() => location.href);
  const other = await browser.newPage();
  await other.goto(link);
  await other.waitForFunction(() => document.documentElement.dataset.ready === "yes", { timeout: PATIENCE });
  check("a link carries the script", (await other.$eval(".cm-content", (e) => e.innerText)).includes("encounter the gate"));
  await other.close();

  await page.select("#dice", "1");
  await page.waitForSelector("#story form input");
  for (let i = 0; i < 30 && (await page.$("#story form input")); i++) {
    await page.type("#story form input", "4");
    const before = await text("#story");
    await page.keyboard.press("Enter");
    await page.waitForFunction((b) => document.getElementById("story").innerText !== b && !/Playing/.test(document.getElementById("status").innerText), {}, before);
  }
  check("dice are typed by hand", /over/.test(await text("#status")) && /roll 4/.test(await text("#story")), await text("#story"));
  await page.select("#dice", "0");

  // by keyboard alone: from the top of the page to Run and into the story
  await page.goto(address + "play.html");
  await ready();
  await page.keyboard.press("Tab");
  let reached = false;
  for (let i = 0; i < 20 && !reached; i++) { reached = (await page.evaluate(() => document.activeElement.id)) === "run"; if (!reached) await page.keyboard.press("Tab"); }
  await page.keyboard.press("Enter");
  await status("over|hold");
  check("Run is reached and pressed by keyboard", reached);
  const nameless = await page.$$eval("button, input, select, [role=tabpanel]", (all) => all.filter((e) => !(e.innerText || e.ariaLabel || e.getAttribute("aria-labelledby") || e.title || (e.labels && e.labels.length))).map((e) => e.outerHTML.slice(0, 100)));
  check("every control has a name", nameless.length === 0, nameless.join("\n"));

  // widths, light and dark
  for (const [name, width, height] of [["phone", 390, 844], ["tablet", 820, 1100], ["desk", 1280, 900]])
    for (const theme of ["light", "dark"]) {
      await page.setViewport({ width, height });
      await page.emulateMediaFeatures([{ name: "prefers-color-scheme", value: theme }]);
      const wide = [];
      for (const file of ["play.html", "index.html", "tutorial.html", "messages.html", "systems/osric.html", "rules/osric.html", "search.html?q=web", "decisions.html", "embedding.html"]) {
        await page.goto(address + file);
        if (file === "play.html") {
          await ready();
          await click("#run");
          await status("over|hold");
          if (!(await page.$eval("#story h3", (e) => e.getBoundingClientRect().bottom < innerHeight))) wide.push("after Run the story is out of sight");
        }
        const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        if (over > 0) wide.push(`${file}: ${over} pixels too wide`);
        await picture(`${name}-${theme}-${file.replace(/\W+/g, "-")}`);
      }
      check(`${name}, ${theme}: nothing sticks out`, wide.length === 0, wide.join("\n"));
    }
  await page.setViewport({ width: 1280, height: 900 });

  await page.goto(address + "search.html?q=critical+hits");
  await page.waitForSelector(".found li");
  check("search finds the recipe", /Critical hits/.test(await text(".found li")), await text(".found"));

  await page.goto(address + "play.html");
  await ready();
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.setOfflineMode(true);
  await page.reload();
  await ready();
  await click("#run");
  await status("over|hold");
  check("it plays without a network after the first load", /round 1/.test(await text("#story")));
  await page.setOfflineMode(false);

  check("nothing is fetched from elsewhere", foreign.length === 0, foreign.join("\n"));
  check("nothing is complained of on the console", complaints.length === 0, complaints.join("\n"));
  console.log("end");
} catch (e) {
  console.log("fails the run in the browser");
  console.log(String(e.stack || e));
} finally {
  await browser.close();
}
