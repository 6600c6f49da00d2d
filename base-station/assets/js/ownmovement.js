// Any movement, whatever the adviser would say: kind, boards, how long, from which board, at which
// tables, or one that is written out here or comes from a file; drawn before it is taken.

import { post } from "./api.js";
import { choice, field, fill, h } from "./dom.js";
import { doing, unrefuse } from "./dialog.js";
import { pictureOf } from "./roompicture.js";
import { t } from "./text.js";

const KINDS = [
  "mitchell",
  "howell",
  "hesitation",
  "fat-mitchell",
  "web",
  "bowman-ewing",
  "rover",
  "interclub",
  "file",
];
const VARIANTS = ["", "skip", "share", "feed-in"];

/** How a movement is written: the names are those of the file, in every language. */
const EXAMPLE = "name: Monday\nlists: two\n\nround 1\n1: 1 1 1-3\n2: 2 2 4-6\n3: 3 - 7-9\n\nround 2\n…";

/** A field that takes the whole line. */
function wide(place) {
  place.classList.add("whole");
  return place;
}

const whole = (input) => (input.value === "" ? null : Number(input.value));

/** The form; `about` gives section, colour, tables and the missing pair, `done` is called after. */
export function ownMovement(about, done) {
  const named = (names, prefix) => names.map((name) => [name, t(`${prefix}_${name}`)]);
  const kind = choice(named(KINDS, "kind"), "mitchell");
  const variant = choice(named(VARIANTS, "variant"), "");
  const number = (most, value) => h("input", { type: "number", min: 1, max: most, value });
  const boards = number(99, 24);
  const perRound = number(12, "");
  const rounds = number(60, "");
  const first = number(200, 1);
  const tables = h("input", { maxlength: 200, autocomplete: "off", placeholder: "5-16" });
  const written = h("textarea", { rows: 14, spellcheck: "false", placeholder: EXAMPLE, class: "code" });
  const file = h("input", { type: "file", accept: ".txt,.movement,text/plain" });
  file.addEventListener("change", async () => {
    written.value = (await file.files?.[0]?.text()) ?? written.value;
    fill(picture);
  });
  const fields = {
    variant: field(t("own_variant"), variant),
    written: wide(field(t("own_written"), written, t("own_written_hint"))),
    file: field(t("own_file"), file, t("own_file_hint")),
    boards: field(t("own_boards"), boards),
    perRound: field(t("own_per_round"), perRound, t("own_empty")),
  };
  const picture = h("div", { "aria-live": "polite" });
  const show = () => {
    const isFile = kind.value === "file";
    fields.variant.hidden = kind.value !== "mitchell";
    fields.file.hidden = !isFile;
    fields.written.hidden = !isFile;
    fields.boards.hidden = isFile;
    fields.perRound.hidden = isFile;
    fill(picture);
  };
  kind.addEventListener("change", show);
  show();
  const asked = () => ({
    ...about(),
    kind: kind.value,
    file: kind.value === "file" ? written.value : null,
    boards: Number(boards.value),
    per_round: whole(perRound),
    variant: kind.value === "mitchell" ? variant.value || null : null,
    rounds: whole(rounds),
    first_board: whole(first),
    table_numbers: tables.value || null,
  });
  // Most movements of a club's own are a known one with some lines changed.
  const writeOut = (lines) =>
    doing(t("own_write_out"), async () => {
      kind.value = "file";
      written.value = lines;
      show();
      written.focus();
      written.setSelectionRange(0, 0);
      written.scrollTop = 0;
      fields.written.scrollIntoView({ block: "nearest" });
    });
  const look = doing(t("own_look"), async (button) => {
    unrefuse(button);
    fill(picture);
    const seen = await post("setup/picture", asked());
    fill(
      picture,
      h(
        "p",
        {},
        h("b", {}, seen.title),
        ` ${t("own_size", { tables: seen.tables, rounds: seen.rounds, boards: seen.boards })}`,
      ),
      pictureOf(seen.seats),
      kind.value !== "file" && h("div", { class: "buttons" }, writeOut(seen.written)),
    );
    picture.scrollIntoView({ block: "nearest" });
  });
  const use = doing(
    t("use_this"),
    async (button) => {
      unrefuse(button);
      done(await post("setup/chosen", asked()));
    },
    { class: "primary" },
  );
  return h(
    "details",
    { class: "own-movement" },
    h("summary", {}, t("own_choice")),
    h(
      "div",
      { class: "fields" },
      field(t("own_kind"), kind),
      fields.variant,
      fields.file,
      fields.written,
      fields.boards,
      fields.perRound,
      field(t("own_rounds"), rounds, t("own_empty")),
      field(t("own_first_board"), first),
      field(t("own_tables"), tables, t("own_tables_hint")),
    ),
    h("div", { class: "buttons" }, look, use),
    picture,
  );
}
