// What surrounds every page: title, lamps, clock, tabs, and the strip of things that can't wait.

import { post } from "./api.js";
import { isBlocked, isMuted, mute, onBell, ring } from "./bell.js";
import { byId, h, fill, icon, toast } from "./dom.js";
import { doing } from "./dialog.js";
import { now, room } from "./live.js";
import { day, t } from "./text.js";

const TABS = ["room", "warnings", "pads", "traveller", "results", "setup", "more"];
/** So many minutes and above are hours. */
const MINUTES_MAX = 100;
let ticking = null;
const shown = {};

// Draws a part only when what it is made of has changed: whoever is pressing a button there
// must not lose it under the finger.
function whenNew(part, made, draw) {
  const key = JSON.stringify(made);
  if (shown[part] === key) return;
  shown[part] = key;
  draw();
}

/** Draws the frame anew where a change concerns it. */
export function drawFrame(page, change) {
  const { view } = room;
  if (!view) return;
  const about = (...parts) => !change || change.all || parts.some((part) => change.parts?.includes(part));
  const { session } = view;
  const open = view.warnings.filter((warning) => !warning.answered && !warning.quiet).length;
  const calls = [...room.tables.values()]
    .filter((table) => table.calling_since_ms)
    .map((table) => table.table);
  if (about("session", "lamps", "clock", "connection"))
    whenNew(
      "top",
      [
        session?.event,
        session?.title,
        session?.date,
        session?.phase,
        session?.gate_open,
        session?.on_paper,
        view.lamps,
        view.clock.round,
      ],
      () => drawTop(view),
    );
  if (about("warnings", "session"))
    whenNew("tabs", [page, open, session?.on_paper], () => drawTabs(page, open, session?.on_paper));
  if (about("session", "clock", "connection") || change?.tables?.length) stripFor(view, calls);
  nameWindow(page, calls);
  ticking ??= setInterval(tickClock, 1000);
}

function stripFor(view, calls) {
  ring(document.body.dataset.role === "director" ? calls : []);
  whenNew(
    "strip",
    [
      room.connected,
      calls,
      calls.length > 0 && [isMuted(), isBlocked()],
      view.clock?.announce,
      view.clock?.announce_now,
    ],
    () => drawStrip(view, calls),
  );
}

// Whoever looks at another window sees the call in the list of windows.
function nameWindow(page, calls) {
  document.title = [calls.length > 0 && `‼ ${calls.join(", ")}`, t(`page_${page ?? "room"}`), "Byestand"]
    .filter(Boolean)
    .join(" · ");
}

onBell(() => drawFrame(byId("page").dataset.page, { parts: ["connection"] }));

function drawTop(view) {
  const { session, lamps } = view;
  const title = session
    ? h(
        "p",
        { class: "title" },
        session.event,
        " ",
        h("small", {}, [session.title, day(session.date)].filter(Boolean).join(" · ")),
      )
    : h("p", { class: "title" }, t("no_session"));
  fill(
    byId("top"),
    title,
    h("span", { class: "space" }),
    // Who plays on paper misses no receiver.
    !(session?.on_paper && lamps.receiver.state !== "Good") &&
      lamp(t("receiver"), lamps.receiver, "receiver"),
    lamp(t("journal"), lamps.journal, "crash"),
    lamps.watch.state !== "Good" && lamp(t("watch"), lamps.watch, "crash"),
    session && gate(session),
    h("a", { class: "clock", id: "clock", href: "#/clock" }),
  );
  tickClock();
}

function lamp(name, { state, text }, topic) {
  const kind = { Good: "good", Bad: "bad" }[state] ?? "";
  // What is well needs no words; what is not says why, where there is room for it, and leads to help.
  return h(
    state === "Bad" ? "a" : "span",
    { class: `lamp ${kind}`, title: text, href: state === "Bad" && `#/help/${topic}` },
    h("span", {}, name, h("span", { class: state === "Good" ? "visually-hidden" : "reason" }, `: ${text}`)),
  );
}

