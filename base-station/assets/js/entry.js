// Results typed from paper: the travellers of a section's boards, or the sheets of its tables, one
// after the other, by keys alone.

import { get } from "./api.js";
import { choice, field, fill, h, toast } from "./dom.js";
import { sheetOf } from "./entrysheet.js";
import { counted, room } from "./live.js";
import { t } from "./text.js";

const ORDER = "traveller-order";

/** @typedef {{ kind: string, section: string, table?: string, board?: number }} Sheet */

/**
 * Which sheet an address means: A3 is a table, A-7 a board of section A, board-7 of the first.
 * @returns {Sheet | null}
 */
export function sheetNamed(name, sections) {
  const first = sections[0]?.letter ?? "A";
  const board = /^(?:board|([A-Z]))-(\d+)$/.exec(name);
  if (board) return { kind: "board", section: board[1] ?? first, board: Number(board[2]) };
  const table = /^([A-Z])\d+$/.exec(name);
  if (table) return { kind: "table", section: table[1], table: name };
  return null;
}

/** The way back to its address. */
export const nameOf = (sheet) => (sheet.kind === "board" ? `${sheet.section}-${sheet.board}` : sheet.table);

/** Lines as they stand on paper: a traveller by pair numbers or rounds, a table sheet by rounds. */
export function inOrder(lines, kind, order) {
  const number = (pair) => Number(/\d+/.exec(pair ?? "")?.[0] ?? 9999);
  const keys =
    kind === "board" && order === "pairs"
      ? (line) => [number(line.ns), number(line.ew), line.round]
      : (line) => [line.round, kind === "board" ? number(line.table) : 0, line.board];
  const compare = (one, other) => {
    const [a, b] = [keys(one), keys(other)];
    const at = a.findIndex((key, place) => key !== b[place]);
    return at < 0 ? 0 : a[at] - b[at];
  };
  return [...lines].sort(compare);
}

const ofSection = (section) => [...room.cells.values()].filter(({ table }) => table[0] === section);

/**
 * Every sheet of the section in the order in which they lie in the box.
 * @returns {Sheet[]}
 */
function sheets(kind, section) {
  if (kind === "table")
    return [...room.tables.values()]
      .filter((table) => table.section === section)
      .map(({ table }) => ({ kind, section, table }));
  const boards = new Set(ofSection(section).flatMap((cell) => cell.boards));
  return [...boards].sort((one, other) => one - other).map((board) => ({ kind, section, board }));
}

const isOpen = ({ state, in: arrived, boards }) => state !== "SitOut" && arrived < boards.length;

// The first sheet on which something is missing.
function firstOpen(section) {
  const open = ofSection(section).filter(isOpen);
  const boards = open.flatMap((cell) => cell.boards);
  const all = sheets("board", section);
  return all.find(({ board }) => board !== undefined && boards.includes(board)) ?? all[0] ?? null;
}

