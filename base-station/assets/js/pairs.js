// Pairs as people in the room call them: "NS 4 Cooper – Fisher" rather than "A4NS".

import { room } from "./live.js";
import { t } from "./text.js";

const PARTS = /^([A-Z])(\d+)(NS|EW)?$/;

/** "4" of "A4NS"; "A4" where there are several sections. Nobody is a dash. */
export function pairShort(pair) {
  const parts = PARTS.exec(pair ?? "");
  if (!parts) return pair ?? "–";
  const several = (room.view?.session?.sections.length ?? 0) > 1;
  return several ? `${parts[1]}${parts[2]}` : parts[2];
}

/** "NS 4" of "A4NS"; in a section with one list it is "4". */
export function pairCalled(pair) {
  const side = PARTS.exec(pair ?? "")?.[3];
  return side ? `${t(side.toLowerCase())} ${pairShort(pair)}` : pairShort(pair);
}

// Sides as they are typed in every language of the page.
const SIDES = { NS: "NS", NZ: "NS", N: "NS", EW: "EW", OW: "EW", EO: "EW", E: "EW" };
const TYPED = /^([A-Z])??\s*(NS|NZ|EW|OW|EO)?\s*([A-Z](?=\s*\d))?\s*(\d+)\s*(NS|NZ|EW|OW|EO|N|E)?$/;

/**
 * A pair as people call it ("NS 7", "7 ns", "7", "A7NS") as the base station does: "A7NS". Nothing is
 * nobody; what can't be understood goes along as it is, for the base to say what it expects.
 * @param {string} typed
 * @param {{ letter: string, one_winner: boolean } | undefined} section where no other is named
 * @param {"NS" | "EW"} [usual] the side where none is named
 */
export function pairTyped(typed, section, usual) {
  if (!typed.trim()) return null;
  const found = TYPED.exec(typed.trim().toUpperCase());
  if (!found || !section) return typed.trim();
  const letter = found[1] ?? found[3] ?? section.letter;
  const own = letter === section.letter;
  const named = SIDES[found[2] ?? found[5]];
  const side = named ?? (own && section.one_winner ? "" : (usual ?? ""));
  return `${letter}${Number(found[4])}${own && section.one_winner ? "" : side}`;
}

/** Whether these are names; where nobody gave one, the base says the number once more: "pair NS 4". */
function areNames(pair, names) {
  const number = t("pair_n", { pair: pairCalled(pair) });
  return Boolean(names) && names.toLowerCase() !== number.toLowerCase();
}

/** "NS 4 Cooper – Fisher", also where the pair's number does not tell the side. */
export function pairNamed(side, pair, names) {
  const called = `${t(side)} ${pairShort(pair)}`;
  return areNames(pair, names) ? `${called} ${names}` : called;
}

/** The same where the side goes without saying: "4 Cooper – Fisher" of a field with one list. */
export const pairWithNames = (pair, names) =>
  areNames(pair, names) ? `${pairCalled(pair)} ${names}` : pairCalled(pair);
