// The receiver grid. A change redraws only the cells it names.

import { post } from "./api.js";
import { h, fill, toast } from "./dom.js";
import { doing } from "./dialog.js";
import { withEdges } from "./edges.js";
import { cellKey, counted, room } from "./live.js";
import { currentLanguage, t } from "./text.js";

const SYMBOLS = {
  NotLoggedOn: "○",
  Waiting: "·",
  Current: "▶",
  AllIn: "✓",
  Late: "…",
  Missing: "!",
  SitOut: "–",
};
let section = null;
let buttons = new Map();
let heads = new Map();
let drawn = "";
let said = "";

/** Above so many tables the rows are as low as a line of text, so that all fit on a laptop. */
const MANY = 9;

// What opens from the grid is not waited for by whoever wants to see the room; it comes right after.
const opened = () => Promise.all([import("./cell.js"), import("./table.js")]);
const AFTER_MS = 1500;

const openCell = (table, round) =>
  opened().then(
    ([cell]) => cell.openCell(table, round, guilty(table, round)),
    (refusal) => toast(refusal.message),
  );

const openTable = (table) =>
  opened().then(
    ([, { openTable: open }]) => open(table),
    (refusal) => toast(refusal.message),
  );

/** Shows the grid of the chosen section. */
export function show(main, [wanted]) {
  if (wanted) section = wanted;
  draw(main);
  setTimeout(() => opened().catch(() => {}), AFTER_MS);
  return {
    update(change) {
      if (change.all || (change.parts?.includes("session") && plan() !== drawn)) return draw(main);
      for (const cell of change.cells) paintCell(cell);
      for (const table of change.tables) paintTable(table);
      sayHow(main);
      return undefined;
    },
  };
}

// What the grid is made of; while it stays the same, a click in progress is not disturbed.
const plan = () =>
  JSON.stringify([room.view.session?.id, room.view.session?.sections, room.view.session?.on_paper]);

function draw(main) {
  const { session } = room.view;
  drawn = plan();
  if (!session || session.sections.length === 0) {
    fill(
      main,
      h(
        "div",
        { class: "empty" },
        h("h1", {}, t("nothing_yet")),
        h("p", {}, t("nothing_yet_more")),
        h("a", { class: "button primary", href: "#/setup" }, t("page_setup")),
      ),
    );
    return;
  }
  const here = session.sections.find(({ letter }) => letter === section) ?? session.sections[0];
  section = here.letter;
  const box = main.querySelector(".grid-box");
  const place = box && { left: box.scrollLeft, top: box.scrollTop };
  const followed = isInView(box, box?.querySelector(".room-round"));
  const focused = focusedKey();
  buttons = new Map();
  heads = new Map();
  fill(
    main,
    bar(session, here, main),
    h("div", { class: "room-says", role: "status" }),
    document.body.dataset.pads &&
      h(
        "p",
        { class: "demo-hint" },
        t("demo_hint"),
        " ",
        h(
          "a",
          { href: `${document.body.dataset.pads}?language=${currentLanguage()}`, target: "_blank" },
          t("demo_pads"),
        ),
      ),
    withEdges(h("div", { class: "grid-box" }, grid(here))),
    legend(session.on_paper),
  );
  said = "";
  sayHow(main);
  const fresh = main.querySelector(".grid-box");
  if (place) Object.assign(fresh, { scrollLeft: place.left, scrollTop: place.top });
  // Whoever was looking at the round being played goes on with the room.
  const current = fresh.querySelector(".room-round");
  if (place && followed && !isInView(fresh, current))
    fresh.scrollLeft +=
      current.getBoundingClientRect().left - fresh.getBoundingClientRect().right + current.offsetWidth * 2;
  if (!place) fresh.querySelector(".room-round")?.scrollIntoView({ block: "nearest", inline: "center" });
  if (focused) buttons.get(focused)?.focus({ preventScroll: true });
}

