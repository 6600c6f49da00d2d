// Matches: setting a Swiss or a round robin up, drawing the next round, and where everybody stands.
// The next step is always named first.

import { get, post } from "./api.js";
import { choice, field, fill, h, numeric, table as tableOf, tick, toast, wide } from "./dom.js";
import { closeDialog, doing, openDialog } from "./dialog.js";
import { room } from "./live.js";
import { matchSheet } from "./matchsheet.js";
import { currentLanguage, decimal, namesOf, said, t } from "./text.js";

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
  const draw = async () => {
    const { contests } = await get("contest");
    fill(
      place,
      contests.map((contest) => contestCard(contest, draw)),
    );
    if (!form.hasChildNodes() && document.body.dataset.role === "director") setUp(form, contests, draw);
  };
  const again = () => draw().catch((refusal) => fill(place, h("p", { class: "empty" }, refusal.message)));
  again();
  let waiting = null;
  return {
    update(change) {
      if (!change.all && !change.cells?.length && !change.parts?.includes("session")) return;
      waiting ??= setTimeout(() => {
        waiting = null;
        again();
      }, 700);
    },
    leave: () => clearTimeout(waiting),
  };
}

function setUp(place, contests, draw) {
  const name = h("input", { maxlength: 60, value: t("matches_name_example") });
  const format = choice(
    [
      ["swiss", t("matches_swiss")],
      ["round-robin", t("matches_round_robin")],
    ],
    "swiss",
  );
  const comparison = choice(
    [
      ["butler", t("matches_butler")],
      ["cross-imps", t("matches_cross_imps")],
      ["matchpoints", t("matches_percent")],
      ["teams-imps", t("matches_teams")],
      ["board-a-match", t("matches_bam")],
    ],
    "butler",
  );
  const size = h("input", { type: "number", min: 2, max: 400, value: 22 });
  const rounds = h("input", { type: "number", min: 1, max: 30, value: 3 });
  const boards = h("input", { type: "number", min: 1, max: 64, value: 9 });
  const regulation = choice(
    [
      ["new-zealand-club", t("regulation_club")],
      ["sabf", "SABF"],
      ["abf-championships", t("regulation_abf")],
      ["gnot", "GNOT"],
    ],
    "new-zealand-club",
  );
  const first = choice(
    [
      ["random", t("first_random")],
      ["halves", t("first_halves")],
      ["quarters", t("first_quarters")],
      ["seeded-start", t("first_seeded")],
    ],
    "random",
  );
  const letter = h("input", {
    maxlength: 1,
    value: String.fromCharCode(65 + room.view.session.sections.length),
  });
  const bye = tick(t("matches_bye"), false);
  const roundsField = field(t("rounds"), rounds);
  const firstField = field(t("matches_first"), first);
  const shape = () => {
    const swiss = format.value === "swiss";
    roundsField.hidden = !swiss;
    firstField.hidden = !swiss;
    bye.label.hidden = !swiss || Number(size.value) % 2 === 0;
  };
  for (const control of [format, size]) control.addEventListener("input", shape);
  shape();
  const create = doing(
    t("matches_create"),
    async () => {
      const swiss = format.value === "swiss";
      await post("contest", {
        section: letter.value,
        name: name.value,
        size: Number(size.value),
        format: format.value,
        boards: Number(boards.value),
        comparison: comparison.value,
        regulation: regulation.value,
        ...(swiss
          ? { rounds: Number(rounds.value), first: first.value, odd: bye.box.checked ? "bye" : "ask" }
          : {}),
      });
      toast(t("saved"));
      fill(place);
      await draw();
    },
    { class: "primary" },
  );
  fill(
    place,
    h("h2", {}, t("matches_setup")),
    h(
      "details",
      { open: contests.length === 0 },
      h("summary", {}, t(contests.length === 0 ? "matches_setup_first" : "matches_setup_more")),
      h(
        "div",
        { class: "fields" },
        field(t("event_name"), name),
        field(t("matches_format"), format),
        field(t("matches_comparison"), comparison),
        field(t("matches_size"), size),
        roundsField,
        field(t("matches_boards"), boards),
        field(t("matches_regulation"), regulation),
        firstField,
        field(t("section"), letter),
      ),
      bye.label,
      h("div", { class: "buttons" }, create),
    ),
  );
}

function contestCard(contest, draw) {
  const director = document.body.dataset.role === "director";
  const asked = `?paper=${localStorage.getItem("paper") ?? "a4"}&language=${currentLanguage()}`;
  const print = (name) => [
    h("a", { class: "button", href: `/print/${name}${asked}`, target: "_blank" }, t(`to_print_${name}`)),
    h(
      "a",
      {
        class: "button",
        href: `/print/${name}.pdf${asked}`,
        target: "_blank",
        "aria-label": `${t(`print_${name}`)}, ${t("as_pdf")}`,
      },
      t("as_pdf"),
    ),
  ];
  return h(
    "section",
    { class: "card", id: `matches-${contest.section}` },
    h("h2", {}, `${contest.section} ${contest.name}`),
    h("p", { class: "next-step", role: "status" }, h("b", {}, t("next_step")), " ", said(contest.next_step)),
    h(
      "div",
      { class: "buttons" },
      director &&
        contest.next_round &&
        doing(t("draw_round", { n: contest.next_round }), () => propose(contest, draw), { class: "primary" }),
      print("standing"),
      print("draw"),
    ),
    contest.rounds.length > 0 && standing(contest),
    contest.rounds
      .slice()
      .reverse()
      .map((round, at) => roundOf(contest, round, at === 0, director, draw)),
    director && contest.rounds.length > 0 && leaving(contest, draw),
  );
}

