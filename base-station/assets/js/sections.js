// The sections of the evening: what the adviser would play in this room, and why.

import { post, put, remove } from "./api.js";
import { choice, field, fill, h, tick } from "./dom.js";
import { doing, unrefuse } from "./dialog.js";
import { sayChange } from "./done.js";
import { room } from "./live.js";
import { ownMovement } from "./ownmovement.js";
import { redraw } from "./redraw.js";
import { pictureFold, roomPicture } from "./roompicture.js";
import { currentLanguage, t } from "./text.js";

const SHOWN_AT_FIRST = 1;

/** Draws the sections, and the adviser for one more. */
export function drawSections(place, session, fresh) {
  const list = session.sections.map((section) => sectionLine(session, section));
  if (!fresh && place.querySelector(".section-list")) {
    redraw(/** @type {HTMLElement} */ (place.querySelector(".section-list")), list);
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
    { class: "section-line", "data-key": section.letter },
    h("span", {}, h("b", {}, `${section.letter} ${section.colour}`), ` ${section.movement}`),
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
    session.phase === "SettingUp" &&
      doing(t("remove"), () => remove(`setup/sections/${section.letter}`).then((did) => sayChange(did))),
    session.sections.length > 1 && !session.on_paper && letIn(section),
    roomPicture(section.letter),
  );
}

// Sections are let in one after the other, so that players do not type a wrong letter.
function letIn(section) {
  const may = tick(t("section_may_log_on"), section.open);
  may.box.addEventListener("change", async () => {
    await sayChange(await put(`setup/sections/${section.letter}/gate`, { open: may.box.checked }));
  });
  return may.label;
}

// Each section gets letter and colour of its own; a colour that is taken is not proposed again.
function freshLetter(session) {
  const taken = session.sections.map(({ letter }) => letter);
  return [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"].find((letter) => !taken.includes(letter)) ?? "";
}

function freshColour(taken) {
  const colours = t("colours").split("|");
  return colours.find((colour) => !taken.includes(colour)) ?? colours[0];
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
  const letter = h("input", { value: freshLetter(session), maxlength: 1 });
  const colour = h("input", {
    value: freshColour(session.sections.map((section) => section.colour)),
    maxlength: 20,
  });
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
    tables: () => Number(tables.value),
    section: () => ({ section: letter.value, colour: colour.value }),
    // The next section is another one.
    next: () => {
      letter.value = String.fromCharCode(letter.value.charCodeAt(0) + 1);
      colour.value = freshColour([
        ...(room.view.session?.sections ?? []).map((section) => section.colour),
        colour.value,
      ]);
    },
  };
}

function adviser(session) {
  const form = roomForm(session);
  const choices = h("div", { "aria-live": "polite" });
  const planned = (did) => {
    fill(choices);
    const details = form.parts[0].closest("details");
    if (details) details.open = false;
    details?.firstElementChild?.replaceChildren(t("add_section"));
    form.next();
    sayChange(did);
  };
  const own = ownMovement(() => {
    const { pairs, phantom } = form.room();
    // A pair is missing and nobody cares where: East-West of the last table.
    const missing = phantom ?? (pairs % 2 === 1 ? `EW ${form.tables()}` : null);
    return { ...form.section(), tables: form.tables(), phantom: missing };
  }, planned);
  const ask = doing(
    t("suggest"),
    async (button) => {
      unrefuse(button);
      const answer = await post("setup/suggest", form.room());
      const use = (movement) => async () => {
        planned(await post("setup/sections", { ...form.section(), ...form.room(), movement }));
      };
      // All the rounds of the room as it was asked about, whatever is typed meanwhile.
      const about = { ...form.section(), ...form.room() };
      const rounds = (movement) => () =>
        post("setup/suggested", { ...about, movement }).then(({ seats }) => seats);
      const card = (suggested, at) =>
        suggestion(suggested, at === 0, use(suggested.name), rounds(suggested.name));
      const cards = answer.choices.map(card);
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
  return [form.parts, h("div", { class: "buttons" }, ask), choices, own];
}

function suggestion(suggested, best, use, more) {
  const hours = `${Math.floor(suggested.minutes / 60)}:${String(suggested.minutes % 60).padStart(2, "0")}`;
  return h(
    "section",
    { class: `card suggestion ${best ? "best" : ""}` },
    h("h3", {}, suggested.title, best && [" ", h("span", { class: "tag good" }, t("best"))]),
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
    suggested.phantom && h("p", {}, t("phantom_sits", { place: suggested.phantom })),
    suggested.instructions.length > 0 &&
      h(
        "div",
        {},
        h("b", {}, t("tell_the_room")),
        h(
          "ul",
          {},
          suggested.instructions.map((line) => h("li", {}, line)),
        ),
      ),
    h(
      "ul",
      { class: "reasons" },
      suggested.reasons.map((reason) => h("li", { class: "for" }, reason)),
      suggested.drawbacks.map((reason) => h("li", { class: "against" }, reason)),
    ),
    doing(t("use_this"), use, { class: best && "primary" }),
    pictureFold(() => suggested.seats, { rounds: suggested.rounds, more }),
  );
}
