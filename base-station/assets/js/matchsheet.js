// One match board by board, and what the director can decide about it.

import { get, post } from "./api.js";
import { choice, field, h, numeric, signed, table as tableOf, toast } from "./dom.js";
import { closeDialog, doing, openDialog } from "./dialog.js";
import { decimal, namesOf, t } from "./text.js";

/** Opens the sheet of a match. */
export async function matchSheet(contest, round, number, director, changed) {
  const { matching, lines } = await get(
    `contest/match?section=${contest.section}&round=${round}&number=${number}`,
  );
  const teams = contest.contestants_are === "teams";
  const points = (value) => h("td", { class: "number" }, value === null ? "" : decimal(value, 2));
  const score = (value) => h("td", { class: "number" }, value === null ? "–" : signed(value));
  const rows = lines.map((line) => [
    h("td", { class: "number" }, line.board),
    score(line.open),
    teams ? score(line.closed) : h("td", { class: "number" }, line.datum === null ? "" : signed(line.datum)),
    points(line.home),
    points(line.away),
  ]);
  const sum = (side) => [
    h("b", {}, `${side.contestant} ${namesOf(side.name)}`),
    side.vp === null ? "" : `: ${t("vps_n", { n: decimal(side.vp, 2) })}`,
  ];
  openDialog(t("match_title", { n: number, round }), [
    h("p", {}, sum(matching.home), " – ", sum(matching.away)),
    tableOf(
      t("match_sheet"),
      [
        numeric(t("board")),
        numeric(t(teams ? "room_open" : "score")),
        numeric(t(teams ? "room_closed" : "datum")),
        numeric(t("home")),
        numeric(t("away")),
      ],
      rows,
    ),
    director && decide(contest, round, matching, changed),
  ]);
}

function decide(contest, round, own, changed) {
  const options = [
    ["", t("decide_boards_count")],
    ["home", t("decide_forfeit", { who: own.home.contestant })],
    ["away", t("decide_forfeit", { who: own.away.contestant })],
    ["both-forfeit", t("decide_both_forfeit")],
    ["cancelled", t("decide_cancelled")],
  ];
  if (contest.contestants_are === "teams") options.push(["same-direction", t("decide_same_direction")]);
  const what = choice(options, "");
  const why = h("input", { maxlength: 200 });
  const go = doing(t("decide"), async () => {
    const by = { home: own.home.contestant, away: own.away.contestant }[what.value];
    const decision = what.value === "" ? null : by ? { kind: "forfeit", by } : { kind: what.value };
    await post("contest/match", {
      section: contest.section,
      round,
      number: own.number,
      decision,
      why: why.value,
    });
    closeDialog();
    toast(t("done"));
    await changed();
  });
  return h(
    "details",
    {},
    h("summary", {}, t("decide_title")),
    field(t("decide_what"), what),
    field(t("why"), why),
    h("div", { class: "buttons" }, go),
  );
}
