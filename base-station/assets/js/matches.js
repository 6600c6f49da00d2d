// Matches: where everybody stands, round by round. The next step is always named first.

import { get, post } from "./api.js";
import { afterResults } from "./cards.js";
import { fill, h, numeric, table as tableOf, toast, wide } from "./dom.js";
import { doing } from "./dialog.js";
import { room } from "./live.js";
import { propose } from "./matchdraw.js";
import { appeals, fining, joining, leaving, otherwise } from "./matchchanges.js";
import { playingOn, separating, shared } from "./matchlevel.js";
import { setUp } from "./matchsetup.js";
import { lineUps, matchSheet } from "./matchsheet.js";
import { done, isPressed, redraw } from "./redraw.js";
import { currentLanguage, decimal, t } from "./text.js";

const PRINTS = ["standing", "draw", "crosstable", "matchsheets", "slips"];

/** Shows every section that plays matches, and the form for one more. */
export function show(main) {
  if (!room.view.session) {
    fill(
      main,
      h("p", { class: "empty" }, t("nothing_yet"), " ", h("a", { href: "#/setup" }, t("page_setup"))),
    );
    return null;
  }
  const place = h("div", {});
  const form = h("section", { class: "card", id: "matches-setup" });
  fill(main, h("h1", {}, t("page_matches")), place, form);
  let asked = 0;
  const read = async () => {
    const own = (asked += 1);
    const { contests } = await get("contest");
    // A later question has the later answer.
    if (own !== asked) return;
    if (isPressed(place)) {
      live.later();
      return;
    }
    redraw(
      place,
      contests.map((contest) => contestCard(contest, draw)),
    );
    if (!form.hasChildNodes() && document.body.dataset.role === "director") setUp(form, contests, draw);
  };
  const draw = () => {
    done(place);
    return read();
  };
  const again = () => read().catch((refusal) => fill(place, h("p", { class: "empty" }, refusal.message)));
  const live = afterResults(again);
  again();
  return live;
}

function contestCard(contest, draw) {
  const director = document.body.dataset.role === "director";
  const asked = `?paper=${localStorage.getItem("paper") ?? "a4"}&language=${currentLanguage()}`;
  const print = (name) =>
    h(
      "li",
      {},
      h("a", { href: `/print/${name}${asked}`, target: "_blank" }, t(`print_${name}`)),
      " ",
      h(
        "a",
        {
          href: `/print/${name}.pdf${asked}`,
          target: "_blank",
          "aria-label": `${t(`print_${name}`)}, ${t("as_pdf")}`,
        },
        t("as_pdf"),
      ),
    );
  const teams = contest.contestants_are === "teams";
  const more = (key, ...inside) =>
    h(
      "details",
      { id: `${key}-${contest.section}`, "data-key": `${key}-${contest.section}`, "data-keep": true },
      h("summary", {}, t(key)),
      ...inside,
    );
  return h(
    "section",
    { class: "card", id: `matches-${contest.section}` },
    h("h2", {}, `${contest.section} ${contest.name}`),
    h(
      "p",
      { class: "quiet" },
      t("round_minutes", { n: contest.minutes }),
      contest.no_new_board > 0 && `, ${t("rules_no_new_board")}: ${contest.no_new_board}`,
    ),
    h("p", { class: "next-step", role: "status" }, h("b", {}, t("next_step")), " ", contest.next_step),
    director &&
      contest.next_round &&
      h(
        "div",
        { class: "buttons" },
        doing(
          t("draw_round", { n: contest.next_round + contest.rounds_before }),
          () => propose(contest, contest.next_round, draw),
          { class: "primary" },
        ),
      ),
    contest.rounds.length > 0 && standing(contest),
    contest.rounds
      .slice()
      .reverse()
      .map((round, at) => roundOf(contest, round, at === 0, director, draw)),
    contest.rounds.length > 0 && more("cross_table", crossTable(contest)),
    contest.players.length > 0 && more("players_ranking", players(contest)),
    more("to_print", h("ul", {}, PRINTS.map(print))),
    director &&
      teams &&
      contest.entries.some((entry) => entry.players.length >= 4) &&
      more("line_ups", lineUps(contest, draw)),
    director &&
      contest.goes_on_from &&
      more(
        "earlier_nights",
        h("p", {}, t("earlier_nights_text", { n: contest.rounds_before })),
        h(
          "div",
          { class: "buttons" },
          doing(t("earlier_take"), async () => {
            await post("contest/earlier", { section: contest.section });
            toast(t("done"));
            await draw();
          }),
        ),
      ),
    director && contest.rounds.length > 0 && more("fine_title", fining(contest, draw)),
    director &&
      contest.format === "swiss" &&
      contest.next_round &&
      more("join_title", joining(contest, draw)),
    director && contest.rounds.length > 0 && more("withdraw_title", leaving(contest, draw)),
    director && contest.play_off !== null && more("play_off_title", playingOn(contest, draw)),
    director &&
      contest.rounds.length > 0 &&
      !contest.next_round &&
      shared(contest).length > 0 &&
      more("tie_title", separating(contest, draw)),
    director && contest.rounds.length > 0 && more("appeal_title", appeals(contest, draw)),
    director && contest.rounds.length > 0 && more("otherwise_title", otherwise(contest, draw)),
  );
}

