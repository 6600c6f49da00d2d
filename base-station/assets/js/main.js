// Starts the page: texts, sign-in, the live picture, and which page is shown.

import { get, put, whoAmI } from "./api.js";
import { startBell } from "./bell.js";
import { byId, h, fill } from "./dom.js";
import { drawFrame } from "./frame.js";
import { connect, room, watch } from "./live.js";
import { loadTexts, t } from "./text.js";
import { closeDialog } from "./dialog.js";
import { showLogin } from "./login.js";

const PAGES = {
  room: () => import("./grid.js"),
  pads: () => import("./pads.js"),
  replace: () => import("./replace.js"),
  warnings: () => import("./warnings.js"),
  results: () => import("./results.js"),
  setup: () => import("./setup.js"),
  traveller: () => import("./entry.js"),
  names: () => import("./names.js"),
  clock: () => import("./clockpage.js"),
  checks: () => import("./checks.js"),
  calendar: () => import("./calendar.js"),
  exchange: () => import("./exchange.js"),
  movement: () => import("./movement.js"),
  matches: () => import("./matches.js"),
  history: () => import("./history.js"),
  more: () => import("./more.js"),
};

let shown = null;
let turns = 0;

async function route() {
  turns += 1;
  const turn = turns;
  const [name, ...rest] = location.hash.replace(/^#\/?/, "").split("/").map(decodeURIComponent);
  const page = name in PAGES ? name : "room";
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
  await loadTexts();
  const main = byId("page");
  let me;
  try {
    me = await whoAmI();
  } catch (refusal) {
    fill(main, h("p", { class: "refusal" }, refusal.message));
    return;
  }
  document.body.dataset.role = me.signed_in ? "director" : "reader";
  if (me.pads_in_hand) document.body.dataset.pads = "/demo/pads";
  if (!me.signed_in && !me.may_read) {
    showLogin(main, () => location.reload());
    return;
  }
  if (me.signed_in) {
    startBell();
    setWallClock().catch(() => {});
  }
  let started = false;
  watch((change) => {
    if (change.all && !started) {
      started = true;
      window.addEventListener("hashchange", route);
      // A club without a session begins with setting one up.
      if (!room.view.session && !location.hash) location.hash = "#/setup";
      route();
    }
    drawFrame(main.dataset.page, change);
    shown?.update?.(change);
  });
  fill(main, h("p", { class: "empty" }, h("span", { class: "busy" }), " ", t("loading")));
  connect();
}

start();
