// A knock-out: its picture, what comes next, and what the director says about a match.

import { get, post, put } from "./api.js";
import { afterResults, putAway, showCards } from "./cards.js";
import { choice, field, h, long, numeric, table as tableOf, tick, toast } from "./dom.js";
import { doing } from "./dialog.js";
import { sayPutBack } from "./done.js";
import { room } from "./live.js";
import { LEVELS, REGULATIONS } from "./matchrules.js";
import { done } from "./redraw.js";
import { currentLanguage, day, decimal, t } from "./text.js";

/** Shows a knock-out. */
export function knockOut(main, id) {
  let calendar = null;
  const read = async () => {
    const view = await get(`knockouts/${id}`);
    const director = document.body.dataset.role === "director";
    calendar ??= director ? (await get("calendar")).sessions : [];
    return { view, director };
  };
  // The director sees who leads as boards come in.
  return afterResults(
    showCards(main, read, ({ view, director }, _, draw) => cards(view, calendar, director, draw)),
  );
}

const number = (value) => h("td", { class: "number" }, value);

function cards(view, calendar, director, draw) {
  const paper = localStorage.getItem("paper") ?? "a4";
  const language = currentLanguage();
  const next = view.matches.filter((own) => own.ready);
  const settled = view.matches.filter((own) => !own.ready && (own.winner !== null || own.abandoned));
  const may = director && !view.away;
  return [
    h("p", {}, h("a", { href: "#/competitions" }, "‹ ", t("comp_way_back"))),
    h("h1", {}, view.name, view.away && [" ", h("span", { class: "tag" }, t("comp_is_away"))]),
    h(
      "section",
      { class: "card", id: "knock-out-next" },
      h("h2", {}, t("ko_next")),
      next.length === 0
        ? h("p", {}, t("ko_all_done"))
        : next.map((own) => matchOf(view, own, calendar, may, draw)),
    ),
    may && playing(view, draw),
    may && droppingIn(view, draw),
    h(
      "section",
      { class: "card" },
      h("h2", {}, t("ko_picture")),
      h(
        "div",
        { class: "scroll", tabindex: 0, role: "group", "aria-label": t("ko_picture") },
        // Drawn anew with every result; the words beside it say the same.
        h("img", {
          class: "bracket",
          src: `/knockouts/${view.id}/picture.svg?language=${language}&at=${Date.now()}`,
          alt: "",
        }),
      ),
      view.places.length > 0 &&
        tableOf(
          t("standing"),
          [numeric(t("place")), t("names")],
          view.places.map((one) => [number(one.place), one.name]),
        ),
      h(
        "div",
        { class: "buttons" },
        h(
          "a",
          {
            class: "button",
            href: `/print/knockouts/${view.id}?paper=${paper}&language=${language}`,
            target: "_blank",
          },
          t("comp_print"),
        ),
        h("a", { class: "button", href: `/knockouts/${view.id}`, target: "_blank" }, t("comp_public")),
      ),
    ),
    settled.length > 0 &&
      h(
        "section",
        { class: "card" },
        h("h2", {}, t("ko_decided_matches")),
        settled.map((own) => matchOf(view, own, calendar, may, draw)),
      ),
    director && h("div", { class: "buttons" }, putAway(view, `knockouts/${view.id}`, draw)),
  ];
}

function matchOf(view, own, calendar, may, draw) {
  const [one, other] = own.sides;
  const called = t("ko_match_n", { n: own.number });
  const send = (body) => put(`knockouts/${view.id}/matches/${own.number}`, body);
  const settle = (body) => async () => {
    const said = body();
    await send(said);
    sayPutBack(`${t("saved")} ${called}: ${settledAs(own, said)}`, async () => {
      for (const step of asBefore(own)) await send(step);
      await draw();
    });
    // What is half typed about another match stays.
    done(document.getElementById(`match-${own.number}`));
    await draw();
  };
  const leader = own.margin > 0 ? one : other;
  return h(
    "details",
    { id: `match-${own.number}`, "data-key": `match-${own.number}`, "data-keep": true },
    h("summary", {}, `${called}: ${one.name} ${t("against")} ${other.name}`, " ", outcome(own)),
    own.margin !== null &&
      (own.level
        ? h("p", {}, t("ko_level"))
        : own.margin !== 0 &&
          h("p", {}, t("ko_leads", { name: leader.name, imps: decimal(Math.abs(own.margin), 0) }))),
    own.goes_on && h("p", {}, t("ko_goes_on")),
    own.why && h("p", { class: "quiet" }, own.why),
    own.otherwise && h("p", {}, "⚑ ", own.otherwise),
    may && byHand(own, settle),
    may && playedIn(own, calendar, settle),
    may &&
      (own.winner !== null || own.abandoned || own.at.length > 0) &&
      h(
        "div",
        { class: "buttons" },
        doing(
          t("ko_open_again"),
          settle(() => ({ kind: "open" })),
        ),
      ),
  );
}

