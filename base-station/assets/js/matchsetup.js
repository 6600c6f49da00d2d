// Setting matches up: a new event, or a further night of one that has begun.

import { get, post } from "./api.js";
import { choice, field, fill, h, tick, toast } from "./dom.js";
import { doing } from "./dialog.js";
import { room } from "./live.js";
import { fromStage } from "./matchfield.js";
import { REGULATIONS, regulationWords, singleRules } from "./matchrules.js";
import { t } from "./text.js";

const TEAMS = ["teams-imps", "board-a-match"];

/** What an event is called unless somebody writes a name: of pairs, of teams. */
const NAMES = {
  swiss: ["matches_name_swiss_pairs", "matches_name_swiss_teams"],
  "round-robin": ["matches_name_round_robin_pairs", "matches_name_round_robin_teams"],
  "butler-chart": ["matches_name_butler_chart", "matches_name_round_robin_teams"],
  "american-whist": ["matches_name_whist", "matches_name_whist"],
  "head-to-head": ["matches_name_match_pairs", "matches_name_match_teams"],
  "two-fields": ["matches_name_two_fields", "matches_name_two_fields"],
  movement: ["matches_name_movement", "matches_name_swiss_teams"],
};

/** How many there usually are, and boards of a match: of pairs, of teams. */
const usual = (size, boards) => ({ size, boards });
const USUAL = {
  swiss: [usual(22, 9), usual(8, 8)],
  "round-robin": [usual(8, 3), usual(8, 8)],
  "butler-chart": [usual(14, 8), usual(8, 8)],
  "american-whist": [usual(7, 7), usual(7, 7)],
  "head-to-head": [usual(2, 12), usual(2, 12)],
  "two-fields": [usual(20, 12), usual(20, 12)],
  movement: [usual(22, 9), usual(8, 8)],
};

/**
 * Pairs or teams as people write them, one a line: `Ann Ace, Bob Bee` or
 * `Eagles: Ann, Bob, Cleo, Dan`, and behind it what is special: `(table 3)`, `(not 5 7)`,
 * `(club North)`, `(yellow)`, `(carry 3.5)`: what it brings along, in IMPs where `imps` says so.
 */
export function entriesOf(text, imps = false) {
  const lines = text
    .split("\n")
    .map((line) => line.trim())
    .filter((line) => line !== "");
  return lines.map((line, at) => {
    const entry = { number: at + 1 };
    const rest = line.replace(/\(([^)]*)\)/g, (_, special) => {
      const [, what, value] = /^\s*(\S+)\s*(.*)$/.exec(special) ?? [];
      if (what === "table" || what === t("entry_table")) entry.stationary = Number(value);
      else if (what === "not" || what === t("entry_not")) entry.forbidden = value.split(/[\s,]+/).map(Number);
      else if (what === "club" || what === t("entry_club")) entry.club = value.trim();
      else if (what === "yellow" || what === t("entry_yellow")) entry.seats_first = true;
      else if (what === "carry" || what === t("entry_carry"))
        entry[imps ? "carry_imps" : "carry_over"] = Number(value.trim().replace(",", "."));
      else entry.unknown = [...(entry.unknown ?? []), `(${special})`];
      return "";
    });
    const [, name, players] = /^(?:([^:]*):)?(.*)$/.exec(rest) ?? [];
    entry.name = (name ?? "").trim();
    entry.players = (players ?? "")
      .split(/[,;]/)
      .map((player) => player.trim())
      .filter((player) => player !== "");
    return entry;
  });
}

/** The forms. */
export function setUp(place, contests, draw) {
  const letter = String.fromCharCode(65 + (room.view.session?.sections.length ?? 0));
  const done = async () => {
    toast(t("saved"));
    fill(place);
    await draw();
  };
  fill(
    place,
    h("h2", {}, t("matches_setup")),
    h(
      "details",
      { open: contests.length === 0 },
      h("summary", {}, t(contests.length === 0 ? "matches_setup_first" : "matches_setup_more")),
      newEvent(letter, done),
    ),
    h("details", {}, h("summary", {}, t("matches_continue")), furtherNight(letter, done)),
  );
}

