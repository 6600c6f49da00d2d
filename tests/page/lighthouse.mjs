// Asks Lighthouse about every page of a running base station: see tests/lighthouse.

import { readFileSync } from "node:fs";

const modules = new URL("../../target/lighthouse/node_modules/", import.meta.url);
const { default: lighthouse, desktopConfig } = await import(
  new URL("lighthouse/core/index.js", modules).href
);
const { default: puppeteer } = await import(
  new URL("puppeteer-core/lib/esm/puppeteer/puppeteer-core.js", modules).href
);
const { launch } = await import(new URL("chrome-launcher/dist/index.js", modules).href);

const [, , base, session, ...wanted] = process.argv;
const PAGES = [
  ...["room", "warnings", "pads", "results", "setup", "more", "names", "clock", "history", "movement"],
  ...[
    "matches",
    "calendar",
    "exchange",
    "replace/A1",
    "traveller/A1",
    "checks",
    "centre",
    "display",
    "guide",
    "help",
  ],
  ...["competitions", "competitions/1", "competitions/knockout/1", "competitions/championship/1"],
  ...["players", "phones", "cable", "welcome", "styleguide"],
].map((name) => [name, `${base}/#/${name}`]);
// What is for paper and for players, who see it once it is released.
const SHEETS = ["print/ranking", "print/scorecards", "results", "results/sheets/travellers"].map((name) => [
  `/${name}`,
  `${base}/${name}`,
]);
const CATEGORIES = ["performance", "accessibility", "best-practices"];
/** Nobody waits longer for the page on the base station's own laptop. */
const SHOWN_MS_MAX = 1000;
// The phone is a slow one in a mobile network: a phone in the club's Wi-Fi is quicker.
const LEAST = {
  laptop: { performance: 90, accessibility: 100, "best-practices": 100 },
  phone: { performance: 85, accessibility: 100, "best-practices": 100 },
};

// The evening that all pages show: taken in, chosen, as a director does it.
async function tell(path, body, method = "POST") {
  const { csrf } = await (await fetch(`${base}/api/login`)).json();
  const headers = { "content-type": "application/json", "x-byestand-csrf": csrf };
  const answer = await fetch(`${base}/api/${path}`, { method, headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`);
  return answer.json();
}

const taken = await tell("calendar/import", { text: readFileSync(session, "utf8") });
await tell("calendar/choose", { session: taken.session });
const competitions = readFileSync(new URL("../src/browser/competitions.json", import.meta.url), "utf8");
for (const [method, path, body] of JSON.parse(competitions)) await tell(path, body, method);

const chrome = await launch({
  chromePath: process.env.CHROME_PATH ?? "/usr/bin/chromium",
  chromeFlags: ["--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--lang=en-GB"],
});
const low = [];

// What a director waits for on the base station's own laptop: nothing is slowed down here.
async function firstLoad() {
  const browser = await puppeteer.connect({ browserURL: `http://127.0.0.1:${chrome.port}` });
  const context = await browser.createBrowserContext();
  const page = await context.newPage();
  await page.setViewport({ width: 1366, height: 768 });
  await page.goto(`${base}/#/room`, { waitUntil: "domcontentloaded" });
  await page.waitForSelector(".grid");
  await page.waitForFunction(() => document.fonts.status === "loaded");
  const [requests, bytes, type, painted, shown] = await page.evaluate(() => {
    const all = [
      ...performance.getEntriesByType("navigation"),
      ...performance.getEntriesByType("resource"),
    ].filter((it) => !it.name.includes("/api/events"));
    const sum = (some) => some.reduce((total, it) => total + it.transferSize, 0);
    const marks = ["first-contentful-paint", "shown"].map((name) => performance.getEntriesByName(name)[0]);
    const fonts = all.filter((it) => it.name.includes("/fonts/"));
    return [all.length, sum(all), sum(fonts), ...marks.map((mark) => Math.round(mark.startTime))];
  });
  await context.close();
  await browser.disconnect();
  console.log(
    `First load: ${requests} requests, ${bytes} bytes (${type} of them the type); painted after ${painted} ms, interactive after ${shown} ms.\n`,
  );
  if (shown >= SHOWN_MS_MAX) low.push(`first load: interactive after ${shown} ms`);
}

await firstLoad();
console.log("| page | laptop: performance, accessibility, best practices | phone |");
console.log("|---|---|---|");
for (const [name, address] of [...PAGES, ...SHEETS]) {
  if (name === SHEETS[0][0]) {
    await tell("end-play", {});
    await tell("release", { despite_checklist: true });
  }
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  const cells = [];
  for (const [device, config] of [
    ["laptop", desktopConfig],
    ["phone", undefined],
  ]) {
    const options = { port: chrome.port, onlyCategories: CATEGORIES, logLevel: "error" };
    const { lhr } = await lighthouse(address, options, config);
    const scores = CATEGORIES.map((category) => Math.round((lhr.categories[category].score ?? 0) * 100));
    cells.push(scores.join(", "));
    CATEGORIES.forEach((category, at) => {
      if (scores[at] >= LEAST[device][category]) return;
      const faults = lhr.categories[category].auditRefs
        .map(({ id }) => lhr.audits[id])
        .filter((audit) => audit.score !== null && audit.score < 0.9)
        .map((audit) => `${audit.id}${audit.displayValue ? ` (${audit.displayValue})` : ""}`);
      low.push(`${name}, ${device}: ${category} ${scores[at]}: ${faults.join(", ")}`);
    });
  }
  console.log(`| ${name} | ${cells.join(" | ")} |`);
}
chrome.kill();
if (low.length > 0) {
  console.error(low.join("\n"));
  process.exit(1);
}
