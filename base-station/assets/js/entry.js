// A table's whole score sheet typed on the keyboard, for the table that had no pad.
//
// In the field of a line: a contract ("4SS=", "3NE-1"), or a score for North-South ("620" or
// "+620"), or for East-West ("-50"); 0 passed out; Enter alone repeats the line above; A60/40
// adjusts; NP not played; an arrow goes to another line; a space ends.

import { get, post } from "./api.js";
import { choice, field, fill, h, heading, numeric, signed, toast, wide, wideHeading } from "./dom.js";
import { resultText } from "./cell.js";
import { room } from "./live.js";
import { t } from "./text.js";

/** Shows the sheet of a table, or of a board across all tables. */
export function show(main, [wanted]) {
  let name = wanted ?? "";
  const body = h("div");
  const boards = [...new Set([...room.cells.values()].flatMap((cell) => cell.boards))].sort(
    (one, other) => one - other,
  );
  const options = [
    ["", t("choose_sheet")],
    ...[...room.tables.keys()].map((table) => [table, t("table_n", { table })]),
    ...boards.map((board) => [`board-${board}`, t("board_n", { n: board })]),
  ];
  const select = choice(options, name);
  select.addEventListener("change", () => {
    name = select.value;
    history.replaceState(null, "", `#/traveller/${name}`);
    draw();
  });
  const draw = async () => {
    if (!name) return fill(body);
    const path = name.startsWith("board-")
      ? `sections/${room.view.session.sections[0].letter}/boards/${name.slice(6)}`
      : `tables/${name}`;
    const { lines } = await get(path);
    lines.sort((one, other) => one.round - other.round || one.board - other.board);
    fill(body, sheet(lines));
    body.querySelector("input.open-line")?.focus();
  };
  fill(
    main,
    h("h1", {}, t("page_traveller")),
    h(
      "div",
      { class: "card" },
      field(t("which_sheet"), select),
      h(
        "details",
        { open: window.innerWidth > 900 },
        h("summary", {}, t("keys")),
        h(
          "ul",
          { class: "keys-list" },
          t("keys_help")
            .split("|")
            .map((line) => h("li", {}, line)),
        ),
      ),
    ),
    body,
  );
  draw();
  return null;
}

function sheet(lines) {
  const rows = lines.map((line) => row(line));
  rows.forEach((current, at) => {
    current.input.addEventListener("keydown", (event) => onKey(event, rows, at));
  });
  return h(
    "div",
    { class: "scroll" },
    h(
      "table",
      { class: "entry" },
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          [
            wideHeading(t("round")),
            t("board"),
            wideHeading(t("ns")),
            wideHeading(t("ew")),
            t("now_there"),
            wide(numeric(t("score_ns"))),
            t("type_here"),
          ].map(heading),
        ),
      ),
      h(
        "tbody",
        {},
        rows.map((current) => current.element),
      ),
    ),
  );
}

function row(line) {
  const now = h("td", {}, resultText(line));
  const score = h("td", { class: "number wide" }, signed(line.score));
  const input = h("input", {
    class: line.result.kind === "Nothing" ? "open-line" : "",
    autocomplete: "off",
    maxlength: 12,
    "aria-label": t("entry_label", { table: line.table, board: line.board }),
  });
  const problem = h("span", { class: "problem", role: "alert" });
  const element = h(
    "tr",
    {},
    wide(line.round),
    h("th", { scope: "row" }, line.board),
    wide(line.ns ?? "–"),
    wide(line.ew ?? "–"),
    now,
    score,
    h("td", {}, input, problem),
  );
  const save = async (typed) => {
    problem.textContent = "";
    input.value = typed;
    try {
      const saved = await post("lines/typed", {
        table: line.table,
        round: line.round,
        board: line.board,
        typed,
      });
      fill(now, resultText(saved));
      score.textContent = signed(saved.score);
      input.value = "";
      return true;
    } catch (refusal) {
      problem.textContent = refusal.message;
      return false;
    }
  };
  return { input, element, save };
}

let last = "";

// The whole sheet by keys alone.
async function onKey(event, rows, at) {
  const go = (step) => rows[at + step]?.input.focus();
  const { input, save } = rows[at];
  if (event.key === "ArrowDown") {
    event.preventDefault();
    go(1);
  } else if (event.key === "ArrowUp") {
    event.preventDefault();
    go(-1);
  } else if (event.key === " ") {
    event.preventDefault();
    input.blur();
    toast(t("sheet_done"));
  } else if (event.key === "Enter") {
    event.preventDefault();
    const typed = input.value.trim() || last;
    if (!typed) return;
    last = typed;
    // The hands go on at once; a line that is refused calls them back unless they are at another.
    go(1);
    if (!(await save(typed)) && !document.activeElement?.value) input.focus();
  }
}
