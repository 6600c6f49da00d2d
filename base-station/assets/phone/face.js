// The screen of the pad as a page: what is to be read, and the keys that mean something now.

import { byId, fill, h } from "../js/dom.js";
import { word } from "./words.js";

const SUITS = { "♠": "spades", "♥": "hearts", "♦": "diamonds", "♣": "clubs" };

/** A text with its suits in colour, and read aloud by their names. */
export function suited(text) {
  return text
    .split(/([♠♥♦♣])/u)
    .map((part) =>
      part in SUITS
        ? h(
            "span",
            { class: `suit ${SUITS[part]}`, role: "img", "aria-label": word(`phone_${SUITS[part]}`) },
            part,
          )
        : part,
    );
}

function line({ columns, style }) {
  return h(
    "p",
    { class: style },
    columns.map((column) => h("span", {}, suited(column))),
  );
}

function hands({ hands: four }) {
  const suits = ["♠", "♥", "♦", "♣"];
  return h(
    "div",
    { class: "hands" },
    four.map(([seat, holding], at) =>
      h(
        "div",
        { class: `hand ${["north", "east", "south", "west"][at]}` },
        h("strong", {}, seat),
        holding.map((cards, suit) => h("p", {}, suited(suits[suit]), " ", cards || "–")),
      ),
    ),
  );
}

// What a screen reader says where the label is a sign.
const SPOKEN = {
  "♠": "spades",
  "♥": "hearts",
  "♦": "diamonds",
  "♣": "clubs",
  NT: "no_trump",
  "▲": "up",
  "▼": "arrow_down",
  "◄": "left",
  "►": "right",
  N: "north",
  E: "east",
  S: "south",
  W: "west",
};

// What stands below a label that not everybody knows.
const CAPTIONS = {
  PASS: "passed",
  NP: "not_played",
  X: "double",
  XX: "redouble",
  "=": "made",
  "+": "over",
  "-": "down",
  CALL: "call",
  DIRECTOR: "menu",
};
const ON_ENTRY = { "◄": "board_before", "►": "board_after" };

const STRONG = ["OK", "ACCEPT"];

function button({ key, label, group }, press, screen) {
  const caption = CAPTIONS[label] ?? (screen === "Entry" ? ON_ENTRY[label] : undefined);
  const name = caption ? undefined : SPOKEN[label];
  const said = name && group !== "letters" ? word(`phone_${name}`) : null;
  // Who speaks to the browser says what stands there.
  const spoken = said && label.length > 1 ? `${label}, ${said}` : said;
  const strong = STRONG.some((begin) => label.startsWith(begin));
  const text = label === "-" ? "−" : label;
  const shown = SUITS[label]
    ? h("span", { class: `suit ${SUITS[label]}`, "aria-hidden": "true" }, label)
    : caption
      ? [text, " ", h("small", {}, word(`phone_${caption}`))]
      : text;
  return h(
    "button",
    {
      type: "button",
      class: strong ? "strong" : null,
      "data-key": key,
      "data-label": label,
      "aria-label": spoken,
      onclick: () => press(key),
    },
    shown,
  );
}

// What is read aloud when it changes has to stay where it is.
function places(main) {
  if (!main.querySelector(":scope > .says[data-pad]")) {
    fill(main, h("div", { class: "says", role: "status", "data-pad": "" }), h("div", { class: "keypad" }));
  }
  return [main.querySelector(".says"), main.querySelector(".keypad")];
}

let last = "";

/**
 * Shows a face, and what else can be done here. Keys that stay keep the focus.
 * @param {HTMLElement} main
 * @param {any} face
 * @param {(key: string) => void} press
 * @param {{ label: string; press: () => void } | null} more
 */
export function show(main, face, press, more = null) {
  const now = JSON.stringify([face, more?.label]);
  if (now === last) return;
  last = now;
  document.documentElement.lang = face.language;
  const focused = /** @type {HTMLElement | null} */ (document.activeElement)?.dataset?.key;
  /** @type {{ name: string; keys: any[] }[]} */
  const groups = [];
  for (const key of face.keys) {
    const group = groups.at(-1);
    if (group && group.name === key.group) group.keys.push(key);
    else groups.push({ name: key.group, keys: [key] });
  }
  const of = (names) =>
    groups
      .filter(({ name }) => names.includes(name))
      .map(({ name, keys }) =>
        h(
          "div",
          {
            class: `keys ${name} of-${keys.length}`,
            role: "group",
            "aria-label": word(`phone_group_${name}`),
          },
          keys.map((key) => button(key, press, face.screen)),
        ),
      );
  const [says, keypad] = places(main);
  fill(says, h("h1", {}, suited(face.title)), face.lines.map(line), face.cards && hands(face.cards));
  fill(
    keypad,
    of(["digits", "ranks", "letters", "strains", "seats", "doubling", "specials", "signs", "arrows"]),
    of(["foot"]),
    of(["help"]),
    more &&
      h(
        "div",
        { class: "keys help" },
        h("button", { type: "button", class: "more", onclick: more.press }, more.label),
      ),
  );
  main.dataset.screen = face.screen;
  byId("place").textContent = face.place;
  byId("alert").textContent = face.alert;
  /** @type {HTMLElement | null} */
  const again = focused === undefined ? null : main.querySelector(`[data-key="${focused}"]`);
  again?.focus({ preventScroll: true });
}

/** Shows that the next face must be drawn whatever was there. */
export function forget() {
  last = "";
}

const NAMED = {
  s: "♠",
  h: "♥",
  d: "♦",
  c: "♣",
  n: "NT",
  x: "X",
  r: "XX",
  p: "PASS",
  t: "10",
  Backspace: "BACK",
  Escape: "BACK",
  Delete: "CLEAR",
  ArrowUp: "▲",
  ArrowDown: "▼",
  ArrowLeft: "◄",
  ArrowRight: "►",
};

/** Which key of the pad a key of a keyboard means here; undefined where none. */
export function meant(face, event) {
  const find = (label) =>
    face.keys.find(
      (key) => key.label === label || key.label.startsWith(`${label}:`) || key.label.startsWith(`${label} `),
    );
  if (event.key === "Enter") return (find("ACCEPT") ?? find("OK"))?.key;
  const letter = event.key.length === 1 ? event.key.toLowerCase() : event.key;
  return (find(letter.toUpperCase()) ?? find(NAMED[letter] ?? "\u0000"))?.key;
}
