// A cell of the grid opened: its boards, and for one board the traveller, the cards and the actions.

import { get } from "./api.js";
import { cards, fill, h, numeric, signed, table as tableOf, wide } from "./dom.js";
import { openDialog } from "./dialog.js";
import { actionsFor } from "./actions.js";
import { answerButtons } from "./answers.js";
import { handRecord } from "./hand.js";
import { helpLink, topicOf } from "./help.js";
import { changesTable } from "./history.js";
import { watch } from "./live.js";
import { pairNamed } from "./pairs.js";
import { redraw } from "./redraw.js";
import { resultText } from "./resulttext.js";
import { decimal, digitsFor, percent, t } from "./text.js";
import { traveller } from "./traveller.js";

/** Opens a table's round, at its first board or at one that is named. */
export async function openCell(table, round, board) {
  const body = h("div", {}, h("span", { class: "busy" }), " ", t("loading"));
  let chosen = board;
  let asked = 0;
  // Somebody in the middle of typing must not lose what is typed, nor see an older answer last.
  const refresh = async () => {
    asked += 1;
    const question = asked;
    const detail = await get(`tables/${table}/rounds/${round}`);
    chosen = detail.lines.some((line) => line.board === chosen) ? chosen : firstOf(detail.lines);
    const about = chosen && (await get(`sections/${table[0]}/boards/${chosen}`));
    const inUse = body.querySelector("form.open, .action-menu[open]");
    if (question === asked && !inUse) draw(body, detail, about, choose, refresh);
  };
  const choose = (next) => {
    body.querySelector("form.open")?.remove();
    chosen = next;
    return refresh();
  };
  const stop = watch((change) => {
    const here =
      change.all ||
      change.parts?.includes("warnings") ||
      change.cells?.some(
        (cell) =>
          (cell.table === table && cell.round === round) ||
          (cell.table[0] === table[0] && cell.boards.includes(chosen)),
      );
    if (here) refresh();
  });
  // What came in while the menu was open is shown when it has gone.
  body.addEventListener("menu-closed", () => refresh());
  // What was done stands in the table at the top.
  body.addEventListener("form-closed", () =>
    refresh().then(() => body.closest("dialog")?.scrollTo({ top: 0 })),
  );
  openDialog(t("cell_place", { table, round }), body, stop);
  try {
    await refresh();
  } catch (refusal) {
    fill(body, h("p", { class: "refusal", role: "alert" }, refusal.message));
  }
}

// Whoever opens a round with a gap looks for the board that is missing.
function firstOf(lines) {
  const missing = lines.filter((line) => line.result.kind === "Nothing");
  const [first] = missing.length < lines.length ? [...missing, ...lines] : lines;
  return first?.board;
}

function draw(body, detail, about, choose, refresh) {
  const line = detail.lines.find((candidate) => candidate.board === about?.board);
  redraw(
    body,
    h(
      "p",
      {},
      h("b", {}, pairNamed("ns", detail.lines[0]?.ns, detail.ns_name)),
      ` ${t("against")} `,
      h("b", {}, pairNamed("ew", detail.lines[0]?.ew, detail.ew_name)),
    ),
    detail.lines.length === 0
      ? h("p", { class: "empty" }, t("state_SitOut"))
      : lines(detail, line?.board, choose),
    questions(
      detail,
      (warning) =>
        warning.board === null || !detail.lines.some(({ board: known }) => known === warning.board),
      refresh,
    ),
    line &&
      h(
        "section",
        { class: "board", "aria-label": t("board_n", { n: line.board }) },
        boardOf(detail, line, about, refresh),
      ),
  );
}

function lines(detail, board, choose) {
  const digits = digitsFor(
    detail.lines.map((line) => line.ns_points),
    detail.decimals,
  );
  const percentDigits = digitsFor(
    detail.lines.map((line) => line.ns_percent),
    2,
  );
  const headings = [
    t("board"),
    t("contract"),
    t("lead"),
    numeric(t("score_ns")),
    wide(numeric(detail.points_name === "imps" ? t("imps_ns") : t("points_ns"))),
    wide(numeric(t("percent_ns"))),
    "",
  ];
  return tableOf(
    t("boards"),
    headings,
    detail.lines.map((line) =>
      h(
        "tr",
        { class: line.board === board && "chosen" },
        h(
          "th",
          { scope: "row" },
          h(
            "button",
            {
              type: "button",
              "aria-pressed": String(line.board === board),
              onclick: () => choose(line.board),
            },
            line.board,
          ),
        ),
        h("td", {}, resultText(line)),
        h("td", {}, cards(line.result.lead)),
        h("td", { class: "number" }, signed(line.score)),
        h("td", { class: "number wide" }, decimal(line.ns_points, digits)),
        h("td", { class: "number wide" }, percent(line.ns_percent, percentDigits)),
        h("td", {}, marks(line)),
      ),
    ),
  );
}

function marks(line) {
  return [
    line.changed && h("span", { class: "tag" }, "✎ ", t("state_Changed")),
    line.pairs_corrected && h("span", { class: "tag" }, t("pairs_corrected")),
    line.form !== "A" && h("span", { class: "tag late" }, t("fouled_form", { form: line.form })),
  ];
}

function boardOf(detail, line, about, refresh) {
  return [
    h(
      "h3",
      {},
      t("board_n", { n: line.board }),
      " ",
      h(
        "small",
        { class: "quiet" },
        t("dealer_vulnerable", {
          dealer: t(`seat_${about.dealer}`),
          vulnerable: t(`vulnerable_${about.vulnerable}`),
        }),
      ),
    ),
    questions(detail, (warning) => warning.board === line.board, refresh),
    document.body.dataset.role === "director" && actionsFor(detail, line),
    h(
      "div",
      { class: "columns uneven" },
      h("div", {}, traveller(about, line)),
      h("div", {}, about.hand ? handRecord(about, line) : h("p", { class: "quiet" }, t("no_hand_record"))),
    ),
    history(detail, line, refresh),
  ];
}

// What waits for an answer here: a result that a replaced pad still held, a board that the table
// should not have, something that looks wrong.
function questions(detail, isHere, refresh) {
  return detail.warnings
    .filter((warning) => !warning.answered && isHere(warning))
    .map((warning) =>
      h(
        "div",
        { class: "card flagged", "data-key": warning.key },
        h("p", {}, "⚑ ", warning.text),
        h("div", { class: "buttons" }, answerButtons(warning, refresh), helpLink(topicOf(warning.kind))),
      ),
    );
}

function history(detail, line, refresh) {
  // The latest first: that is the one to be taken back.
  const changes = detail.history
    .filter((change) => change.board === null || change.board === line.board)
    .reverse();
  if (changes.length === 0) return null;
  return h(
    "details",
    { open: changes.some((change) => change.can_undo) },
    h("summary", {}, t("history_n", { n: changes.length })),
    changesTable(changes, refresh),
  );
}
