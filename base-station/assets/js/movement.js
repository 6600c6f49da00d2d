// Changes of the movement in mid-session: what is possible, what it means for whom, doing it.

import { get, post } from "./api.js";
import { choice, field, fill, h, table as tableOf, toast } from "./dom.js";
import { closeDialog, doing, openDialog } from "./dialog.js";
import { sayDone } from "./done.js";
import { span } from "./grid.js";
import { room } from "./live.js";
import { pairTyped } from "./pairs.js";
import { redraw } from "./redraw.js";
import { t } from "./text.js";

/** Shows what can be done to a section's movement now. */
export function show(main, [wanted]) {
  const sections = room.view.session?.sections ?? [];
  if (document.body.dataset.role !== "director" || sections.length === 0) {
    fill(main, h("p", { class: "empty" }, sections.length ? t("director_only") : t("nothing_yet")));
    return null;
  }
  const select = choice(
    sections.map(({ letter, colour }) => [letter, `${letter} ${colour}`]),
    wanted ?? sections[0].letter,
  );
  const list = h("div", { class: "choices" });
  const rest = h("div");
  const draw = async () => {
    const letter = select.value;
    const { first_free_round: free, choices } = await get(`movement/${letter}/repairs`);
    const section = sections.find((one) => one.letter === letter);
    if (!section) return;
    // Behind the last round there is nothing to change.
    if (free > section.rounds) {
      fill(list, h("p", { class: "empty" }, t("movement_over", { rounds: section.rounds })));
      fill(rest);
      return;
    }
    const impossible = choices.filter((one) => !one.possible);
    redraw(
      list,
      choices.filter((one) => one.possible).map((one) => clickCard(letter, one)),
      pairLeaves(section, free),
      tableLeaves(letter, free, section.rounds),
      cutShort(letter, free, section.rounds),
    );
    redraw(
      rest,
      impossible.length > 0 &&
        h(
          "details",
          {},
          h("summary", {}, t("not_possible_n", { n: impossible.length })),
          h(
            "div",
            { class: "choices" },
            impossible.map((one) => clickCard(letter, one)),
          ),
        ),
    );
  };
  select.addEventListener("change", draw);
  fill(
    main,
    h("h1", {}, t("page_movement")),
    h("p", { class: "quiet" }, t("movement_changes_hint")),
    sections.length > 1 && h("div", { class: "card" }, field(t("section"), select)),
    list,
    rest,
  );
  draw().catch((refusal) => toast(refusal.message));
  return { update: (change) => change.all && draw() };
}

/**
 * @param {string} letter
 * @param {any} choice
 */
function clickCard(letter, { repair, sentence, possible }) {
  const title = t([`repair_${repair.kind}`, repair.manner ?? repair.mistake].filter(Boolean).join("_"), {
    n: repair.after,
  });
  return h(
    "section",
    { class: "card" },
    h("h2", {}, title),
    h("p", { class: possible ? "" : "quiet" }, sentence),
    possible && previewButton(letter, () => repair),
  );
}

function pairLeaves(section, free) {
  const pair = h("input", { maxlength: 6, autocomplete: "off" });
  const from = h("input", { type: "number", min: free, max: section.rounds, value: free });
  return h(
    "section",
    { class: "card", "data-key": `pair_leaves-${section.letter}` },
    h("h2", {}, t("repair_pair_leaves")),
    h("div", { class: "fields" }, field(t("pair"), pair, t("pair_hint")), field(t("from_round"), from)),
    previewButton(section.letter, () => ({
      kind: "pair_leaves",
      pair: pairTyped(pair.value, section),
      from: Number(from.value),
    })),
  );
}

function tableLeaves(letter, free, last) {
  const tables = [...room.tables.keys()]
    .filter((name) => name[0] === letter)
    .map((name) => [name.slice(1), name]);
  const table = choice(tables, tables[0]?.[0]);
  const from = h("input", { type: "number", min: free, max: last, value: free });
  return h(
    "section",
    { class: "card", "data-key": `table_leaves-${letter}` },
    h("h2", {}, t("repair_table_leaves")),
    h("div", { class: "fields" }, field(t("table"), table), field(t("from_round"), from)),
    previewButton(letter, () => ({
      kind: "table_leaves",
      table: Number(table.value),
      from: Number(from.value),
    })),
  );
}

function cutShort(letter, free, rounds) {
  const last = h("input", { type: "number", min: 1, max: rounds, value: Math.max(1, rounds - 1) });
  return h(
    "section",
    { class: "card", "data-key": `cut_short-${letter}` },
    h("h2", {}, t("repair_cut_short")),
    h("div", { class: "fields" }, field(t("last_round"), last)),
    previewButton(letter, () => ({ kind: "cut_short", last: Number(last.value) })),
  );
}

function previewButton(letter, repair) {
  return doing(
    t("preview"),
    async () => {
      const body = { section: letter, repair: repair() };
      const preview = await post("movement/preview", body);
      openPreview(preview, (why) => post("movement/apply", { ...body, why }));
    },
    { class: "primary" },
  );
}

/** Shows what a change would mean; `apply` is called with the reason, where one is asked for, when the director says yes. */
export function openPreview(preview, apply, asksWhy = true) {
  const why = h("input", { maxlength: 200 });
  const list = (title, lines, kind) =>
    lines.length > 0 && [
      h("h3", {}, title),
      h(
        "ul",
        { class: kind },
        lines.map((line) => h("li", {}, line)),
      ),
    ];
  openDialog(t("preview_title"), [
    h("p", {}, h("b", {}, preview.what)),
    preview.warnings.length > 0 &&
      h(
        "div",
        { class: "card flagged" },
        preview.warnings.map((line) => h("p", {}, "⚑ ", line)),
      ),
    list(t("preview_do"), preview.instructions, "preview-do"),
    list(t("preview_for_whom"), preview.sentences, "preview-sentences"),
    preview.sentences.length === 0 &&
      preview.changes.length === 0 &&
      h("p", { class: "quiet" }, t("preview_nothing")),
    preview.changes.length > 0 &&
      h(
        "details",
        {},
        h("summary", {}, t("preview_tables", { n: preview.changes.length })),
        changed(preview.changes),
      ),
    asksWhy && field(t("why"), why),
    h(
      "div",
      { class: "buttons" },
      doing(
        t("preview_apply"),
        async () => {
          const done = await apply(why.value);
          closeDialog();
          sayDone(`${t("preview_done")} ${preview.what}`, done?.seq);
          location.hash = "#/room";
        },
        { class: "primary" },
      ),
      h("button", { type: "button", onclick: closeDialog }, t("cancel")),
    ),
  ]);
}

function changed(changes) {
  const sitting = (one) => (one ? `${one.ns ?? "–"} / ${one.ew ?? "–"} · ${span(one.boards)}` : "–");
  return tableOf(
    t("preview_table_title"),
    [t("round"), t("table"), t("before"), t("after")],
    changes.map((one) => [one.round, one.table, sitting(one.before), h("b", {}, sitting(one.after))]),
  );
}
