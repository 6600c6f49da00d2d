// What hangs in the playing room, on a second screen or a television: the clock, where everybody
// goes next, what the director says, and after the release who has won.

import { get } from "./api.js";
import { fill, h } from "./dom.js";
import { clockFace } from "./frame.js";
import { span } from "./grid.js";
import { now, room } from "./live.js";
import { pairShort } from "./pairs.js";
import { announcedAs, worth } from "./resulttext.js";
import { t } from "./text.js";

/** A leaf of a list that does not fit stays so long, in milliseconds. */
const LEAF_MS = 12000;
/** A message to the room is news for so long. */
const NEWS_MS = 15 * 60000;
/** Rows that can be read from the other end of a room. */
const ROWS = 14;

/** Shows the room display without anything around it. */
export function show(main) {
  document.body.classList.add("on-display");
  const head = h("header", { class: "display-head" });
  const body = h("div", { class: "display-body" });
  const full = h(
    "button",
    {
      type: "button",
      class: "display-full",
      onclick: () => document.documentElement.requestFullscreen().catch(() => {}),
    },
    t("display_full"),
  );
  const back = h("a", { class: "button display-back", href: "#/room" }, t("page_room"));
  fill(
    main,
    h("h1", { class: "visually-hidden" }, t("page_display")),
    h("div", { class: "display" }, head, body, h("div", { class: "display-tools" }, full, back)),
  );
  let lists = null;
  let leaf = 0;
  const draw = () => {
    const { session } = room.view;
    fill(head, h("b", {}, session?.event ?? "Byestand"), h("span", {}, session?.title ?? ""));
    if (!session || session.phase === "SettingUp") fill(body, saying(t("display_welcome")));
    else if (session.phase === "Open") fill(body, playing(session, leaf));
    else if (session.phase === "Ended") fill(body, saying(t("display_soon")), news(session));
    else fill(body, lists ? ranking(lists, leaf) : saying(t("display_result")));
    // The clock never stands empty, however often the room changes.
    tickOn(body);
  };
  const load = async () => {
    lists = room.view.session?.phase === "Released" ? await get("ranking").catch(() => null) : null;
    draw();
  };
  load();
  keepAwake();
  const ticking = setInterval(() => tickOn(body), 500);
  const turning = setInterval(() => {
    leaf += 1;
    draw();
  }, LEAF_MS);
  return {
    update: (change) => (change.all || change.parts?.includes("session") ? load() : draw()),
    leave() {
      clearInterval(ticking);
      clearInterval(turning);
      document.body.classList.remove("on-display");
    },
  };
}

// A television that goes dark in the middle of a round tells nobody anything.
function keepAwake() {
  navigator.wakeLock?.request("screen").catch(() => {});
}

const saying = (text) => h("p", { class: "display-say" }, text);

// What the director has told all tables, as long as it is news.
function news(session) {
  const { announced } = session;
  return announced && now() - announced.at_ms < NEWS_MS && h("p", { class: "display-news" }, announced.text);
}

function playing(session, leaf) {
  const { clock } = room.view;
  const round = clock.round ?? Math.max(...session.sections.map((section) => section.room_round));
  const rounds = Math.max(...session.sections.map((section) => section.rounds));
  const next = seats(round + 1);
  return [
    h("p", { class: "display-round" }, t("display_rounds", { round, rounds })),
    clock.state !== "Off" && h("p", { class: "display-clock", role: "timer" }),
    h("p", { class: "display-word" }),
    news(session),
    next.length > 0 && [h("h2", {}, t("display_next")), announce(clock), seating(next, leaf)],
  ];
}

const announce = (clock) => clock.announce && h("p", { class: "display-announce" }, clock.announce);

// The clock goes on while the rest stays as it is.
function tickOn(body) {
  const face = body.querySelector(".display-clock");
  const word = body.querySelector(".display-word");
  const { text, kind, noNewBoard, held } = clockFace(room.view.clock);
  if (face) {
    face.className = `display-clock ${kind ?? ""}`;
    face.textContent = text;
  }
  if (word)
    word.textContent = held
      ? t("clock_held")
      : [
          noNewBoard && t("clock_no_new_board"),
          { over: t("clock_over_say"), soon: t("clock_soon_say") }[kind],
        ]
          .filter(Boolean)
          .join(" ");
}

/** Who sits where in a round: also the draw, which is the seats of a round that was drawn. */
export function seats(round) {
  const cells = [...room.cells.values()].filter((cell) => cell.round === round);
  const several = (room.view.session?.sections.length ?? 0) > 1;
  return cells.map((cell) => ({
    table: several ? cell.table : cell.table.slice(1),
    ns: cell.ns ?? "–",
    ew: cell.ew ?? "–",
    boards: span(cell.boards) || "–",
  }));
}

/** The rows of one leaf, and how many leaves there are. */
export function leafOf(rows, leaf, most) {
  const leaves = Math.max(1, Math.ceil(rows.length / most));
  const at = leaf % leaves;
  return { rows: rows.slice(at * most, (at + 1) * most), at: at + 1, leaves };
}

function seating(all, leaf) {
  const { rows, at, leaves } = leafOf(all, leaf, ROWS * 2);
  const half = Math.ceil(rows.length / 2);
  const list = (part) =>
    h(
      "table",
      {},
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          [t("display_table"), t("ns"), t("ew"), t("boards")].map((text) => h("th", { scope: "col" }, text)),
        ),
      ),
      h(
        "tbody",
        {},
        part.map((seat) =>
          h(
            "tr",
            {},
            h("th", { scope: "row" }, seat.table),
            h("td", {}, seat.ns),
            h("td", {}, seat.ew),
            h("td", {}, seat.boards),
          ),
        ),
      ),
    );
  return [
    h(
      "div",
      { class: "display-lists" },
      list(rows.slice(0, half)),
      rows.length > 1 && list(rows.slice(half)),
    ),
    leavesOf(at, leaves),
  ];
}

const leavesOf = (page, pages) =>
  pages > 1 && h("p", { class: "display-leaf" }, t("display_leaves", { page, pages }));

function ranking({ announced }, leaf) {
  const parts = announced.map((list) => ({ list, ...leafOf(list.lines, leaf, ROWS) }));
  const longest = parts.reduce((most, part) => (part.leaves > most.leaves ? part : most), parts[0]);
  return [
    h("p", { class: "display-round" }, t("display_result")),
    h(
      "div",
      { class: "display-lists" },
      parts.map((part) =>
        h(
          "table",
          {},
          h("caption", {}, announcedAs(part.list)),
          h(
            "tbody",
            {},
            part.rows.map((line) =>
              h(
                "tr",
                {},
                h("th", { scope: "row" }, line.place || "–"),
                h("td", {}, line.names || pairShort(line.pair)),
                h("td", { class: "number" }, worth(part.list, line.worth)),
              ),
            ),
          ),
        ),
      ),
    ),
    longest && leavesOf(longest.at, longest.leaves),
  ];
}
