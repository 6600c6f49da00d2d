// What became of a board, in a few signs.

import { cards, h } from "./dom.js";
import { t } from "./text.js";

/** "4♠× by S =" or what else became of it. */
export function resultText(line) {
  const { result } = line;
  if (result.kind === "Played")
    return [...cards(result.contract), ` ${result.declarer} `, result.made.replace("-", "−")];
  if (result.kind === "Written") return result.text.replace("-", "−");
  // A score from paper that names no contract is no adjustment to whoever reads it.
  if (result.kind === "Adjusted" && result.ns === result.ew && /^[+-]\d+$/.test(result.ns))
    return result.text.replace("-", "−");
  if (result.kind === "Adjusted") return t("adjusted_to", { ns: result.ns, ew: result.ew });
  return h("span", { class: result.kind === "Nothing" ? "tag late" : "" }, t(`result_${result.kind}`));
}
