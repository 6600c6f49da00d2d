// What the director says about a competition: who entered, who sat in for whom, handicaps, categories.

import { get, post, put } from "./api.js";
import { numberOf } from "./competitionrules.js";
import { choice, field, fill, h, numeric, table as tableOf, tick, toast } from "./dom.js";
import { doing } from "./dialog.js";
import { sayPutBack } from "./done.js";
import { day, decimal, t } from "./text.js";

/** An input for a player, which suggests the names of the club's list as they are typed. */
function playerInput() {
  const list = h("datalist", { id: `players-${(lists += 1)}` });
  const input = h("input", { list: list.id, maxlength: 60, autocomplete: "off" });
  input.addEventListener("input", async () => {
    if (input.value.trim().length < 2) return;
    const { members } = await get(`members?search=${encodeURIComponent(input.value)}`);
    fill(
      list,
      members.map((one) => h("option", { value: one.name }, one.written)),
    );
  });
  return { input, list };
}
let lists = 0;

/** A button that saves; where `action` answers with how to put back what was there, so can the director. */
function saving(label, action, draw) {
  return doing(
    label,
    async () => {
      const done = await action();
      await draw();
      if (!done) return toast(t("saved"));
      return sayPutBack(`${t("saved")} ${done.said}`, async () => {
        await done.putBack();
        await draw();
      });
    },
    { class: "primary" },
  );
}

/** Pairs that entered, and one more. */
export function entries(view, draw) {
  const [one, other] = [playerInput(), playerInput()];
  const send = async (entry, changed) => {
    const { number, players, withdrawn, non_contending } = { ...entry, ...changed };
    await put(`competitions/${view.id}/entries/${number}`, { players, withdrawn, non_contending });
    await draw();
  };
  const change = (entry, changed) => async () => {
    await send(entry, changed);
    const word = t(changed.withdrawn ? "comp_withdraw" : "comp_readmit");
    sayPutBack(`${t("saved")} ${entry.number} ${entry.names}: ${word}`, () => send(entry, {}));
  };
  return h(
    "div",
    {},
    h(
      "ol",
      { class: "plain" },
      view.entries.map((entry) =>
        h(
          "li",
          { class: "section-line" },
          h(
            "span",
            {},
            `${entry.number} `,
            entry.names,
            entry.withdrawn && [" ", h("span", { class: "tag" }, t("gone_home"))],
          ),
          entry.withdrawn
            ? doing(t("comp_readmit"), change(entry, { withdrawn: false }))
            : doing(t("comp_withdraw"), change(entry, { withdrawn: true })),
        ),
      ),
    ),
    h(
      "div",
      { class: "fields" },
      field(t("comp_one_player"), one.input, t("comp_player_hint")),
      field(t("comp_other_player"), other.input, t("comp_player_hint")),
      one.list,
      other.list,
    ),
    h(
      "div",
      { class: "buttons" },
      saving(
        t("comp_enter_now"),
        () =>
          post(`competitions/${view.id}/entries`, { pairs: [[one.input.value, other.input.value]] }).then(
            () => null,
          ),
        draw,
      ),
    ),
  );
}

const AWAY = ["representing", "other-championship", "play-offs-day"];

/** Who sat in for a pair, or why it was away. */
export function notes(view, draw) {
  const pair = choice(
    view.entries
      .filter((entry) => !entry.withdrawn)
      .map((entry) => [entry.number, `${entry.number} ${entry.names}`]),
  );
  const session = choice(
    view.sessions.map((one) => [one.id, [day(one.date), one.event, one.title].filter(Boolean).join(" · ")]),
  );
  const what = choice(
    ["as-played", "played-by", ...AWAY, "nobody"].map((kind) => [kind, t(`comp_note_${kind}`)]),
    "played-by",
  );
  const [one, other] = [playerInput(), playerInput()];
  const excused = tick(t("comp_note_excused"), false);
  const players = h(
    "div",
    {},
    h(
      "div",
      { class: "fields" },
      field(t("comp_one_player"), one.input, t("comp_player_hint")),
      field(t("comp_other_player"), other.input, t("comp_player_hint")),
      one.list,
      other.list,
    ),
    excused.label,
  );
  const show = () => (players.hidden = what.value !== "played-by");
  what.addEventListener("change", show);
  show();
  const note = () => {
    if (what.value === "played-by")
      return {
        kind: "played-by",
        players: [one.input.value, other.input.value],
        excused: excused.box.checked,
      };
    if (AWAY.includes(what.value)) return { kind: "away", absence: what.value };
    return { kind: what.value };
  };
  return h(
    "div",
    {},
    h(
      "div",
      { class: "fields" },
      field(t("comp_note_pair"), pair),
      field(t("comp_note_session"), session),
      field(t("comp_note_what"), what),
    ),
    players,
    h(
      "div",
      { class: "buttons" },
      saving(
        t("save"),
        async () => {
          const [night, entry] = [Number(session.value), Number(pair.value)];
          const send = (said) => put(`competitions/${view.id}/notes`, { session: night, entry, note: said });
          const line = view.lines.find((one) => one.entry === entry);
          const before = line?.cells.find((one) => one.session === night)?.note;
          await send(note());
          // What was said earlier is told in words alone: it is said again, not put back.
          if (before || !line) return null;
          const said = `${line.names}: ${t(`comp_note_${what.value}`)}`;
          return { said, putBack: () => send({ kind: "as-played" }) };
        },
        draw,
      ),
    ),
  );
}

