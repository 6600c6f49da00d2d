// The sections of the evening: what the adviser would play in this room, and why.

import { post, remove } from "./api.js";
import { choice, field, fill, h, toast } from "./dom.js";
import { doing, unrefuse } from "./dialog.js";
import { currentLanguage, said, t } from "./text.js";

const SHOWN_AT_FIRST = 1;

/** Draws the sections, and the adviser for one more. */
export function drawSections(place, session, fresh) {
  const list = session.sections.map((section) => sectionLine(session, section));
  if (!fresh && place.querySelector(".section-list")) {
    fill(place.querySelector(".section-list"), list);
    return;
  }
  const more = session.sections.length > 0;
  fill(
    place,
    h("h2", {}, t("setup_sections")),
    h("ul", { class: "plain section-list" }, list),
    h(
      "details",
      { open: !more },
      h("summary", {}, more ? t("add_section") : t("add_first_section")),
      adviser(session),
    ),
  );
}

function sectionLine(session, section) {
  return h(
    "li",
    { class: "section-line" },
    h("span", {}, h("b", {}, `${section.letter} ${section.colour}`), ` ${said(section.movement)}`),
    h(
      "a",
      {
        class: "button",
        href: `/print/cards/${section.letter}?paper=${localStorage.getItem("paper") ?? "a4"}&language=${currentLanguage()}`,
        target: "_blank",
      },
      t("print_cards"),
    ),
    h(
      "a",
      {
        class: "button",
        href: `/print/cards/${section.letter}.pdf?paper=${localStorage.getItem("paper") ?? "a4"}&language=${currentLanguage()}`,
        target: "_blank",
        "aria-label": `${t("print_cards")} ${section.letter}, ${t("as_pdf")}`,
      },
      t("as_pdf"),
    ),
    session.phase === "SettingUp" && doing(t("remove"), () => remove(`setup/sections/${section.letter}`)),
  );
}

/** What the director types about the room, as the adviser wants to know it. */
function roomForm(session) {
  const tables = h("input", { type: "number", min: 3, max: 200, value: 12 });
  const missing = choice(
    [
      ["", t("missing_no")],
      ["any", t("missing_any")],
      ["NS", t("missing_ns")],
      ["EW", t("missing_ew")],
    ],
    "",
  );
  const at = h("input", { type: "number", min: 1, max: 200, value: 12 });
  const fewest = h("input", { type: "number", min: 4, max: 60, value: 24 });
  const most = h("input", { type: "number", min: 4, max: 60, value: 24 });
  const letter = h("input", { value: String.fromCharCode(65 + session.sections.length), maxlength: 1 });
  const colour = h("input", { value: t("colour_example"), maxlength: 20 });
  const atField = field(t("missing_at"), at);
  const size = h("p", { class: "quiet", "aria-live": "polite" });
  const named = () => ["NS", "EW"].includes(missing.value);
  const count = () => {
    atField.hidden = !named();
    size.textContent = missing.value
      ? t("room_size_half", { pairs: Number(tables.value) * 2 - 1, n: Number(tables.value) })
      : t("room_size", { pairs: Number(tables.value) * 2 });
  };
  tables.addEventListener("input", () => {
    at.value = tables.value;
    count();
  });
  fewest.addEventListener("input", () => (most.value = fewest.value));
  missing.addEventListener("change", count);
  count();
  return {
    letter,
    parts: [
      h(
        "div",
        { class: "fields" },
        field(t("tables"), tables),
        field(t("missing_pair"), missing),
        atField,
        field(t("boards_from"), fewest),
        field(t("boards_to"), most),
        field(t("section"), letter),
        field(t("colour"), colour),
      ),
      size,
    ],
    room: () => ({
      pairs: Number(tables.value) * 2 - (missing.value ? 1 : 0),
      boards_min: Number(fewest.value),
      boards_max: Number(most.value),
      phantom: named() ? `${missing.value} ${at.value}` : null,
    }),
    section: () => ({ section: letter.value, colour: colour.value }),
  };
}

function adviser(session) {
  const form = roomForm(session);
  const choices = h("div", { "aria-live": "polite" });
  const ask = doing(
    t("suggest"),
    async (button) => {
      unrefuse(button);
      const answer = await post("setup/suggest", form.room());
      const use = (movement) => async () => {
        await post("setup/sections", { ...form.section(), ...form.room(), movement });
        fill(choices);
        form.parts[0].closest("details").open = false;
        form.parts[0].closest("details").firstElementChild.textContent = t("add_section");
        form.letter.value = String.fromCharCode(form.letter.value.charCodeAt(0) + 1);
        toast(t("saved"));
      };
      const card = (suggested, at) => suggestion(suggested, at === 0, use(suggested.name));
      const cards = answer.choices.slice(0, 7).map(card);
      const rest = cards.slice(SHOWN_AT_FIRST);
      fill(
        choices,
        h("div", { class: "choices" }, cards.slice(0, SHOWN_AT_FIRST)),
        rest.length > 0 &&
          h(
            "details",
            {},
            h("summary", {}, t("other_movements", { n: rest.length })),
            h("div", { class: "choices" }, rest),
          ),
      );
      choices.scrollIntoView({ block: "nearest" });
    },
    { class: "primary" },
  );
  return [form.parts, h("div", { class: "buttons" }, ask), choices];
}

function suggestion(suggested, best, use) {
  const hours = `${Math.floor(suggested.minutes / 60)}:${String(suggested.minutes % 60).padStart(2, "0")}`;
  return h(
    "section",
    { class: `card suggestion ${best ? "best" : ""}` },
    h("h3", {}, said(suggested.name), best && [" ", h("span", { class: "tag good" }, t("best"))]),
    h(
      "p",
      {},
      t("choice_size", {
        rounds: suggested.rounds,
        per_round: suggested.per_round,
        boards: suggested.boards_played,
        hours,
      }),
      " ",
      t(suggested.lists === 1 ? "one_list" : "two_lists"),
    ),
    suggested.phantom && h("p", {}, t("phantom_sits", { place: said(suggested.phantom) })),
    suggested.instructions.length > 0 &&
      h(
        "div",
        {},
        h("b", {}, t("tell_the_room")),
        h(
          "ul",
          {},
          suggested.instructions.map((line) => h("li", {}, said(line))),
        ),
      ),
    h(
      "ul",
      { class: "reasons" },
      suggested.reasons.map((reason) => h("li", { class: "for" }, said(reason))),
      suggested.drawbacks.map((reason) => h("li", { class: "against" }, said(reason))),
    ),
    doing(t("use_this"), use, { class: best && "primary" }),
  );
}
