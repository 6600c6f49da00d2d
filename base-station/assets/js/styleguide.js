// Every component of the page on one page, for whoever changes one: see DESIGN.md.

import { cards, choice, field, fill, h, icon, numeric, table as tableOf, tick, toast } from "./dom.js";
import { doing } from "./dialog.js";
import { t } from "./text.js";

const COLOURS = [
  ["page", "text"],
  ["card", "text"],
  ["accent", "accent-text"],
  ["good", "good-text"],
  ["now", "now-text"],
  ["late", "late-text"],
  ["bad", "bad-text"],
  ["idle", "idle-text"],
  ["flag", "flag-text"],
];
const SIZES = ["title", "lead", "text", "hint", "note"];
const SPACES = ["1", "2", "3", "4", "6"];
const ROUNDS = ["round-small", "round", "round-large"];
const CELLS = ["NotLoggedOn", "Waiting", "Current", "AllIn", "Late", "Missing", "SitOut"];
const ICONS = [
  ["room", "warnings", "pads", "traveller", "results", "setup", "more", "guide", "help", "names"],
  ["clock", "display", "replace", "phones", "cable", "matches", "movement", "history", "checks"],
  ["calendar", "exchange", "api", "print", "undo", "close", "check", "alert", "play", "bell", "download"],
].flat();

const part = (title, ...content) => h("section", { class: "card" }, h("h2", {}, title), content);

function colours() {
  return COLOURS.map(([back, front]) =>
    h(
      "p",
      { style: `background: var(--${back}); color: var(--${front}); padding: .3rem .6rem; margin: 0` },
      `--${back} / --${front}`,
    ),
  );
}

function type() {
  return [
    SIZES.map((size) =>
      h(
        "p",
        { style: `font-size: var(--size-${size}); margin: 0` },
        `--size-${size} · ${t("page_guide")} 0123456789`,
      ),
    ),
    h(
      "p",
      {},
      h("b", {}, "Noto Sans"),
      " · ",
      cards("4S"),
      " ",
      cards("HK"),
      " ",
      cards("DT"),
      " ",
      cards("3NT"),
    ),
    h("p", { class: "quiet" }, t("help_intro")),
  ];
}

function scales() {
  return [
    SPACES.map((space) =>
      h(
        "p",
        { style: "display: flex; align-items: center; gap: .5rem; margin: 0 0 .25rem" },
        h("span", { style: `width: var(--space-${space}); height: 1rem; background: var(--accent)` }),
        `--space-${space}`,
      ),
    ),
    h(
      "p",
      { class: "buttons" },
      ROUNDS.map((round) =>
        h(
          "span",
          { style: `border: 2px solid var(--edge); border-radius: var(--${round}); padding: .4rem .8rem` },
          `--${round}`,
        ),
      ),
    ),
  ];
}

function buttons() {
  return h(
    "div",
    { class: "buttons" },
    doing(t("save"), async () => toast(t("saved")), { class: "primary" }),
    doing(t("undo"), async () =>
      toast(t("saved"), { label: t("undo"), act: async () => toast(t("undone")) }),
    ),
    doing(t("remove"), async () => {}, { class: "danger" }),
    h("button", { type: "button", disabled: true }, t("send")),
    h("a", { class: "button", href: "#/guide" }, icon("guide"), t("page_guide")),
  );
}

function ranking() {
  return tableOf(
    t("ranking"),
    [numeric(t("place")), t("names"), numeric(t("percent"))],
    [
      [h("td", { class: "number" }, 1), "Anna Berg – Karl Lind", h("td", { class: "number" }, "58.33%")],
      h(
        "tr",
        { class: "chosen" },
        h("td", { class: "number" }, 2),
        h("td", {}, "Ida Holm – Per Dahl"),
        h("td", { class: "number" }, "54.17%"),
      ),
    ],
  );
}

/** Shows them. */
export function show(main) {
  fill(
    main,
    h("h1", {}, t("page_styleguide")),
    h(
      "div",
      { class: "columns" },
      part("--colours", colours()),
      part("--size", type()),
      part("--space, --round", scales()),
      part("button", buttons()),
      part(
        ".icon",
        h(
          "ul",
          { class: "legend" },
          ICONS.map((name) => h("li", {}, icon(name), name)),
        ),
      ),
      part(
        ".tag .lamp",
        ["", "good", "now", "late", "bad"].map((kind) => [
          h("span", { class: `tag ${kind}` }, kind || "tag"),
          " ",
        ]),
        h(
          "p",
          {},
          h("span", { class: "lamp good" }, t("journal")),
          " ",
          h("span", { class: "lamp bad" }, t("receiver")),
        ),
        h("p", { class: "refusal" }, t("offline")),
      ),
      part(
        ".cell",
        h(
          "ul",
          { class: "legend" },
          CELLS.map((state) =>
            h("li", {}, h("span", { class: `cell ${state}` }, "4–6"), t(`state_${state}`)),
          ),
        ),
      ),
      part(
        ".field",
        h(
          "div",
          { class: "fields" },
          field(t("contract"), h("input", { value: "4S" }), t("contract_hint")),
          field(t("declarer"), choice([["N", t("seat_N")]], "N")),
        ),
        tick(t("set_single"), true).label,
      ),
      part("table", ranking()),
    ),
  );
  return null;
}