function newEvent(freeLetter, done) {
  const name = h("input", { maxlength: 60 });
  let named = false;
  name.addEventListener("input", () => (named = name.value !== ""));
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
  const format = choice(
    [
      ["swiss", t("matches_swiss")],
      ["round-robin", t("matches_round_robin")],
      ["butler-chart", t("matches_butler_chart")],
      ["american-whist", t("matches_whist")],
      ["head-to-head", t("matches_head_to_head")],
      ["two-fields", t("matches_two_fields")],
      ["movement", t("matches_movement")],
    ],
    "swiss",
  );
  const size = h("input", { type: "number", min: 2, max: 400, value: 22 });
  const rounds = h("input", { type: "number", min: 1, max: 30, value: 3 });
  const nights = h("input", { type: "number", min: 1, max: 30, value: 1 });
  const boards = h("input", { type: "number", min: 1, max: 64, value: 9 });
  const regulation = choice(
    REGULATIONS.map(([value, key]) => [value, t(key)]),
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
  const odd = choice(
    [
      ["bye", t("odd_bye")],
      ["triangle", t("odd_triangle")],
      ["short-triangle", t("odd_short_triangle")],
    ],
    "bye",
  );
  const rules = singleRules();
  const words = regulationWords(rules.shows);
  const stage = fromStage();
  const letter = h("input", { maxlength: 1, value: freeLetter });
  const entries = h("textarea", { rows: 6, spellcheck: "false" });
  const shown = tick(t("matches_other_table"), false);
  const seeded = tick(t("matches_seeded"), false);
  // What somebody has typed stays.
  const typed = new Set();
  const fields = {
    rounds: field(t("rounds_tonight"), rounds),
    nights: field(t("matches_nights"), nights),
    first: field(t("matches_first"), first),
    odd: field(t("matches_odd"), odd),
    size: field(t("matches_size"), size),
    boards: field(t("matches_boards"), boards),
    format: field(t("matches_format"), format),
  };
  // Its choices are sentences.
  fields.format.classList.add("long");
  const count = () => stage.size() || entriesOf(entries.value).length || Number(size.value);
  const shape = () => {
    const [teams, swiss] = [TEAMS.includes(comparison.value), format.value === "swiss"];
    const known = USUAL[format.value][teams ? 1 : 0];
    if (!typed.has(size)) size.value = String(known.size);
    if (!typed.has(boards)) boards.value = String(known.boards);
    const isOdd = count() % 2 === 1;
    if (!named) name.value = t(NAMES[format.value][teams ? 1 : 0]);
    for (const option of format.options)
      option.hidden = ["butler-chart", "two-fields", "movement"].includes(option.value)
        ? teams
        : option.value === "american-whist" && !teams;
    for (const option of odd.options)
      option.hidden =
        option.value === "short-triangle" ? !(teams && swiss) : option.value !== "bye" && !teams;
    if (odd.selectedOptions[0]?.hidden) odd.value = "bye";
    // A chart is played to its end unless somebody says otherwise.
    rounds.placeholder = swiss ? "" : t("rounds_all");
    fields.first.hidden = !swiss;
    fields.odd.hidden = !isOdd || !(swiss || (format.value === "round-robin" && teams));
    shown.label.hidden = !teams;
    seeded.label.hidden = format.value !== "butler-chart";
    size.disabled = stage.size() > 0 || entriesOf(entries.value).length > 0;
    // A movement knows who plays how many boards in how many rounds.
    const movement = format.value === "movement";
    for (const own of [fields.size, fields.rounds, fields.boards]) own.hidden = movement;
    const stanzas = format.value === "head-to-head";
    fields.nights.hidden = movement;
    rules.shape({ teams, swiss, stanzas });
    words.ask({
      regulation: regulation.value,
      comparison: comparison.value,
      // A match in stanzas has the boards of all of them, on all nights.
      boards: String(
        Number(boards.value) *
          (stanzas ? Math.max(1, Number(rounds.value)) * Math.max(1, Number(nights.value)) : 1),
      ),
      stanzas: String(stanzas),
    });
  };
  for (const control of [size, boards]) control.addEventListener("input", () => typed.add(control));
  for (const control of [format, size, comparison, entries, regulation, boards, rounds, nights, stage.fields])
    control.addEventListener("input", shape);
  format.addEventListener("input", () => {
    rounds.value = format.value === "swiss" ? "3" : format.value === "head-to-head" ? "2" : "";
    // Who scores a movement by matches means the one that is there.
    const known = room.view.session?.sections.map((section) => section.letter ?? "A") ?? [];
    letter.value = format.value === "movement" ? (known[0] ?? "A") : freeLetter;
  });
  shape();
  const create = doing(
    t("matches_create"),
    async () => {
      const who = entriesOf(entries.value, format.value === "head-to-head");
      const unknown = who.flatMap((one) => one.unknown ?? []);
      if (unknown.length > 0) throw new Error(t("entry_unknown", { what: unknown.join(", ") }));
      const isOdd = count() % 2 === 1;
      await post("contest", {
        section: letter.value,
        name: name.value,
        format: format.value,
        ...(format.value === "movement" ? {} : { boards: Number(boards.value) }),
        ...stage.said(),
        ...(stage.size() > 0
          ? {}
          : who.length > 0
            ? { contestants: who }
            : format.value === "movement"
              ? {}
              : { size: Number(size.value) }),
        comparison: comparison.value,
        regulation: regulation.value,
        other_table_shown: shown.box.checked,
        ...(seeded.label.hidden ? {} : { seeded: seeded.box.checked }),
        ...(isOdd && !fields.odd.hidden ? { odd: odd.value } : {}),
        ...(rounds.value === "" || format.value === "movement" ? {} : { rounds: Number(rounds.value) }),
        ...(fields.nights.hidden ? {} : { nights: Number(nights.value) }),
        // "The first half" and "the last round" are those of the event.
        ...rules.said(Number(rounds.value) * (fields.nights.hidden ? 1 : Number(nights.value))),
        ...(format.value === "swiss" ? { first: first.value } : {}),
      });
      await done();
    },
    { class: "primary" },
  );
  return [
    h(
      "div",
      { class: "fields" },
      field(t("event_name"), name),
      field(t("matches_comparison"), comparison),
      fields.format,
      fields.size,
      fields.rounds,
      fields.nights,
      fields.boards,
      field(t("matches_regulation"), regulation),
      fields.first,
      fields.odd,
      field(t("section"), letter),
    ),
    field(t("matches_entries"), entries, t("matches_entries_hint")),
    seeded.label,
    stage.fields,
    shown.label,
    words.fields,
    rules.fields,
    h("div", { class: "buttons" }, create),
  ];
}

function furtherNight(freeLetter, done) {
  const sessions = h("select", {});
  const from = h("input", { maxlength: 1, value: "A" });
  const letter = h("input", { maxlength: 1, value: freeLetter });
  const fillIn = async () => {
    const known = (await get("calendar")).sessions.filter((one) => !one.chosen);
    fill(
      sessions,
      known.reverse().map((one) => h("option", { value: one.id }, `${one.date} ${one.event} ${one.title}`)),
    );
  };
  fillIn().catch(() => {});
  const go = doing(t("matches_continue_go"), async () => {
    await post("contest/continue", {
      section: letter.value,
      from_session: Number(sessions.value),
      from_section: from.value,
    });
    await done();
  });
  return [
    h("p", {}, t("matches_continue_text")),
    h(
      "div",
      { class: "fields" },
      field(t("matches_continue_from"), sessions),
      field(t("matches_continue_section"), from),
      field(t("section"), letter),
    ),
    h("div", { class: "buttons" }, go),
  ];
}
