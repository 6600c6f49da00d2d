// What to do when something goes wrong: one card, that opens at the right place from a warning.

import { fill, h, icon } from "./dom.js";
import { t } from "./text.js";

// Each topic with the page on which it is done.
const TOPICS = {
  first: "setup",
  pad: "replace",
  missing: "room",
  score: "room",
  board: "warnings",
  late: "movement",
  movement: "warnings",
  fouled: "room",
  crash: "calendar",
  receiver: "pads",
  names: "names",
  deals: "setup",
  match: "matches",
  paper: "traveller",
};

/** Which topic helps with a warning of this kind. */
export function topicOf(kind) {
  return {
    PadSilent: "pad",
    ReplaceAdvised: "pad",
    ReplaceAsked: "pad",
    BatteryLow: "pad",
    BoardMissing: "missing",
    EntryKept: "score",
    BoardWanted: "board",
    OtherPairs: "movement",
    Movement: "movement",
    Result: "score",
    SamePlayer: "names",
    DealsDoNotFit: "deals",
    InMatch: "match",
  }[kind];
}

/** The way from a warning to what can be done about it. */
export const helpLink = (topic) =>
  topic && h("a", { class: "help-link", href: `#/help/${topic}` }, icon("help"), " ", t("help_what_now"));

/** Shows the card, at one of its topics. */
export function show(main, [wanted]) {
  const names = Object.keys(TOPICS);
  fill(
    main,
    h("h1", {}, t("page_help")),
    h("p", { class: "quiet" }, t("help_intro")),
    h(
      "div",
      { class: "buttons" },
      h("button", { type: "button", onclick: () => window.print() }, icon("print"), t("help_print")),
      h("a", { class: "button", href: "#/guide" }, icon("guide"), t("page_guide")),
    ),
    h(
      "div",
      { class: "help" },
      names.map((name) =>
        h(
          "section",
          { class: name === wanted ? "card chosen" : "card", id: `help-${name}`, tabindex: -1 },
          h("h2", {}, t(`help_${name}`)),
          h(
            "ol",
            {},
            t(`help_${name}_steps`)
              .split("|")
              .map((step) => h("li", {}, step)),
          ),
          h(
            "p",
            { class: "to-page" },
            h("a", { href: `#/${TOPICS[name]}` }, `${t("help_go")}: ${t(`page_${TOPICS[name]}`)}`),
          ),
        ),
      ),
    ),
  );
  const place = document.getElementById(`help-${wanted}`);
  place?.scrollIntoView({ block: "start" });
  place?.focus({ preventScroll: true });
  return null;
}