// What is to be known of the whole room: how far the typing is, or that everything is in.
function sayHow(main) {
  const place = main.querySelector(".room-says");
  const { session } = room.view;
  if (!place || !session) return;
  const { arrived, total } = counted();
  const finished = session.phase === "Open" && total > 0 && arrived >= total;
  const words = finished
    ? t("room_finished")
    : session.on_paper && session.phase === "Open"
      ? t("paper_progress", { n: arrived, of: total })
      : "";
  if (words === said) return;
  said = words;
  const director = document.body.dataset.role === "director";
  place.classList.toggle("finished", finished);
  fill(
    place,
    finished && h("span", { class: "tag good" }, "✓"),
    words && h("span", {}, words),
    finished &&
      director &&
      doing(
        t("end_play"),
        () =>
          post("end-play").then(async (did) => {
            location.hash = "#/results";
            // Asked for when it is needed: the room comes first.
            (await import("./done.js")).sayChange(did, t("done"));
          }),
        { class: "primary" },
      ),
    !finished &&
      words &&
      director &&
      h("a", { class: "button primary", href: "#/traveller" }, t("page_traveller")),
  );
}

function isInView(box, element) {
  if (!box || !element) return false;
  const [outer, inner] = [box.getBoundingClientRect(), element.getBoundingClientRect()];
  return inner.left >= outer.left && inner.right <= outer.right + 1;
}

function bar(session, here, main) {
  const choose = (letter) => {
    section = letter;
    main.querySelector(".grid-box")?.remove();
    draw(main);
  };
  const sections =
    session.sections.length > 1 &&
    h(
      "div",
      { class: "segments", role: "group", "aria-label": t("section") },
      session.sections.map(({ letter, colour }) =>
        h(
          "button",
          { type: "button", "aria-pressed": String(letter === here.letter), onclick: () => choose(letter) },
          `${letter} ${colour}`,
        ),
      ),
    );
  return h(
    "div",
    { class: "grid-bar" },
    h("h1", {}, t("grid_title", { section: here.letter, movement: here.movement })),
    sections,
    !session.on_paper &&
      h("span", { class: "quiet" }, t("grid_round", { round: here.room_round, rounds: here.rounds })),
  );
}

function grid(here) {
  const rounds = Array.from({ length: here.rounds }, (_, at) => at + 1);
  const tables = [...room.tables.values()].filter((table) => table.section === here.letter);
  const isNow = (round) => round === here.room_round && !room.view.session?.on_paper;
  const head = h(
    "tr",
    {},
    h("th", { scope: "col" }, t("table")),
    rounds.map((round) =>
      h(
        "th",
        { scope: "col", class: isNow(round) && "room-round" },
        round,
        isNow(round) && h("span", { class: "visually-hidden" }, ` ${t("now_playing")}`),
      ),
    ),
  );
  const rows = tables.map((table) => {
    const button = h("button", { type: "button", onclick: () => openTable(table.table) });
    heads.set(table.table, button);
    paintTable(table);
    return h(
      "tr",
      {},
      h("th", { scope: "row" }, button),
      rounds.map((round) => h("td", {}, cellButton(table.table, round))),
    );
  });
  const element = h(
    "table",
    {
      class: tables.length > MANY ? "grid many" : "grid",
      "aria-label": t("grid_label", { section: here.letter }),
      onkeydown: moveByArrows,
    },
    h("thead", {}, head),
    h("tbody", {}, rows),
  );
  const first = buttons.get(cellKey(tables[0]?.table, here.room_round)) ?? buttons.values().next().value;
  if (first) first.tabIndex = 0;
  return element;
}

function cellButton(table, round) {
  const cell = room.cells.get(cellKey(table, round));
  if (!cell) return "";
  const key = cellKey(table, round);
  const button = h("button", {
    type: "button",
    tabindex: -1,
    "data-key": key,
    onclick: () => openCell(table, round),
  });
  buttons.set(key, button);
  paintCell(cell);
  return button;
}

// A flagged cell opens at the board that the flag is for.
function guilty(table, round) {
  const flags = room.view.warnings.filter(
    (warning) =>
      !warning.answered && warning.table === table && warning.round === round && warning.board !== null,
  );
  return (flags.find((warning) => !warning.quiet) ?? flags[0])?.board ?? undefined;
}

// A round that is over and wholly in needs nobody's eye any more.
function isPast(cell) {
  const here = room.view.session?.sections.find(({ letter }) => letter === cell.table[0]);
  return cell.state === "AllIn" && !cell.flagged && here && cell.round < here.room_round;
}

