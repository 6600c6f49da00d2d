// Starts the page: texts, sign-in, the live picture, and which page is shown.

import { get, put, whoAmI } from "./api.js";
import { startBell } from "./bell.js";
import { byId, h, fill } from "./dom.js";
import { startEnter } from "./enter.js";
import { drawFrame } from "./frame.js";
import { connect, room, watch } from "./live.js";
import { loadTexts, t } from "./text.js";
import { closeDialog } from "./dialog.js";

const PAGES = {
  room: () => import("./grid.js"),
  pads: () => import("./pads.js"),
  replace: () => import("./replace.js"),
  phones: () => import("./phones.js"),
  welcome: () => import("./welcome.js"),
  cable: () => import("./cable.js"),
  warnings: () => import("./warnings.js"),
  results: () => import("./results.js"),
  setup: () => import("./setup.js"),
  traveller: () => import("./entry.js"),
  names: () => import("./names.js"),
  clock: () => import("./clockpage.js"),
  centre: () => import("./centre.js"),
  checks: () => import("./checks.js"),
  calendar: () => import("./calendar.js"),
  exchange: () => import("./exchange.js"),
  movement: () => import("./movement.js"),
  matches: () => import("./matches.js"),
  competitions: () => import("./competitions.js"),
  players: () => import("./players.js"),
  history: () => import("./history.js"),
  more: () => import("./more.js"),
  display: () => import("./display.js"),
  help: () => import("./help.js"),
  guide: () => import("./guide.js"),
  styleguide: () => import("./styleguide.js"),
};

let shown = null;
let turns = 0;

/** The page that the address names, and what of it. */
function wanted() {
  const [name, ...rest] = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  return { page: name in PAGES ? name : "room", rest };
}

async function route() {
  turns += 1;
  const turn = turns;
  const { page, rest } = wanted();
  closeDialog();
  shown?.leave?.();
  shown = null;
  const main = byId("page");
  const module = await PAGES[page]();
  // Somebody who goes on before a page is there wants the other one.
  if (turn !== turns) return;
  main.dataset.page = page;
  fill(main);
  shown = module.show(main, rest) ?? null;
  // How long the page took is measured in the page.
  if (performance.getEntriesByName("shown").length === 0) performance.mark("shown");
  drawFrame(page);
}

// A laptop that was never told its time zone leaves the pads in universal time; the director's
// browser often knows better.
async function setWallClock() {
  const here = -new Date().getTimezoneOffset();
  const { minutes_east: there } = await get("rules");
  if (there === 0 && here !== 0) await put("rules/local-time", { minutes_east: here });
}

async function start() {
  const main = byId("page");
  // Asked for together: each question costs a way to the base station and back.
  PAGES[wanted().page]().catch(() => {});
  const texts = loadTexts();
  const asked = whoAmI().then(
    (me) => ({ me }),
    (refusal) => ({ refusal }),
  );
  await texts;
  const { me, refusal } = /** @type {any} */ (await asked);
  if (!me) {
    fill(main, h("p", { class: "refusal" }, refusal.message));
    return;
  }
  document.body.dataset.role = me.signed_in ? "director" : "reader";
  if (me.pads_in_hand) document.body.dataset.pads = "/demo/pads";
  if (!me.signed_in && !me.may_read) {
    const { showLogin } = await import("./login.js");
    showLogin(main, () => location.reload());
    return;
  }
  const isFirst = me.signed_in
    ? get("house").then(
        (house) => house.first_start,
        () => false,
      )
    : Promise.resolve(false);
  if (me.signed_in) {
    startBell();
    startEnter();
    setWallClock().catch(() => {});
  }
  let started = false;
  // A club without a session begins with setting one up, and a new one with its name.
  const begin = async () => {
    started = true;
    if (!room.view.session && !location.hash) location.hash = (await isFirst) ? "#/welcome" : "#/setup";
    window.addEventListener("hashchange", route);
    await route();
  };
  watch((change) => {
    if (change.all && !started) begin();
    drawFrame(main.dataset.page, change);
    shown?.update?.(change);
  });
  fill(main, h("p", { class: "empty" }, h("span", { class: "busy" }), " ", t("loading")));
  connect();
}

start();
