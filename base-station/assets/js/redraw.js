// Draws a part of the page anew while somebody is busy in it: what is typed, what is unfolded and where
// the keyboard is stay, and what did not change is not touched, so that nothing moves under a finger.

import { flat } from "./dom.js";

const CONTROLS = "input, select, textarea";

/** Fields in which somebody has begun to type or to choose. */
const begun = new WeakSet();
for (const kind of ["input", "change"])
  document.addEventListener(kind, ({ target }) => target && begun.add(target), true);

/** What a block is called, if it has a name of its own. */
const keyOf = (element) => element.getAttribute("data-key") ?? element.id;

const words = (element) => (element?.getAttribute("aria-label") ?? element?.textContent ?? "").trim();

// A number in a summary counts something: it is the same fold when there is one more.
const uncounted = (summary) => words(summary).replace(/\d+/g, "#");
const summaryOf = (fold) => uncounted(fold.querySelector("summary"));

const labelOf = (control) =>
  control.getAttribute("aria-label") ??
  words(control.closest(".field")?.querySelector("label") ?? control.closest("label"));

/** Every element of some blocks that fits. */
const within = (blocks, selector) =>
  blocks.flatMap((block) => [
    ...(block.matches(selector) ? [block] : []),
    ...block.querySelectorAll(selector),
  ]);

/** What an element is called, whatever was drawn anew around it. */
function nameOf(element) {
  const [kind, said] = element.matches(CONTROLS)
    ? [element.type, labelOf(element)]
    : ["", keyOf(element) || (element.tagName === "SUMMARY" ? uncounted(element) : words(element))];
  const block = element.parentElement?.closest("[data-key], section[id]");
  return [block ? keyOf(block) : "", element.tagName, kind, said].join("|");
}

/** The one that has this name now; of several nobody knows which is meant. */
function named(blocks, element) {
  const name = nameOf(element);
  const all = within(blocks, element.tagName.toLowerCase()).filter((other) => nameOf(other) === name);
  return all.length === 1 ? all[0] : null;
}

/** Carries what somebody has done over to what comes in its place. */
function carry(place, blocks) {
  for (const control of place.querySelectorAll(CONTROLS)) {
    const next = begun.has(control) && control.type !== "file" && named(blocks, control);
    if (!next) continue;
    next.value = control.value;
    if ("checked" in control) next.checked = control.checked;
    begun.add(next);
  }
  const folds = within(blocks, "details");
  for (const fold of place.querySelectorAll("details[open]"))
    folds.find((other) => summaryOf(other) === summaryOf(fold))?.setAttribute("open", "");
}

/** Whether a block would be drawn as it stands; what was refused in it is still true then. */
function isSame(old, fresh) {
  if (!old.querySelector(":scope > .refusal")) return old.isEqualNode(fresh);
  const plain = old.cloneNode(true);
  plain.querySelector(":scope > .refusal").remove();
  return plain.isEqualNode(fresh);
}

/** Puts what is new in place. Blocks that have a name and look the same stay, each of a group by itself. */
function settle(place, nodes) {
  const known = new Map([...place.children].map((child) => [keyOf(child), child]));
  const kept = nodes.map((fresh) => {
    const old = fresh instanceof Element && keyOf(fresh) ? known.get(keyOf(fresh)) : null;
    if (!old || old === fresh || old.tagName !== fresh.tagName) return fresh;
    if (!fresh.hasAttribute("data-group")) return isSame(old, fresh) ? old : fresh;
    settle(old, [...fresh.childNodes]);
    return old;
  });
  for (const child of [...place.childNodes]) if (!kept.includes(child)) child.remove();
  kept.forEach((child, at) => {
    if (place.childNodes[at] !== child) place.insertBefore(child, place.childNodes[at] ?? null);
  });
}

/**
 * Replaces everything inside an element, as `fill` does, and keeps what somebody is busy with.
 * @param {HTMLElement} place
 * @param {Child[]} children
 */
export function redraw(place, ...children) {
  const nodes = flat(children).map((child) =>
    child instanceof Node ? child : document.createTextNode(String(child)),
  );
  const fresh = nodes.filter((node) => node instanceof Element && !place.contains(node));
  const { activeElement: focused } = document;
  const isHere = focused && focused !== place && place.contains(focused);
  const again = isHere && named(fresh, focused);
  const scrolled = within([place], ".scroll").filter((box) => box.scrollLeft > 0 || box.scrollTop > 0);
  carry(place, fresh);
  const places = scrolled.map((box) => [labelOf(box), box.scrollLeft, box.scrollTop]);
  settle(place, nodes);
  for (const [label, left, top] of places) {
    const box = within([place], ".scroll").find((one) => labelOf(one) === label);
    box?.scrollTo(left, top);
  }
  if (again && !place.contains(focused)) again.focus({ preventScroll: true });
}
