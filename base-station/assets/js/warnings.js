// What needs the director, with the answers as buttons.

import { answerButtons } from "./answers.js";
import { fill, h, icon } from "./dom.js";
import { topicOf } from "./help.js";
import { openCell } from "./cell.js";
import { room } from "./live.js";
import { t } from "./text.js";

/** Shows the open warnings, then those that are settled. */
export function show(main) {
  const list = h("div");
  const draw = () => {
    const { warnings } = room.view;
    const open = warnings.filter((warning) => !warning.answered && !warning.quiet);
    const quiet = warnings.filter((warning) => !warning.answered && warning.quiet);
    const settled = warnings.filter((warning) => warning.answered);
    fill(
      list,
      open.length === 0
        ? h("p", { class: "empty" }, "✓ ", t("no_warnings"))
        : h("ul", { class: "plain" }, open.map(card)),
      quiet.length > 0 &&
        h(
          "details",
          {},
          h("summary", {}, t("quiet_n", { n: quiet.length })),
          h("ul", { class: "plain" }, quiet.map(card)),
        ),
      settled.length > 0 &&
        h(
          "details",
          {},
          h("summary", {}, t("settled_n", { n: settled.length })),
          h("ul", { class: "plain" }, settled.map(card)),
        ),
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
      topicOf(warning.kind) &&
        h(
          "a",
          { class: "help-link", href: `#/help/${topicOf(warning.kind)}` },
          icon("help"),
          " ",
          t("help_what_now"),
        ),
    ),
  );
}

// Sentences about results name the table without its section.
function where({ table, round }) {
  return [table && t("table_n", { table }), round && t("round_n", { n: round })].filter(Boolean).join(", ");
}
