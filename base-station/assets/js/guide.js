// The first evening, step by step: each with the page on which it is done, and all of it on one leaf
// of paper.

import { fill, h, icon } from "./dom.js";
import { room } from "./live.js";
import { t } from "./text.js";

/** Where each step is done; the texts are guide_1, guide_2 and so on. */
const STEPS = ["setup", "setup", "setup", "room", "room", "warnings", "clock", "results", "results"];
/** The steps that are other ones in an evening on paper. */
const ON_PAPER = { 3: "guide_3_paper", 4: "guide_4_paper", 5: "guide_5_paper" };

const textOf = (at, onPaper) => t((onPaper && ON_PAPER[at]) || `guide_${at}`).split("|");

/** Shows the steps; on paper those of an evening without pads. */
export function show(main) {
  const draw = (onPaper) => {
    const way = (label, wanted) =>
      h(
        "button",
        { type: "button", "aria-pressed": String(onPaper === wanted), onclick: () => draw(wanted) },
        label,
      );
    fill(
      main,
      h("h1", {}, t("page_guide")),
      h("p", { class: "quiet" }, t("guide_intro")),
      h(
        "div",
        { class: "buttons" },
        h(
          "div",
          { class: "segments", role: "group", "aria-label": t("way_title") },
          way(t("guide_pads"), false),
          way(t("guide_paper"), true),
        ),
        h("button", { type: "button", onclick: () => window.print() }, icon("print"), t("print_now")),
      ),
      h(
        "ol",
        { class: "guide" },
        STEPS.map((page, at) => {
          const [title, ...lines] = textOf(at + 1, onPaper);
          const there = onPaper && at === 4 ? "traveller" : page;
          return h(
            "li",
            { class: "card" },
            h("h2", {}, title),
            lines.map((line) => h("p", {}, line)),
            h(
              "p",
              { class: "to-page" },
              h("a", { href: `#/${there}` }, icon(there), " ", `${t("help_go")}: ${t(`page_${there}`)}`),
            ),
          );
        }),
      ),
      h("p", {}, h("a", { href: "#/help" }, icon("help"), " ", t("page_help"))),
    );
  };
  draw(Boolean(room.view?.session?.on_paper));
  return null;
}