function gate(session) {
  if (session.phase !== "Open") return h("span", { class: "lamp" }, t(`phase_${session.phase}`));
  if (session.on_paper && session.gate_open) return null;
  const label = session.gate_open ? t("gate_open") : t("gate_closed");
  const lampOf = h("span", { class: `lamp gate-lamp ${session.gate_open ? "good" : "bad"}` }, label);
  if (document.body.dataset.role !== "director") return lampOf;
  return [
    lampOf,
    doing(
      session.gate_open ? t("gate_stop") : t("gate_start"),
      () => post("gate", { open: !session.gate_open }),
      { class: "small" },
    ),
  ];
}

/** What the clock says now: minutes and seconds, and whether it is time to hurry. */
export function clockFace(clock) {
  if (!clock || clock.state === "Off") return { text: "", kind: "" };
  const left = clock.state === "Held" ? clock.left_ms : clock.ends_ms - now();
  const seconds = Math.abs(Math.trunc(left / 1000));
  const minutes = Math.floor(seconds / 60);
  const exact = `${minutes}:${String(seconds % 60).padStart(2, "0")}`;
  // A session that was left open yesterday is late by hours, and nobody counts them in seconds.
  const text = `${left < 0 ? "+" : ""}${minutes < MINUTES_MAX ? exact : `${Math.floor(minutes / 60)} h`}`;
  const kind = left < 0 ? "over" : left < clock.warning_ms ? "soon" : "";
  // In the last minutes of a match no board is begun.
  const noNewBoard = left >= 0 && left < (clock.no_new_board_ms ?? 0);
  return { text, kind, noNewBoard, held: clock.state === "Held" };
}

function tickClock() {
  const place = document.getElementById("clock");
  const clock = room.view?.clock;
  if (!place || !clock) return;
  const face = clockFace(clock);
  place.className = `clock ${face.kind ?? ""}`;
  const round = clock.round ? t("round_n", { n: clock.round }) : t("clock_off");
  fill(
    place,
    h("small", {}, round),
    face.text,
    face.held && h("small", {}, t("clock_held")),
    face.kind === "over" && h("small", { class: "word" }, t("clock_over")),
    face.noNewBoard && h("small", { class: "word" }, t("clock_no_new_board")),
  );
}

// On paper there is a page to type on where there would be one for pads.
const isThere = (name, onPaper) => (onPaper ? name !== "pads" : name !== "traveller");

function drawTabs(page, open, onPaper) {
  fill(
    byId("tabs"),
    TABS.filter((name) => isThere(name, onPaper)).map((name) =>
      h(
        "a",
        { href: `#/${name}`, "aria-current": name === page && "page" },
        icon(name),
        name === "traveller" ? t("tab_traveller") : t(`page_${name}`),
        name === "warnings" && open > 0 && h("span", { class: "count" }, open),
      ),
    ),
  );
  byId("tabs").setAttribute("aria-label", t("pages"));
}

function drawStrip(view, calls) {
  const director = document.body.dataset.role === "director";
  fill(
    byId("strip"),
    !room.connected && h("div", { class: "offline" }, t("offline")),
    calls.length > 0 &&
      h(
        "div",
        { class: "call" },
        h("span", { class: "sign", "aria-hidden": "true" }, "‼"),
        h("strong", {}, t("director_called", { tables: calls.join(", ") })),
        director &&
          calls.map((table) =>
            doing(t("call_settled", { table }), async () => {
              await post(`tables/${table}/call-settled`);
              toast(t("done"));
            }),
          ),
        director && bellButton(),
      ),
    view.clock?.announce &&
      h(
        "div",
        { class: `announce ${view.clock.announce_now ? "now" : ""}` },
        view.clock.announce_now ? t("announce_now") : t("announce"),
        h("span", {}, view.clock.announce),
      ),
  );
}

function bellButton() {
  if (isMuted()) return h("button", { type: "button", onclick: () => mute(false) }, t("bell_unmute"));
  if (isBlocked()) return h("span", { class: "quiet" }, t("bell_blocked"));
  return h("button", { type: "button", onclick: () => mute(true) }, t("bell_mute"));
}