function paintCell(cell) {
  const button = buttons.get(cellKey(cell.table, cell.round));
  if (!button) return;
  const kinds = [cell.state, cell.changed && "changed", cell.flagged && "flagged", isPast(cell) && "past"];
  button.className = `cell ${kinds.filter(Boolean).join(" ")}`;
  const counted =
    cell.state === "AllIn" || cell.state === "SitOut" || cell.in === 0
      ? ""
      : ` ${cell.in}/${cell.boards.length}`;
  const words = describe(cell);
  fill(
    button,
    h("span", { class: "visually-hidden" }, words),
    h("span", { class: "state", "aria-hidden": "true" }, SYMBOLS[cell.state] + counted),
    h("span", { class: "boards", "aria-hidden": "true" }, span(cell.boards)),
    cell.changed && h("span", { class: "mark pen", "aria-hidden": "true" }, "✎"),
    cell.flagged && h("span", { class: "mark flag", "aria-hidden": "true" }, "⚑"),
  );
  button.title = words;
}

// On paper nobody knows what is being played, only what was typed.
const stateWord = (state) =>
  state === "Current" && room.view.session?.on_paper ? t("state_PaperBegun") : t(`state_${state}`);

/** What a screen reader and the tooltip say of a cell. */
export function describe(cell) {
  const who =
    cell.state === "SitOut"
      ? ""
      : t("pairs_meet", { ns: cell.ns ?? t("nobody"), ew: cell.ew ?? t("nobody") });
  const parts = [
    t("cell_place", { table: cell.table, round: cell.round }),
    who,
    cell.boards.length > 0 && t("boards_are", { boards: span(cell.boards) }),
    stateWord(cell.state),
    cell.in > 0 && cell.state !== "AllIn" && t("boards_in", { n: cell.in, of: cell.boards.length }),
    cell.changed && t("state_Changed"),
    cell.flagged && t("state_Flagged"),
  ];
  return parts.filter(Boolean).join(", ");
}

/** "4–6". */
export function span(boards) {
  if (boards.length === 0) return "";
  const [first, last] = [boards[0], boards[boards.length - 1]];
  return boards.length === 1 ? `${first}` : `${first}–${last}`;
}

function paintTable(table) {
  const button = heads.get(table.table);
  if (!button) return;
  button.className = `table-head ${table.state}${table.calling_since_ms ? " calling" : ""}`;
  const status = table.calling_since_ms ? `‼ ${t("calls")}` : t(`table_${table.state}`);
  const device = table.device && t(`device_${table.device}`);
  fill(
    button,
    h(
      "b",
      {},
      table.table,
      device && [" ", h("span", { class: "device", role: "img", "aria-label": device, title: device })],
    ),
    h("span", {}, status),
  );
}

// The cell that the keyboard is at.
function focusedKey() {
  const focused = document.activeElement;
  return focused instanceof HTMLElement ? focused.dataset.key : undefined;
}

// One stop for the Tab key; arrows walk from cell to cell.
function moveByArrows(event) {
  const step = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] }[event.key];
  const key = focusedKey();
  if (!step || !key) return;
  event.preventDefault();
  const rows = [...heads.keys()];
  const [table, round] = key.split(".");
  const target = buttons.get(cellKey(rows[rows.indexOf(table) + step[0]], Number(round) + step[1]));
  if (!target) return;
  buttons.get(key).tabIndex = -1;
  target.tabIndex = 0;
  target.focus();
}

function legend(onPaper) {
  const all = ["NotLoggedOn", "Waiting", "Current", "AllIn", "Late", "Missing", "SitOut"];
  const states = onPaper ? ["Waiting", "Current", "AllIn", "Missing", "SitOut"] : all;
  return h(
    "ul",
    { class: "legend", "aria-label": t("legend") },
    states.map((state) =>
      h(
        "li",
        {},
        h("span", { class: `cell ${state}`, "aria-hidden": "true" }, SYMBOLS[state]),
        stateWord(state),
      ),
    ),
    h("li", {}, h("span", { class: "cell AllIn changed", "aria-hidden": "true" }, "✎"), t("state_Changed")),
    h(
      "li",
      {},
      h(
        "span",
        { class: "cell AllIn flagged", "aria-hidden": "true" },
        h("span", { class: "mark flag" }, "⚑"),
      ),
      t("state_Flagged"),
    ),
  );
}
