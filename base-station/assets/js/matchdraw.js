// A draw before it is published: by its rule, changed by hand, or made again with a reason.

import { post } from "./api.js";
import { choice, field, fill, h, numeric, table as tableOf, tick, toast } from "./dom.js";
import { closeDialog, doing, openDialog } from "./dialog.js";
import { decimal, t } from "./text.js";

/** Proposes the draw of a round; `again` where one is published already. */
export async function propose(contest, round, changed, again = false) {
  const swiss = contest.format === "swiss";
  const method = choice(
    [
      ["", t("method_planned")],
      ["swiss", t("method_swiss")],
      ["classical", t("method_classical")],
      ["danish", t("method_danish")],
      ["drop-ins", t("method_drop_ins")],
    ],
    "",
  );
  const why = h("input", { maxlength: 200 });
  const place = h("div", { "aria-live": "polite" });
  // What is published is drawn as it was asked for.
  const wished = () =>
    method.value === "drop-ins" ? { drop_ins: true } : method.value ? { method: method.value } : {};
  const ask = async () => {
    const asked = wished();
    const proposal = await post("contest/draw/propose", { section: contest.section, round, ...asked });
    show(place, contest, proposal, { ask, asked, why, again, changed });
  };
  const refused = (refusal) => fill(place, h("p", { class: "refusal", role: "alert" }, refusal.message));
  method.addEventListener("change", () => ask().catch(refused));
  await ask();
  openDialog(t("draw_round", { n: round + contest.rounds_before }), [
    swiss && field(t("draw_method"), method),
    again && field(t("draw_why_again"), why),
    place,
  ]);
}

// What can be chosen by hand, each with who is there: home and away of every match, who sits out, and
// the three of a triangle that begins.
function placesOf(drawn) {
  const sides = drawn.seats.flatMap((own) => [
    { of: own, at: "home" },
    { of: own, at: "away" },
  ]);
  const three = drawn.triangle.map((_, at) => ({ of: drawn.triangle, at }));
  return [...sides, ...(drawn.bye ? [{ of: drawn, at: "bye" }] : []), ...three];
}

// Who can't move takes the match along to its table.
function keepTables(contest, seats) {
  for (const entry of contest.entries.filter((one) => one.stationary)) {
    const own = seats.find((one) => one.home === entry.contestant || one.away === entry.contestant);
    const there = seats.find((one) => one.table === entry.stationary);
    if (!own || !there || own === there) continue;
    [own.table, there.table] = [there.table, own.table];
  }
  seats.sort((one, other) => one.table - other.table);
}

