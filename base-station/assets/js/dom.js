// Builds pieces of the page. Texts always go in as text, never as HTML.

import { withEdges } from "./edges.js";
import { t } from "./text.js";

const SVG = "http://www.w3.org/2000/svg";

/** A drawing beside words that say the same; its name is one of web/packaged.rs. */
export function icon(name) {
  const [picture, use] = [document.createElementNS(SVG, "svg"), document.createElementNS(SVG, "use")];
  picture.setAttribute("class", "icon");
  picture.setAttribute("aria-hidden", "true");
  use.setAttribute("href", `/assets/icons.svg#${name}`);
  picture.append(use);
  return picture;
}

/**
 * Makes an element: h("p", { class: "quiet", onclick: f }, "text", child, ...).
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {Record<string, any> | null} [attributes]
 * @param {Child[]} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in DIRECT) Object.assign(element, { [name]: value });
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...flat(children));
  return element;
}

// Attributes that only work as properties once the element lives.
const DIRECT = { value: 1, checked: 1, disabled: 1, selected: 1 };

/**
 * @param {Child[]} children
 * @returns {any[]}
 */
export function flat(children) {
  return /** @type {any[]} */ (children)
    .flat(Infinity)
    .filter((child) => child !== undefined && child !== null && child !== false);
}

/** What the page is made with, by its id. */
export function byId(id) {
  return /** @type {HTMLElement} */ (document.getElementById(id));
}

/**
 * Replaces everything inside an element.
 * @template {Element} E
 * @param {E} element
 * @param {Child[]} children
 * @returns {E}
 */
export function fill(element, ...children) {
  element.replaceChildren(...flat(children));
  return element;
}

let fields = 0;

/**
 * A labelled input, select or textarea.
 * @param {Child} label
 * @param {HTMLElement} control
 * @param {Child} [hint]
 */
export function field(label, control, hint) {
  control.id ||= `f${(fields += 1)}`;
  const hinted = hint && h("span", { class: "hint", id: `${control.id}-hint` }, hint);
  if (hinted) control.setAttribute("aria-describedby", hinted.id);
  return h("div", { class: "field" }, h("label", { for: control.id }, label), control, hinted);
}

/** A select from [value, label] pairs. */
export function choice(options, value, attributes) {
  return h(
    "select",
    attributes,
    options.map(([key, label]) =>
      h("option", { value: key, selected: String(key) === String(value) }, label),
    ),
  );
}

/** A checkbox with its label. */
export function tick(label, checked, attributes) {
  const box = h("input", { type: "checkbox", checked, ...attributes });
  return { box, label: h("label", { class: "choice" }, box, label) };
}

/** A column's heading; a column of buttons has none, and an empty heading would be read aloud. */
export function heading(text) {
  if (text instanceof Node) return text;
  return text === "" ? h("td") : h("th", { scope: "col" }, text);
}

/** The heading of a column of numbers. */
export const numeric = (text) => h("th", { scope: "col", class: "number" }, text);

/** A column that a phone has no room for. */
export function wide(cell) {
  const element = cell instanceof Element ? cell : h("td", {}, cell);
  element.classList.add("wide");
  return element;
}

/** The heading of a column that a phone has no room for. */
export const wideHeading = (text) => wide(h("th", { scope: "col" }, text));

/** A table from a list of headings and rows of cells. */
export function table(caption, headings, rows, attributes) {
  const head = h("thead", {}, h("tr", {}, headings.map(heading)));
  const body = h(
    "tbody",
    {},
    rows.map((row) =>
      row instanceof Node
        ? row
        : h(
            "tr",
            {},
            row.map((cell) =>
              cell instanceof Element && /^T[DH]$/.test(cell.tagName) ? cell : h("td", {}, cell),
            ),
          ),
    ),
  );
  return withEdges(
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "group", "aria-label": caption },
      h("table", attributes, h("caption", {}, caption), head, body),
    ),
  );
}

/** A field whose words want room. */
export function long(place) {
  place.classList.add("long");
  return place;
}

/** A table that has its title above it already: its own is only read aloud. */
export function untitled(made) {
  made.querySelector("caption")?.classList.add("visually-hidden");
  return made;
}

/** Names the rows of a table, so that they are known again when it is drawn anew. */
export function keyed(made, keys) {
  made.querySelectorAll("tbody tr").forEach((row, at) => row.setAttribute("data-key", keys[at]));
  return made;
}

const SUITS = { S: "♠", H: "♥", D: "♦", C: "♣" };

const HONOURS = { A: "honour_ace", K: "honour_king", Q: "honour_queen", J: "honour_jack" };

/** A card's rank in the letters of the reader: "10", and "R" for a king in French. */
export const rank = (letter) => (letter === "T" ? "10" : HONOURS[letter] ? t(HONOURS[letter]) : letter);

/** "4SX" or "HK" with suit symbols; red suits are red, and read aloud by their name. */
export function cards(text) {
  return [...String(text ?? "")].map((letter, at, all) => {
    const suit = SUITS[letter];
    const isSuit = suit && !(letter === "S" && all[at - 1] === "S");
    return isSuit
      ? h("span", { class: `suit-${letter.toLowerCase()}` }, suit)
      : letter === "X"
        ? "×"
        : // A ten of a suit; the T of NT is a letter.
          all[at - 1] in SUITS
          ? rank(letter)
          : letter;
  });
}

/** "+620", "−50", "0". */
export function signed(points) {
  if (points === null || points === undefined) return "";
  return points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0";
}

/** @type {ReturnType<typeof setTimeout> | undefined} */
let toasted;

/**
 * Says something for a moment at the foot of the page, with something to be done about it.
 * @param {string} text
 * @param {false | 0 | undefined | { label: string, act: () => Promise<void> }} [offer]
 */
export function toast(text, offer) {
  const place = byId("toast");
  // Nothing beside an open dialog can be read or pressed.
  (document.querySelector("dialog[open]") ?? document.body).append(place);
  const press = async (event) => {
    event.currentTarget.disabled = true;
    try {
      await (offer && offer.act());
    } catch (refusal) {
      toast(refusal.message);
    }
  };
  fill(
    place,
    h("span", {}, text),
    offer && h("button", { type: "button", onclick: press }, icon("undo"), offer.label),
  );
  clearTimeout(toasted);
  toasted = setTimeout(() => fill(place), offer ? 12000 : 3500);
}