/** What was said about a match, in the words of its buttons. */
function settledAs(own, { kind, side }) {
  if (kind === "won") return t("ko_won", { name: own.sides[side - 1].name });
  const words = { abandoned: "ko_abandoned", "played-at": "ko_take_boards", open: "ko_open_again" };
  return t(words[kind]);
}

/** What makes a match again what it is now, step by step. */
function asBefore(own) {
  const word =
    (own.abandoned && { kind: "abandoned", why: own.why ?? "" }) ||
    (own.why !== null && own.winner !== null && { kind: "won", side: own.winner + 1, why: own.why });
  if (own.at.length === 0) return [word || { kind: "open" }];
  return [{ kind: "played-at", at: own.at, goes_on: own.goes_on }, word || { kind: "by-boards" }];
}

function outcome(own) {
  if (own.abandoned) return h("span", { class: "tag" }, t("ko_abandoned"));
  if (own.winner === null) return null;
  return h("span", { class: "tag good" }, "✓ ", t("ko_won", { name: own.sides[own.winner].name }));
}

function byHand(own, settle) {
  const why = h("input", { maxlength: 200 });
  const won = (side) =>
    doing(
      t("ko_won", { name: own.sides[side].name }),
      settle(() => ({ kind: "won", side: side + 1, why: why.value })),
    );
  return h(
    "div",
    {},
    field(t("ko_why"), why, t("ko_why_hint")),
    h(
      "div",
      { class: "buttons" },
      won(0),
      won(1),
      doing(
        t("ko_abandon"),
        settle(() => ({ kind: "abandoned", why: why.value })),
      ),
    ),
  );
}

function playedIn(own, calendar, settle) {
  const [part] = own.at;
  const session = choice(
    calendar.map((one) => [one.id, [day(one.date), one.event, one.title].filter(Boolean).join(" · ")]),
    part?.session,
  );
  const section = h("input", { value: part?.section ?? "A", maxlength: 1, size: 2 });
  const numbers = [0, 1].map((at) =>
    h("input", {
      type: "number",
      min: 1,
      value: part?.contestants[at] ?? at + 1,
      "aria-label": own.sides[at].name,
    }),
  );
  const goesOn = tick(t("ko_further_part"), own.goes_on);
  const parts = () => ({
    session: Number(session.value),
    section: section.value,
    contestants: numbers.map((input) => Number(input.value)),
  });
  return h(
    "div",
    {},
    h(
      "div",
      { class: "fields" },
      long(field(t("ko_played_in"), session)),
      field(t("ko_section"), section),
      field(`${t("ko_their_numbers")}: ${own.sides[0].name}`, numbers[0]),
      field(`${t("ko_their_numbers")}: ${own.sides[1].name}`, numbers[1]),
    ),
    goesOn.label,
    h(
      "div",
      { class: "buttons" },
      doing(
        t("ko_take_boards"),
        settle(() => {
          // Further parts of a match that was begun in another session stay.
          const now = parts();
          const others = own.at.filter((one) => one.session !== now.session || one.section !== now.section);
          return { kind: "played-at", at: [...others, now], goes_on: goesOn.box.checked };
        }),
      ),
    ),
  );
}