function show(place, contest, proposal, { ask, asked, why, again, changed }) {
  const name = new Map(
    contest.entries.map((entry) => [entry.contestant, `${entry.contestant} ${entry.name}`]),
  );
  // By hand: whoever is chosen changes places with the one who was there.
  let byHand = false;
  const drawn = {
    seats: proposal.matches.map((own) => ({ ...own })),
    bye: proposal.bye,
    triangle: proposal.triangle_goes_on ? [] : [...proposal.triangle],
  };
  const { seats } = drawn;
  const everybody = placesOf(drawn).map((one) => one.of[one.at]);
  const allow = tick(t("draw_allow_repeats"), false);
  allow.label.hidden = true;
  const chosen = (of, at, label) => {
    const select = choice(
      everybody.map((number) => [number, name.get(number)]),
      of[at],
      { "aria-label": label },
    );
    select.addEventListener("change", () => {
      const wanted = Number(select.value);
      const there = placesOf(drawn).find((one) => one.of[one.at] === wanted);
      there.of[there.at] = of[at];
      of[at] = wanted;
      keepTables(contest, seats);
      table();
    });
    return select;
  };
  const seat = (own, side) => chosen(own, side, `${t("table")} ${own.table}, ${t(side)}`);
  const list = h("div", {});
  const table = () =>
    fill(
      list,
      seats.length > 0 &&
        tableOf(
          t("round_n", { n: proposal.round + contest.rounds_before }),
          [numeric(t("match")), t("home"), t("away"), ""],
          seats.map((own, at) => [
            h("td", { class: "number" }, own.table),
            byHand ? seat(own, "home") : name.get(own.home),
            byHand ? seat(own, "away") : name.get(own.away),
            byHand
              ? ""
              : [
                  proposal.matches[at].rematch && t("rematch"),
                  proposal.certain?.includes(own.table) && t("draw_is_certain"),
                ]
                  .filter(Boolean)
                  .join(", "),
          ]),
        ),
      byHand && drawn.bye && field(t("draw_bye"), chosen(drawn, "bye", t("draw_bye"))),
      byHand &&
        drawn.triangle.length > 0 &&
        h(
          "div",
          { class: "fields" },
          drawn.triangle.map((_, at) =>
            field(
              `${t("draw_triangle")} ${at + 1}`,
              chosen(drawn.triangle, at, `${t("draw_triangle")} ${at + 1}`),
            ),
          ),
        ),
    );
  table();
  const certain = proposal.certain?.length ?? 0;
  const all = certain === proposal.matches.length && !proposal.bye;
  const publishCertain = doing(t("draw_publish_certain"), async () => {
    await post("contest/draw", {
      section: contest.section,
      round: proposal.round,
      seed: proposal.seed,
      ...asked,
      certain_only: true,
    });
    closeDialog();
    toast(t("draw_published"));
    await changed();
  });
  const publish = doing(
    t("draw_publish"),
    async () => {
      const written =
        contest.format === "american-whist"
          ? {}
          : {
              matches: seats,
              bye: drawn.bye,
              ...(drawn.triangle.length > 0 ? { triangle: drawn.triangle } : {}),
            };
      const lots = proposal.seed === null ? {} : { seed: proposal.seed };
      await post("contest/draw", {
        section: contest.section,
        round: proposal.round,
        ...asked,
        ...written,
        ...lots,
        ...(allow.box.checked ? { allow_rematches: true } : {}),
        ...(again ? { why: why.value } : {}),
      });
      closeDialog();
      toast(t("draw_published"));
      await changed();
    },
    { class: "primary" },
  );
  const hand = doing(t("draw_by_hand"), () => {
    byHand = true;
    allow.label.hidden = false;
    table();
    hand.hidden = true;
    list.querySelector("select")?.focus();
  });
  const halves = proposal.halves.map((half) => [
    h("td", { class: "number" }, half.table),
    name.get(half.ns),
    name.get(half.ew),
    half.boards,
  ]);
  fill(
    place,
    proposal.unfinished.length > 0 &&
      h(
        "p",
        { class: "refusal", id: "draw-early" },
        t("draw_unfinished", { tables: proposal.unfinished.join(", ") }),
        " ",
        proposal.certain === null
          ? t("draw_not_proved")
          : all
            ? t("draw_all_certain")
            : t("draw_certain", { n: certain }),
      ),
    list,
    halves.length > 0 &&
      tableOf(
        t("match_halves"),
        [numeric(t("table")), t("north_south"), t("east_west"), t("boards")],
        halves,
      ),
    allow.label,
    proposal.bye && h("p", {}, t("has_bye", { who: name.get(proposal.bye) })),
    proposal.reasons.length > 0 &&
      h(
        "details",
        {},
        h("summary", {}, t("draw_why")),
        h(
          "ul",
          {},
          proposal.reasons.map((reason) => h("li", {}, reason)),
        ),
      ),
    proposal.standing.length > 0 &&
      h(
        "details",
        {},
        h("summary", {}, t("draw_standing")),
        tableOf(
          t("draw_standing"),
          [numeric(t("place")), t("names"), numeric(t("vps"))],
          proposal.standing.map((line) => [
            h("td", { class: "number" }, line.place),
            name.get(line.contestant),
            h("td", { class: "number" }, decimal(line.vp, 2)),
          ]),
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
      publish,
      certain > 0 && !all && proposal.seed !== null && publishCertain,
      proposal.seed !== null && doing(t("draw_again"), ask),
      seats.length > 1 && hand,
    ),
  );
}
