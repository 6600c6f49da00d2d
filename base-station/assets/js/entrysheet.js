// The lines of one sheet of paper, each with a field to type into.
//
// In the field of a line: a contract ("4SS=", "3NE-1"), or a score for North-South ("620" or
// "+620"), or for East-West ("-50"); 0 passed out; A60/40 adjusts; NP not played. Enter saves and
// goes on; alone on an open line it repeats the line above. E on an empty line changes the pairs.

import { post } from "./api.js";
import { fill, h, heading, numeric, signed, wide, wideHeading } from "./dom.js";
import { room } from "./live.js";
import { resultText } from "./resulttext.js";
import { pairCalled, pairTyped } from "./pairs.js";
import { t } from "./text.js";
import { asOnPads } from "./typed.js";

const KEPT = "half-typed";

/** What was typed and not saved when the page was left, by line; a page that is loaded again has it. */
const drafts = new Map(JSON.parse(sessionStorage.getItem(KEPT) ?? "[]"));
let last = "";

const keyOf = (line) => `${line.table}.${line.round}.${line.board}`;

/** The same among all evenings. */
const draftOf = (line) => `${room.view?.session?.id}.${keyOf(line)}`;

/** The number of a pair as it stands on paper: 4 of "A4NS". */
export const pairNumber = (pair) => /\d+/.exec(pair ?? "")?.[0] ?? "";

// A score alone is as it stands on paper; nobody needs to read that its contract is not known.
const short = (line) => (line.result.kind === "Written" ? signed(line.score) : resultText(line));

/** A sheet; `go` says what lies before and behind it. */
export function sheetOf(lines, sheet, section, go) {
  const rows = lines.map((line) => rowOf(line, sheet, section, go));
  rows.forEach((row, at) => {
    row.input.addEventListener("keydown", (event) => onKey(event, rows, at, go));
  });
  const byBoard = sheet.kind === "board";
  const element = h(
    "div",
    { class: "scroll" },
    h(
      "table",
      { class: "entry" },
      h(
        "caption",
        { class: "entry-title" },
        byBoard
          ? `${t("board_n", { n: sheet.board })} · ${t("section")} ${sheet.section}`
          : t("table_n", { table: sheet.table }),
      ),
      h(
        "thead",
        {},
        h(
          "tr",
          {},
          [
            byBoard ? numeric(t("ns")) : h("th", { scope: "col" }, t("board")),
            byBoard ? numeric(t("ew")) : numeric(t("ns")),
            byBoard ? "" : numeric(t("ew")),
            t("type_here"),
            t("now_there"),
            wide(numeric(t("score_ns"))),
            wideHeading(t("round")),
            byBoard ? wideHeading(t("table")) : "",
          ]
            .filter((cell) => cell !== "")
            .map(heading),
        ),
      ),
      h(
        "tbody",
        {},
        rows.map((row) => row.element),
      ),
    ),
  );
  return {
    element,
    lines,
    focus(from, typed = "") {
      const open = rows.find((row) => row.isDraft() || row.isOpen());
      const row = from === "last" ? rows.at(-1) : (open ?? rows[0]);
      if (typed && row) row.input.value += typed;
      row?.input.focus();
    },
    // Saves whatever is typed; a line that can't be saved calls the hands back.
    async finish() {
      for (const row of rows) {
        if (await row.save()) continue;
        row.input.focus();
        return false;
      }
      return true;
    },
    keep() {
      for (const row of rows) row.keep();
      sessionStorage.setItem(KEPT, JSON.stringify([...drafts]));
    },
    take(news) {
      for (const line of news) rows.find((row) => keyOf(row.line) === keyOf(line))?.take(line);
    },
  };
}