/** Shows the sheet that the address names, or the first on which something is missing. */
export function show(main, [wanted]) {
  const sections = room.view.session?.sections ?? [];
  if (sections.length === 0) {
    fill(main, h("h1", {}, t("page_traveller")), h("p", { class: "empty" }, t("entry_none")));
    return null;
  }
  let sheet = sheetNamed(wanted ?? "", sections) ?? firstOpen(sections[0].letter);
  let order = localStorage.getItem(ORDER) ?? "pairs";
  let shown = null;
  let asked = 0;
  const bar = h("div", { class: "entry-bar" });
  const body = h("div");
  const foot = h("p", { class: "entry-foot", role: "status" });
  // Where fast hands type while one sheet makes place for the next.
  const between = h("input", { class: "visually-hidden", tabindex: -1, "aria-label": t("type_here") });

  const open = async (next, from = "first") => {
    if (!next) return;
    // What is half typed stays where it was typed until it is finished.
    if (shown && !(await shown.finish())) return;
    sheet = next;
    history.replaceState(null, "", `#/traveller/${nameOf(sheet)}`);
    await draw(from);
  };
  const step = (by) => {
    const all = sheets(sheet.kind, sheet.section);
    const at = all.findIndex((one) => nameOf(one) === nameOf(sheet));
    return all[at + by] ?? null;
  };
  const onward = async () => {
    const next = step(1);
    if (next) return open(next);
    if (!(await shown.finish())) return undefined;
    const { arrived, total } = counted();
    toast(arrived >= total ? t("entry_all_in") : t("sheet_done"));
    shown.focus("last");
    return drawFoot();
  };

  const drawBar = () => {
    const kinds = [
      ["board", t("entry_by_board")],
      ["table", t("entry_by_table")],
    ];
    const pick = choice(
      sheets(sheet.kind, sheet.section).map((one) => [
        nameOf(one),
        one.kind === "board" ? t("board_n", { n: one.board }) : t("table_n", { table: one.table }),
      ]),
      nameOf(sheet),
      { "aria-label": t("which_sheet") },
    );
    pick.addEventListener("change", () => open(sheetNamed(pick.value, sections)));
    const orders = choice(
      ["pairs", "rounds"].map((name) => [name, t(`entry_order_${name}`)]),
      order,
    );
    orders.addEventListener("change", () => {
      order = orders.value;
      localStorage.setItem(ORDER, order);
      open(sheet);
    });
    fill(
      bar,
      sections.length > 1 &&
        segments(
          t("section"),
          sections.map(({ letter, colour }) => [letter, `${letter} ${colour}`]),
          sheet.section,
          (letter) => open(sheet.kind === "board" ? firstOpen(letter) : sheets("table", letter)[0]),
        ),
      segments(t("entry_by"), kinds, sheet.kind, (kind) => open(sheets(kind, sheet.section)[0])),
      h(
        "div",
        { class: "entry-step" },
        turner("‹", t("entry_previous"), step(-1), open),
        pick,
        turner("›", t("entry_next"), step(1), open),
      ),
      sheet.kind === "board" && field(t("entry_order"), orders),
    );
  };
  const drawFoot = () => {
    const { arrived, total } = counted();
    const done = shown?.lines.filter((line) => line.result.kind !== "Nothing").length ?? 0;
    fill(
      foot,
      t("entry_here", { n: done, of: shown?.lines.length ?? 0, all: arrived, total }),
      total > 0 &&
        arrived >= total && [
          " ",
          h("b", {}, "✓ ", t("entry_all_in")),
          " ",
          h("a", { href: "#/results" }, t("entry_to_results")),
        ],
    );
  };
  const ask = () =>
    sheet.kind === "board"
      ? get(`sections/${sheet.section}/boards/${sheet.board}`)
      : get(`tables/${sheet.table}`);
  // Lines of the other sections stand on their own travellers.
  const linesOf = (answer) =>
    inOrder(
      answer.lines.filter((line) => line.table[0] === sheet.section),
      sheet.kind,
      order,
    );
  const draw = async (from) => {
    asked += 1;
    const question = asked;
    const answer = await ask();
    if (question !== asked) return;
    drawBar();
    const section = sections.find(({ letter }) => letter === sheet.section) ?? sections[0];
    shown = sheetOf(linesOf(answer), sheet, section, {
      onward,
      backward: () => open(step(-1), "last"),
      turn: (by) => open(step(by)),
      saved: drawFoot,
      hold: () => between.focus(),
    });
    fill(body, shown.element);
    shown.focus(from, between.value);
    between.value = "";
    drawFoot();
  };

  const keys = h(
    "details",
    { class: "card", open: window.innerWidth > 900 },
    h("summary", {}, t("keys")),
    h(
      "ul",
      { class: "keys-list" },
      t("keys_help")
        .split("|")
        .map((line) => h("li", {}, line)),
    ),
  );
  fill(main, h("div", { class: "entry-head" }, h("h1", {}, t("tab_traveller")), bar), body, between, foot);
  // Below the sheet, once that is there: it would be pushed down under the finger.
  draw("first")
    .catch((refusal) => fill(body, h("p", { class: "refusal", role: "alert" }, refusal.message)))
    .then(() => body.isConnected && main.append(keys));

  // A page that is loaded again, or that a phone throws out of its memory.
  const keep = () => shown?.keep();
  window.addEventListener("pagehide", keep);
  let waiting = null;
  return {
    // Whoever else types or sends: their lines come in without touching what is typed here.
    update(change) {
      if (!change.all && !change.cells?.some(({ table }) => table[0] === sheet.section)) return;
      drawFoot();
      waiting ??= setTimeout(async () => {
        waiting = null;
        const before = nameOf(sheet);
        const answer = await ask().catch(() => null);
        if (answer && before === nameOf(sheet)) shown?.take(answer.lines);
        drawFoot();
      }, 500);
    },
    leave() {
      clearTimeout(waiting);
      window.removeEventListener("pagehide", keep);
      keep();
    },
  };
}

function segments(label, options, chosen, choose) {
  return h(
    "div",
    { class: "segments", role: "group", "aria-label": label },
    options.map(([value, text]) =>
      h(
        "button",
        { type: "button", "aria-pressed": String(value === chosen), onclick: () => choose(value) },
        text,
      ),
    ),
  );
}

function turner(sign, label, to, open) {
  return h("button", { type: "button", "aria-label": label, disabled: !to, onclick: () => open(to) }, sign);
}