const number = (value) => h("td", { class: "number" }, value);

function standing(contest) {
  const ties = contest.standing[0]?.ties.map((tie) => tie.name) ?? [];
  return tableOf(
    t("standing"),
    [
      numeric(t("place")),
      numeric(t("number")),
      t("names"),
      numeric(t("vps")),
      wide(numeric(t("matches_played"))),
      wide(numeric(t("penalties_vp"))),
      ...ties.map((tie) => wide(numeric(tie))),
    ],
    contest.standing.map((line) => [
      number(line.place),
      number(line.contestant),
      h(
        "td",
        {},
        line.name,
        line.withdrawn && [" ", h("span", { class: "tag" }, t("gone_home"))],
        line.decided_by && [" ", h("small", { class: "quiet" }, t("decided_by", { what: line.decided_by }))],
      ),
      number(h("b", {}, decimal(line.vp, 2))),
      wide(number(line.matches)),
      wide(number(line.penalties ? decimal(line.penalties, 2) : "")),
      ...line.ties.map((tie) => wide(number(tie.value))),
    ]),
  );
}

function crossTable(contest) {
  const last = Math.max(0, ...contest.cross_table.flatMap((line) => line.against.map((cell) => cell.round)));
  const rounds = Array.from({ length: last }, (_, at) => at + 1);
  const cells = (line, round) =>
    line.against
      .filter((cell) => cell.round === round)
      .map((cell) => `${cell.opponent ?? t("bye")}: ${cell.vp === null ? "–" : decimal(cell.vp, 2)}`)
      .join("; ");
  return tableOf(
    t("cross_table"),
    [numeric(t("number")), t("names"), ...rounds.map((round) => numeric(t("round_n", { n: round })))],
    contest.cross_table.map((line) => [
      number(line.contestant),
      h("td", {}, line.name),
      ...rounds.map((round) => number(cells(line, round))),
    ]),
  );
}

function players(contest) {
  return tableOf(
    t("players_ranking"),
    [
      numeric(t("place")),
      t("names"),
      numeric(t("team")),
      numeric(t("boards")),
      numeric(t("imps")),
      numeric(t("imps_a_board")),
    ],
    contest.players.map((line, at) => [
      number(at + 1),
      h("td", {}, line.name),
      number(line.team),
      number(line.boards),
      number(decimal(line.imps, 1)),
      number(decimal(line.imps_a_board, 2)),
    ]),
  );
}

function roundOf(contest, round, open, director, draw) {
  const side = (own) => [
    h("td", {}, `${own.contestant} ${own.name}`),
    h("td", { class: "number" }, own.vp === null ? "" : decimal(own.vp, 2)),
  ];
  const rows = round.matches.map((own) => {
    const state = own.decision
      ? own.decision
      : own.complete
        ? "✓"
        : own.missing.length > 0
          ? t("boards_missing", { boards: own.missing.join("; ") })
          : "";
    return [
      h("td", { class: "number" }, own.tables.join(", ")),
      ...side(own.home),
      ...side(own.away),
      h(
        "td",
        {},
        state,
        own.accepted && own.complete && [" ", h("span", { class: "tag" }, t("slip_accepted"))],
        own.rematch && [" ", h("span", { class: "tag" }, t("rematch"))],
        own.remarks.map((remark) => h("p", { class: "quiet" }, remark)),
      ),
      h(
        "td",
        {},
        doing(t("match_sheet"), () => matchSheet(contest, round.round, own, director, draw), {
          class: "small",
        }),
      ),
    ];
  });
  const halves = round.halves.map((half) => [
    h("td", { class: "number" }, half.table),
    `${half.ns} ${half.ns_name}`,
    `${half.ew} ${half.ew_name}`,
    half.boards,
  ]);
  return h(
    "details",
    { open, "data-key": `round-${round.round}-${contest.section}` },
    h("summary", {}, t("round_boards", { n: round.round + contest.rounds_before, boards: round.boards })),
    rows.length > 0 &&
      tableOf(
        t("round_n", { n: round.round + contest.rounds_before }),
        [
          numeric(t("tables")),
          t("home"),
          numeric(t("vps")),
          t("away"),
          numeric(t("vps")),
          t("match_state"),
          "",
        ],
        rows,
      ),
    halves.length > 0 &&
      tableOf(
        t("match_halves"),
        [numeric(t("table")), t("north_south"), t("east_west"), t("boards")],
        halves,
      ),
    round.waiting.length > 0 && h("p", {}, t("draw_waiting", { who: round.waiting.join(", ") })),
    round.bye && h("p", {}, t("has_bye", { who: `${round.bye.contestant} ${round.bye.name}` })),
    round.seed !== null &&
      h("p", { class: "quiet" }, t("drawn_with", { method: t(`method_${round.method}`), seed: round.seed })),
    director &&
      round.can_be_redrawn &&
      h(
        "div",
        { class: "buttons" },
        doing(t("draw_redraw"), () => propose(contest, round.round, draw, true)),
      ),
  );
}