/** Handicaps by hand, and worked out from results. */
export function handicaps(view, draw) {
  const send = (handicaps) => put(`competitions/${view.id}/handicaps`, { handicaps });
  const set = async (handicaps, said) => {
    const before = handicaps.map(({ player }) => {
      const known = view.handicaps.find((one) => one.player === player || one.name === player);
      return { player, handicap: known?.handicap ?? null };
    });
    await send(handicaps);
    return { said, putBack: () => send(before) };
  };
  const who = playerInput();
  const handicap = h("input", { inputmode: "decimal" });
  const from = h("input", { type: "date" });
  const until = h("input", { type: "date" });
  const most = choice(
    [5, 9, 12].map((one) => [one, `±${one}`]),
    9,
  );
  const least = h("input", { type: "number", value: 3, min: 1, max: 366 });
  const shown = h("div");
  const workOut = async () => {
    const asked = new URLSearchParams({ most: most.value, sessions: least.value });
    if (from.value) asked.set("from", from.value);
    if (until.value) asked.set("until", until.value);
    const worked = await get(`players/handicaps?${asked}`);
    const lines = worked.handicaps;
    fill(
      shown,
      lines.length === 0
        ? h("p", {}, t("comp_handicap_nobody"))
        : [
            handicapTable(lines),
            saving(
              t("comp_handicap_take", { n: lines.length }),
              () =>
                set(
                  lines.map(({ player, handicap: worked }) => ({ player, handicap: worked })),
                  t("comp_handicaps"),
                ),
              draw,
            ),
          ],
    );
  };
  return h(
    "div",
    {},
    h("p", { class: "quiet" }, t("comp_handicaps_hint")),
    view.handicaps.length > 0 && handicapTable(view.handicaps),
    h("h3", {}, t("comp_handicap_by_hand")),
    h(
      "div",
      { class: "fields" },
      field(t("comp_one_player"), who.input, t("comp_player_hint")),
      field(t("comp_handicap_of"), handicap),
      who.list,
    ),
    h(
      "div",
      { class: "buttons" },
      saving(
        t("save"),
        () =>
          set(
            [{ player: who.input.value, handicap: numberOf(handicap.value) }],
            `${who.input.value}: ${handicap.value}`,
          ),
        draw,
      ),
    ),
    h("h3", {}, t("comp_handicap_work_out")),
    h(
      "div",
      { class: "fields" },
      field(t("comp_from"), from),
      field(t("comp_until"), until),
      field(t("comp_handicap_most"), most),
      field(t("comp_handicap_least"), least),
    ),
    h("div", { class: "buttons" }, doing(t("comp_handicap_show"), workOut)),
    shown,
  );
}

function handicapTable(lines) {
  const number = (value) => h("td", { class: "number" }, value);
  const worked = lines[0].mean !== undefined;
  return tableOf(
    t("comp_handicaps"),
    [
      t("names"),
      worked && numeric(t("comp_played")),
      worked && numeric(t("comp_mean")),
      numeric(t("comp_handicap_of")),
    ].filter(Boolean),
    lines.map((line) =>
      [
        line.name,
        worked && number(line.sessions),
        worked && number(decimal(line.mean, 2)),
        number(decimal(line.handicap, 2)),
      ].filter(Boolean),
    ),
  );
}

/** Categories or strata. */
export function groups(view, draw) {
  const { grouping } = view;
  const kind = choice(
    ["categories", "strata"].map((one) => [one, t(`comp_groups_${one}`)]),
    grouping.kind,
  );
  const names = h("input", { value: grouping.names.join(", ") });
  const players = h("textarea", {
    rows: 6,
    value: grouping.players.map(([player, name]) => `${player}: ${name}`).join("\n"),
  });
  return h(
    "div",
    {},
    h(
      "div",
      { class: "fields" },
      field(t("comp_kind"), kind),
      field(t("comp_groups_names"), names),
      field(t("comp_groups_players"), players),
    ),
    h(
      "div",
      { class: "buttons" },
      saving(
        t("save"),
        async () => {
          const send = (wanted) => put(`competitions/${view.id}/groups`, wanted);
          await send({
            kind: kind.value,
            names: listed(names.value, ","),
            players: playersOf(players.value),
          });
          return { said: t("comp_groups"), putBack: () => send(grouping) };
        },
        draw,
      ),
    ),
  );
}

const listed = (text, by) =>
  text
    .split(by)
    .map((one) => one.trim())
    .filter((one) => one !== "");

/** `1001: Seniors`, one a line. */
export function playersOf(text) {
  return listed(text, "\n").map((line) => {
    const at = line.lastIndexOf(":");
    return at < 0 ? [line, ""] : [line.slice(0, at).trim(), line.slice(at + 1).trim()];
  });
}
