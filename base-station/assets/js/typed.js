// What people type from paper, as pads and the base station have it: N, E, S, W and NT.

import { currentLanguage } from "./text.js";

/** "3SA" as pads have it. */
export const contractOnPads = (typed) => typed.replace(/^(\s*[1-7]\s*)SA/i, "$1NT");

/** "3SAO-1" of somebody who writes French is "3NTW-1", "4SZ=" of a Dutch scorer "4SS=". */
export function asOnPads(typed, language = currentLanguage()) {
  const seats = { O: language === "fr" ? "W" : "E", Z: "S" };
  return typed
    .replace(/^(\s*[1-7]\s*)SA(?=\s*X{0,2}\s*[NESWOZ])/i, "$1NT")
    .replace(
      /^(\s*[1-7]\s*(?:NT?|[SHDC])\s*X{0,2}\s*)([OZ])/i,
      (_, before, seat) => before + seats[seat.toUpperCase()],
    );
}
