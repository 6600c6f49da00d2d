// What needs the director, with the answers as buttons.

import { answerButtons } from "./answers.js";
import { fill, h } from "./dom.js";
import { helpLink, topicOf } from "./help.js";
import { openCell } from "./cell.js";
import { room } from "./live.js";
import { redraw } from "./redraw.js";
import { t } from "./text.js";

/** Shows the open warnings, then those that are settled. */
export function show(main) {
  const list = h("div");
  const draw = () => {
    const { warnings } = room.view;
    const open = warnings.filter((warning) => !warning.answered && !warning.quiet);
    const quiet = warnings.filter((warning) => !warning.answered && warning.quiet);
    const settled = warnings.filter((warning) => warning.answered);
    const cards = (name, some) =>
      h("ul", { class: "plain", "data-key": `${name}-list`, "data-group": true }, some.map(card));
    const folded = (name, some) =>
      some.length > 0 &&
      h(
        "details",
        { "data-key": name, "data-group": true },
        h("summary", {}, t(`${name}_n`, { n: some.length })),
        cards(name, some),
      );
    // Warnings come while somebody answers one: only what is new is drawn.
    redraw(
      list,
      open.length === 0 ? h("p", { class: "empty" }, "✓ ", t("no_warnings")) : cards("open", open),
      folded("quiet", quiet),
      folded("settled", settled),
    );
  };
  fill(
    main,
    h("h1", {}, t("page_warnings")),
    list,
    document.body.dataset.role === "director" &&
      h("p", {}, h("a", { class: "alone", href: "#/checks" }, t("page_checks"))),
  );
  draw();
  return { update: (change) => (change.all || change.parts?.includes("warnings")) && draw() };
}

function card(warning) {
  const kind = ["ReplaceAsked", "BoardMissing", "ReplaceAdvised", "PadSilent"].includes(warning.kind)
    ? "bad"
    : "late";
  return h(
    "li",
    { class: "card warning", "data-key": warning.key },
    h(
      "p",
      {},
      h("span", { class: `tag ${kind}` }, "⚑ ", t(`warning_${warning.kind}`)),
      " ",
      h("b", {}, where(warning)),
    ),
    h("p", {}, warning.text),
    h(
      "div",
      { class: "buttons" },
      answerButtons(warning),
      warning.table &&
        warning.round &&
        h(
          "button",
          { type: "button", onclick: () => openCell(warning.table, warning.round, warning.board) },
          t("look_at_board"),
        ),
      ["PadSilent", "ReplaceAdvised"].includes(warning.kind) &&
        h("a", { class: "button", href: `#/replace/${warning.table}` }, t("replace_pad")),
      helpLink(topicOf(warning.kind)),
    ),
  );
}

// Sentences about results name the table without its section.
function where({ table, round }) {
  return [table && t("table_n", { table }), round && t("round_n", { n: round })].filter(Boolean).join(", ");
}