/** Matches that can be played tonight, and the form that sets a section up for them. */
function playing(view, draw) {
  const free = view.matches.filter((own) => own.ready && (own.at.length === 0 || own.goes_on));
  if (free.length === 0 || !room.view.session) return null;
  const ticks = free.map((own) => ({
    own,
    ...tick(
      `${t("ko_match_n", { n: own.number })}: ${own.sides[0].name} ${t("against")} ${own.sides[1].name}`,
      true,
    ),
  }));
  const number = (value, max) => h("input", { type: "number", min: 1, max, value });
  const [stanzas, boards, first] = [number(2, 8), number(12, 64), number(1, 127)];
  const taken = room.view.session.sections.length;
  const section = h("input", { maxlength: 1, value: String.fromCharCode(65 + taken) });
  const regulation = choice(
    REGULATIONS.map(([value, key]) => [value, t(key)]),
    REGULATIONS[0][0],
  );
  const level = choice(
    [["", t("rules_as_regulation")], ...LEVELS.map(([value, key]) => [value, t(key)])],
    "",
  );
  const goesOn = tick(t("ko_further_part"), false);
  const oneSet = tick(t("rules_one_set"), false);
  const go = doing(
    t("ko_play_go"),
    async () => {
      await post(`knockouts/${view.id}/play`, {
        section: section.value,
        matches: ticks.filter((one) => one.box.checked).map((one) => one.own.number),
        stanzas: Number(stanzas.value),
        boards: Number(boards.value),
        first_board: Number(first.value),
        regulation: regulation.value,
        ...(level.value === "" ? {} : { level: level.value }),
        goes_on: goesOn.box.checked,
        one_set: oneSet.box.checked,
      });
      toast(t("done"));
      const form = document.getElementById("knock-out-play");
      if (form) done(form);
      await draw();
    },
    { class: "primary" },
  );
  return h(
    "section",
    { class: "card", id: "knock-out-play", "data-key": "knock-out-play", "data-keep": true },
    h("h2", {}, t("ko_play")),
    h("p", { class: "hint" }, t("ko_play_hint")),
    ticks.map((one) => one.label),
    h(
      "div",
      { class: "fields" },
      field(t("section"), section),
      field(t("ko_stanzas"), stanzas),
      field(t("ko_boards"), boards),
      field(t("ko_first_board"), first),
      field(t("matches_regulation"), regulation),
      field(t("rules_level"), level),
    ),
    goesOn.label,
    oneSet.label,
    h("div", { class: "buttons" }, go, h("a", { class: "button", href: "#/matches" }, t("page_matches"))),
  );
}

/** Those who lost in a round drop into the Swiss beside it. */
function droppingIn(view, draw) {
  const over = [...new Set(view.matches.map((own) => own.stage))].filter((stage) =>
    view.matches
      .filter((own) => own.stage === stage)
      .every((own) => own.bye || own.winner !== null || own.abandoned),
  );
  const sections = room.view.session?.sections ?? [];
  if (over.length === 0 || sections.length === 0) return false;
  const round = choice(over.map((stage) => [String(stage), t("ko_drop_round", { n: stage })]).reverse());
  const section = choice(sections.map((one) => [one.letter, one.letter]));
  const entry = choice([
    ["", t("carry_nothing")],
    ["gnot2006", t("ko_entry_gnot2006")],
    ["gnot2012", t("ko_entry_gnot2012")],
  ]);
  const apart = tick(t("ko_drop_apart"), false);
  const why = h("input", { maxlength: 200, value: t("ko_drop_why") });
  return h(
    "details",
    { class: "card", id: "knock-out-drop", "data-key": "knock-out-drop", "data-keep": true },
    h("summary", {}, t("ko_drop")),
    h("p", { class: "hint" }, t("ko_drop_hint")),
    h(
      "div",
      { class: "fields" },
      field(t("ko_drop_who"), round),
      field(t("section"), section),
      field(t("ko_drop_entry"), entry),
      field(t("why"), why),
    ),
    apart.label,
    h(
      "div",
      { class: "buttons" },
      doing(
        t("ko_drop_go"),
        async () => {
          const dropped = await post(`knockouts/${view.id}/drop-in`, {
            section: section.value,
            round: Number(round.value),
            ...(entry.value === "" ? {} : { entry: entry.value }),
            apart: apart.box.checked,
            why: why.value,
          });
          toast(dropped.contestants.map((one) => `${one.number} ${one.name}`).join(", "));
          await draw();
        },
        { class: "primary" },
      ),
    ),
  );
}