function rowOf(line, sheet, section, go) {
  const key = keyOf(line);
  const now = h("td", {}, short(line));
  const score = h("td", { class: "number wide" }, signed(line.score));
  const [ns, ew] = [h("td", { class: "number pair" }), h("td", { class: "number pair" })];
  const input = h("input", {
    class: "typed",
    value: drafts.get(draftOf(line)) ?? "",
    autocomplete: "off",
    autocapitalize: "characters",
    spellcheck: "false",
    maxlength: 20,
    "aria-label": t("entry_label", { table: line.table, board: line.board }),
  });
  drafts.delete(draftOf(line));
  const problem = h("span", { class: "problem", role: "alert" });
  const byBoard = sheet.kind === "board";
  const element = h(
    "tr",
    { "data-line": key },
    !byBoard && h("th", { scope: "row" }, line.board),
    ns,
    ew,
    h("td", {}, input, problem),
    now,
    score,
    wide(line.round),
    byBoard && wide(line.table),
  );
  let saving = null;
  const row = { line, input, element };
  const paint = () => {
    fill(now, short(line));
    score.textContent = signed(line.score);
    element.classList.toggle("in", line.result.kind !== "Nothing");
    input.classList.toggle("open-line", line.result.kind === "Nothing");
    if (!element.querySelector(".pair input")) drawPairs();
  };
  row.isOpen = () => line.result.kind === "Nothing";
  row.isDraft = () => input.value.trim() !== "";
  row.keep = () => row.isDraft() && drafts.set(draftOf(line), input.value);
  row.take = (news) => {
    Object.assign(line, news);
    paint();
  };
  row.empty = () => {
    input.value = "";
    problem.textContent = "";
  };
  const send = async (typed) => {
    problem.textContent = "";
    try {
      const saved = await post("lines/typed", {
        table: line.table,
        round: line.round,
        board: line.board,
        typed: asOnPads(typed),
      });
      row.take(saved);
      // Somebody who has gone on typing here keeps what is new.
      if (input.value.trim() === typed) input.value = "";
      go.saved();
      return true;
    } catch (refusal) {
      problem.textContent = refusal.message;
      return false;
    } finally {
      saving = null;
    }
  };
  // Nothing typed is nothing to save; the same text is sent once.
  row.save = (typed = input.value.trim()) => {
    if (!typed) return Promise.resolve(true);
    input.value = typed;
    saving ??= send(typed);
    return saving;
  };
  row.spaced = false;
  row.askSpace = (on) => {
    if (row.spaced !== on) problem.textContent = on ? t("entry_space_again") : "";
    row.spaced = on;
  };
  // Who goes elsewhere with the mouse has typed this all the same.
  input.addEventListener("blur", () => {
    row.askSpace(false);
    if (row.isDraft()) row.save();
  });

  const cellOf = (place, side) => {
    const pair = side === "NS" ? line.ns : line.ew;
    const label = t("entry_change_pairs", { pairs: `${pairCalled(line.ns)} – ${pairCalled(line.ew)}` });
    fill(
      place,
      h(
        "button",
        {
          type: "button",
          class: "link pair-button",
          tabindex: -1,
          title: label,
          "aria-label": `${pairNumber(pair) || "–"} ${t("entry_pair_label", { side: t(side.toLowerCase()), table: line.table })}`,
          onclick: () => row.editPairs(side),
        },
        pairNumber(pair) || "–",
      ),
    );
  };
  const drawPairs = () => {
    cellOf(ns, "NS");
    cellOf(ew, "EW");
    element.classList.toggle("other-pairs", line.pairs_corrected);
  };
  row.editPairs = (first = "NS") => {
    const field = (side, pair) =>
      h("input", {
        class: "pair-typed",
        value: pairNumber(pair),
        inputmode: "numeric",
        autocomplete: "off",
        maxlength: 6,
        "aria-label": t("entry_pair_label", { side: t(side.toLowerCase()), table: line.table }),
      });
    const fields = { NS: field("NS", line.ns), EW: field("EW", line.ew) };
    const close = () => {
      drawPairs();
      input.focus();
    };
    const savePairs = async () => {
      problem.textContent = "";
      const pairs = {
        ns: pairTyped(fields.NS.value, section, "NS"),
        ew: pairTyped(fields.EW.value, section, "EW"),
      };
      try {
        await post("lines/pairs", {
          table: line.table,
          round: line.round,
          board: line.board,
          ...pairs,
          why: "",
        });
        Object.assign(line, pairs, { pairs_corrected: true });
        close();
      } catch (refusal) {
        problem.textContent = refusal.message;
      }
    };
    const onPairKey = (event) => {
      if (event.key === "Escape") close();
      else if (event.key === "Enter" && event.target === fields.NS) fields.EW.select();
      else if (event.key === "Enter") savePairs();
      else return;
      event.preventDefault();
      event.stopPropagation();
    };
    for (const [side, place] of /** @type {const} */ ([
      ["NS", ns],
      ["EW", ew],
    ])) {
      fields[side].addEventListener("keydown", onPairKey);
      fill(place, fields[side]);
    }
    fields[first].select();
  };
  paint();
  if (row.isDraft()) problem.textContent = t("entry_unfinished");
  return row;
}

// The whole sheet by keys alone.
async function onKey(event, rows, at, go) {
  const row = rows[at];
  const to = (by) => rows[at + by]?.input.focus();
  const again = row.spaced;
  row.askSpace(false);
  const act = {
    ArrowDown: () => to(1),
    ArrowUp: () => (at === 0 && !row.isDraft() ? go.backward() : to(-1)),
    PageDown: () => go.turn(1),
    PageUp: () => go.turn(-1),
    Escape: row.empty,
    // In a score a space is a space; two on an empty line end a board that was begun.
    " ": row.isDraft() ? null : () => space(rows, row, again, go),
    e: row.isDraft() ? null : row.editPairs,
    E: row.isDraft() ? null : row.editPairs,
    Enter: () => enter(rows, at, go),
  }[event.key];
  if (!act || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  await act();
}

// One stray space must not turn the sheet under somebody who looks at the paper.
function space(rows, row, again, go) {
  if (rows.every((one) => one.isOpen())) return undefined;
  return again ? go.turn(1) : row.askSpace(true);
}

async function enter(rows, at, go) {
  const row = rows[at];
  // A line that has its result already is only passed over.
  const typed = row.input.value.trim() || (row.isOpen() ? last : "");
  if (!typed && row.isOpen()) return;
  if (typed) last = typed;
  const saved = row.save(typed);
  if (at + 1 < rows.length) {
    // The hands go on at once; a line that is refused calls them back unless they are at another.
    rows[at + 1].input.focus();
    const here = /** @type {HTMLInputElement | null} */ (document.activeElement);
    if (!(await saved) && !here?.value) row.input.focus();
    return;
  }
  go.hold();
  if (await saved) await go.onward();
  else row.input.focus();
}
