// What became of a board, in a few signs.

import { cards, h } from "./dom.js";
import { decimal, percent, t } from "./text.js";

const SEATS = { N: "letter_north", E: "letter_east", S: "letter_south", W: "letter_west" };

/** "3NT" as it is written where the page is read: "3SA" in French. */
export const contractWritten = (contract) => contract.replace("NT", t("letter_nt"));

// The S of SA is no spade.
export function contractText(contract) {
  const [, level, doubled] = /^([1-7])NT(X*)$/.exec(contract) ?? [];
  return level ? [level, t("letter_nt"), ...cards(doubled)] : cards(contract);
}

/** "4SX S" of a par contract: its declarer is a seat and no spade. */
export function declared(text) {
  const [contract, declarer] = text.split(" ");
  return [...contractText(contract), declarer && ` ${t(SEATS[declarer])}`];
}

/** "4♠× S =" with the letters of the language, or what else became of it. */
export function resultText(line) {
  const { result } = line;
  if (result.kind === "Played")
    return [
      ...contractText(result.contract),
      ` ${t(SEATS[result.declarer])} `,
      result.made.replace("-", "−"),
    ];
  if (result.kind === "Written") return result.text.replace("-", "−");
  // A score from paper that names no contract is no adjustment to whoever reads it.
  if (result.kind === "Adjusted" && result.ns === result.ew && /^[+-]\d+$/.test(result.ns))
    return result.text.replace("-", "−");
  if (result.kind === "Adjusted") return t("adjusted_to", { ns: result.ns, ew: result.ew });
  return h("span", { class: result.kind === "Nothing" ? "tag late" : "" }, t(`result_${result.kind}`));
}

/** What somebody has; only a percentage needs no word for what is counted. */
export const worth = ({ counted_in: what, decimals }, number) =>
  what === "percent" ? percent(number) : decimal(number, decimals);

/** What a list is called, and what it counts. */
export const announcedAs = ({ title, counted_in: what }) =>
  what === "percent" ? title : `${title} · ${t(what)}`;
