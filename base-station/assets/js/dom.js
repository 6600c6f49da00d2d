// Builds pieces of the page. Texts always go in as text, never as HTML.

/** Makes an element: h("p", { class: "quiet", onclick: f }, "text", child, ...). */
export function h(tag, attributes, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || value === false) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name in DIRECT) element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...flat(children));
  return element;
}

// Attributes that only work as properties once the element lives.
const DIRECT = { value: 1, checked: 1, disabled: 1, selected: 1 };

function flat(children) {
  return children.flat(Infinity).filter((child) => child !== undefined && child !== null && child !== false);
}

/** Replaces everything inside an element. */
export function fill(element, ...children) {
  element.replaceChildren(...flat(children));
  return element;
}

/** A labelled input, select or textarea. */
export function field(label, control, hint) {
  control.id ||= `f${(field.count = (field.count ?? 0) + 1)}`;
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
  const element = cell instanceof Node ? cell : h("td", {}, cell);
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
              cell instanceof Node && /^T[DH]$/.test(cell.tagName) ? cell : h("td", {}, cell),
            ),
          ),
    ),
  );
  return h(
    "div",
    { class: "scroll", tabindex: 0, role: "group", "aria-label": caption },
    h("table", attributes, h("caption", {}, caption), head, body),
  );
}

const SUITS = { S: "♠", H: "♥", D: "♦", C: "♣" };

/** "4SX" or "HK" with suit symbols; red suits are red, and read aloud by their name. */
export function cards(text) {
  return [...String(text ?? "")].map((letter, at, all) => {
    const suit = SUITS[letter];
    const isSuit = suit && !(letter === "S" && all[at - 1] === "S");
    return isSuit
      ? h("span", { class: `suit-${letter.toLowerCase()}` }, suit)
      : letter === "X"
        ? "×"
        : letter;
  });
}

/** "+620", "−50", "0". */
export function signed(points) {
  if (points === null || points === undefined) return "";
  return points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0";
}

/** Says something for a moment at the foot of the page. */
export function toast(text) {
  const place = document.getElementById("toast");
  place.textContent = text;
  clearTimeout(toast.timer);
  toast.timer = setTimeout(() => (place.textContent = ""), 3500);
}
