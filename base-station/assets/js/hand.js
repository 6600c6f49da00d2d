// The hand record: four hands around a compass, the lead marked, double-dummy tricks and par.

import { cards, h, rank as written, signed, table as tableOf } from "./dom.js";
import { declared } from "./resulttext.js";
import { t } from "./text.js";

const SUITS = [
  ["S", "♠"],
  ["H", "♥"],
  ["D", "♦"],
  ["C", "♣"],
];

/** The cards of a board; the lead of the line is marked in its hand. */
export function handRecord(about, line) {
  const { hand } = about;
  const lead = line?.result.lead;
  const seat = (name) =>
    h(
      "div",
      { class: `hand hand-${name}` },
      h("b", {}, t(`seat_${name}`)),
      SUITS.map(([letter, symbol]) => suit(letter, symbol, hand[name][letter], lead)),
    );
  return h(
    "div",
    {},
    h(
      "div",
      { class: "deal", role: "group", "aria-label": t("hand_record_of", { n: about.board }) },
      seat("N"),
      seat("W"),
      h("div", { class: "compass", "aria-hidden": "true" }, about.board),
      seat("E"),
      seat("S"),
    ),
    hand.tricks && tricks(hand.tricks),
    hand.par &&
      h(
        "p",
        {},
        t("par"),
        " ",
        h("b", {}, signed(hand.par.score)),
        " ",
        hand.par.contract && declared(hand.par.contract),
      ),
  );
}

function suit(letter, symbol, ranks, lead) {
  const marked = [...(ranks || "–")].map((rank) =>
    lead === `${letter}${rank}` ? h("mark", { title: t("lead") }, written(rank)) : written(rank),
  );
  return h(
    "div",
    { class: "suit" },
    h("span", { class: `suit-${letter.toLowerCase()}` }, symbol),
    " ",
    marked.flatMap((rank) => [rank, " "]),
  );
}

function tricks(all) {
  const strains = ["C", "D", "H", "S", "NT"];
  const rows = ["N", "S", "E", "W"].map((seat) => [
    h("th", { scope: "row" }, t(`seat_${seat}`)),
    ...strains.map((strain) => h("td", { class: "number" }, all[seat][strain])),
  ]);
  return tableOf(
    t("tricks_possible"),
    [
      "",
      ...strains.map((strain) =>
        h("th", { scope: "col", class: "number" }, strain === "NT" ? t("letter_nt") : cards(strain)),
      ),
    ],
    rows,
  );
}
