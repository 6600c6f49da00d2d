// Names of many pairs as people write them down: "1NS; Anna Berg; Karl Lind", "1 ns Anna, Karl",
// "A7: 101, 102". Sides are understood in every language of the page.

const SIDES = {
  ns: "NS",
  nz: "NS",
  n: "NS",
  s: "NS",
  z: "NS",
  ew: "EW",
  ow: "EW",
  eo: "EW",
  e: "EW",
  w: "EW",
  o: "EW",
};
const LINE =
  /^(NS|NZ|EW|OW|EO)?\s*([A-Z](?=\s*\d))?\s*(\d+)\s*[-/.]?\s*(NS|NZ|EW|OW|EO|N|S|Z|E|W|O)?(?!\p{L})[\s;,:.\t-]*(.*)$/iu;
const BETWEEN = /\s*[;\t,&+]\s*|\s+[-–]\s+|\s+(?:and|und|et|en)\s+/iu;

/** With how many digits a number is typed, zeros in front included: 6 of "004711". */
export const digitsOf = (typed) => (/^\d+$/.test(typed.trim()) ? typed.trim().length : 0);

/** One player as typed: a number of the club's list, or a name. */
function player(typed) {
  return /^\d+$/.test(typed)
    ? { number: Number(typed), digits: digitsOf(typed), name: "" }
    : { number: null, name: typed };
}

/**
 * Reads a line that begins with a pair: "7 NS", "NS 7" or "A7NS", and what stands behind it. Nothing
 * where no pair is named that can be there.
 * @param {string} line
 * @param {{ letter: string, one_winner: boolean }[]} sections
 */
export function pairFirst(line, sections) {
  const found = LINE.exec(line);
  const letter = found?.[2]?.toUpperCase() ?? (sections.length === 1 ? sections[0].letter : undefined);
  const section = sections.find((candidate) => candidate.letter === letter);
  const named = found?.[1] ?? found?.[4];
  const side = named && SIDES[named.toLowerCase()];
  if (!found || !section || (!side && !section.one_winner)) return null;
  return { pair: `${letter}${Number(found[3])}${section.one_winner ? "" : side}`, rest: found[5] };
}

/**
 * Reads such a list. Each line is a pair with its players, or has a fault: "pair" or "names".
 * @param {string} text
 * @param {{ letter: string, one_winner: boolean }[]} sections
 */
export function namesFrom(text, sections) {
  return text
    .split("\n")
    .map((line, at) => ({ line: line.trim(), n: at + 1 }))
    .filter(({ line }) => line)
    .map(({ line, n }) => {
      const found = pairFirst(line, sections);
      if (!found) return { n, line, fault: "pair" };
      const players = found.rest.split(BETWEEN).filter(Boolean);
      if (players.length < 1 || players.length > 2) return { n, line, fault: "names" };
      return { n, line, pair: found.pair, players: players.map(player) };
    });
}