function standing(contest) {
  const ties = contest.standing[0]?.ties.map((tie) => tie.name) ?? [];
  const number = (value) => h("td", { class: "number" }, value);
  return tableOf(
    t("standing"),
    [
      numeric(t("place")),
      numeric(t("number")),
      t("names"),
      numeric(t("vps")),
      wide(numeric(t("matches_played"))),
      wide(numeric(t("penalties_vp"))),
      ...ties.map((tie) => wide(numeric(said(tie)))),
    ],
    contest.standing.map((line) => [
      number(line.place),
      number(line.contestant),
      h(
        "td",
        {},
        namesOf(line.name),
        line.withdrawn && [" ", h("span", { class: "tag" }, t("gone_home"))],
        line.decided_by && [
          " ",
          h("small", { class: "quiet" }, t("decided_by", { what: said(line.decided_by) })),
        ],
      ),
      number(h("b", {}, decimal(line.vp, 2))),
      wide(number(line.matches)),
      wide(number(line.penalties ? decimal(line.penalties, 2) : "")),
      ...line.ties.map((tie) => wide(number(said(tie.value)))),
    ]),
  );
}

function roundOf(contest, round, open, director, draw) {
  const side = (own) => [
    h("td", {}, `${own.contestant} ${namesOf(own.name)}`),
    h("td", { class: "number" }, own.vp === null ? "" : decimal(own.vp, 2)),
  ];
  const rows = round.matches.map((own) => {
    const state = own.decision
      ? said(own.decision)
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
        own.rematch && [" ", h("span", { class: "tag" }, t("rematch"))],
        own.remarks.map((remark) => h("p", { class: "quiet" }, said(remark))),
      ),
      h(
        "td",
        {},
        doing(t("match_sheet"), () => matchSheet(contest, round.round, own.number, director, draw), {
          class: "small",
        }),
      ),
    ];
  });
  return h(
    "details",
    { open },
    h("summary", {}, t("round_boards", { n: round.round, boards: round.boards })),
    tableOf(
      t("round_n", { n: round.round }),
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
    round.bye && h("p", {}, t("has_bye", { who: `${round.bye.contestant} ${namesOf(round.bye.name)}` })),
    round.seed !== null &&
      h("p", { class: "quiet" }, t("drawn_with", { method: t(`method_${round.method}`), seed: round.seed })),
  );
}

async function propose(contest, draw) {
  const method = choice(
    [
      ["", t("method_planned")],
      ["swiss", t("method_swiss")],
      ["classical", t("method_classical")],
      ["danish", t("method_danish")],
    ],
    "",
  );
  const place = h("div", { "aria-live": "polite" });
  const ask = async () => {
    const proposal = await post("contest/draw/propose", {
      section: contest.section,
      round: contest.next_round,
      ...(method.value ? { method: method.value } : {}),
    });
    fill(
      place,
      proposal.unfinished.length > 0 &&
        h("p", { class: "refusal" }, t("draw_unfinished", { tables: proposal.unfinished.join(", ") })),
      tableOf(
        t("round_n", { n: proposal.round }),
        [numeric(t("match")), t("home"), t("away"), ""],
        proposal.matches.map((own) => [
          h("td", { class: "number" }, own.table),
          `${own.home} ${namesOf(own.home_name)}`,
          `${own.away} ${namesOf(own.away_name)}`,
          own.rematch ? t("rematch") : "",
        ]),
      ),
      proposal.bye && h("p", {}, t("has_bye", { who: proposal.bye })),
      proposal.reasons.length > 0 &&
        h(
          "details",
          {},
          h("summary", {}, t("draw_why")),
          h(
            "ul",
            {},
            proposal.reasons.map((reason) => h("li", {}, said(reason))),
          ),
        ),
      proposal.otherwise.length > 0 &&
        h(
          "p",
          { class: "quiet" },
          t("draw_otherwise", {
            method: t(`method_${proposal.other_method}`),
            matches: proposal.otherwise.join(", "),
          }),
        ),
      h(
        "div",
        { class: "buttons" },
        doing(
          t("draw_publish"),
          async () => {
            await post("contest/draw", {
              section: contest.section,
              round: proposal.round,
              matches: proposal.matches,
              bye: proposal.bye,
              allow_rematches: true,
              ...(proposal.seed === null ? {} : { seed: proposal.seed, method: proposal.method }),
            });
            closeDialog();
            toast(t("draw_published"));
            await draw();
          },
          { class: "primary" },
        ),
        doing(t("draw_again"), ask),
      ),
    );
  };
  method.addEventListener("change", () =>
    ask().catch((refusal) => fill(place, h("p", { class: "refusal", role: "alert" }, refusal.message))),
  );
  await ask();
  openDialog(t("draw_round", { n: contest.next_round }), [field(t("draw_method"), method), place]);
}

function leaving(contest, draw) {
  const who = choice(
    contest.standing
      .filter((line) => !line.withdrawn)
      .map((line) => [line.contestant, `${line.contestant} ${namesOf(line.name)}`]),
    "",
  );
  const matches = choice(
    [
      ["stand", t("withdraw_stand")],
      ["cancelled", t("withdraw_cancelled")],
    ],
    "stand",
  );
  const why = h("input", { maxlength: 200 });
  const go = doing(t("withdraw"), async () => {
    await post("contest/withdraw", {
      section: contest.section,
      contestant: Number(who.value),
      matches: matches.value,
      why: why.value,
    });
    toast(t("done"));
    await draw();
  });
  return h(
    "details",
    {},
    h("summary", {}, t("withdraw_title")),
    h(
      "div",
      { class: "fields" },
      field(t("withdraw_who"), who),
      field(t("withdraw_matches"), matches),
      field(t("why"), why),
    ),
    h("div", { class: "buttons" }, go),
  );
}
