// Draws a part of the page anew while somebody is busy in it: what is typed, what is unfolded and where
// the keyboard is stay, and what did not change is not touched, so that nothing moves under a finger.

import { flat } from "./dom.js";

const CONTROLS = "input, select, textarea";

/** Fields in which somebody has begun to type or to choose. */
const begun = new WeakSet();
for (const kind of ["input", "change"])
  document.addEventListener(kind, ({ target }) => target && begun.add(target), true);

/** Folds that somebody has opened or shut. */
const turned = new WeakSet();
document.addEventListener(
  "click",
  ({ target }) => {
    const fold = target instanceof Element && target.closest("summary")?.parentElement;
    if (fold) turned.add(fold);
  },
  true,
);

/** What a finger is on. */
let pressed = null;
document.addEventListener("pointerdown", ({ target }) => (pressed = target), true);
for (const kind of ["pointerup", "pointercancel"])
  document.addEventListener(kind, () => (pressed = null), true);

/** Whether a finger is down in here: a button that is drawn anew under it is not pressed. */
export const isPressed = (place) => pressed !== null && place.contains(pressed);

/** Places in which something was just done. */
const finished = new WeakSet();

/** What was begun in here is done: the next drawing begins with what the base says. */
export function done(place) {
  for (const control of place.querySelectorAll(CONTROLS)) begun.delete(control);
  finished.add(place);
}

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

function saidBy(element) {
  if (element.tagName === "DETAILS") return summaryOf(element);
  return element.tagName === "SUMMARY" ? uncounted(element) : words(element);
}

/** What an element is called, whatever was drawn anew around it. */
function nameOf(element) {
  const [kind, said] = element.matches(CONTROLS)
    ? [element.type, labelOf(element)]
    : ["", keyOf(element) || saidBy(element)];
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
  for (const fold of place.querySelectorAll("details")) {
    const open = fold.hasAttribute("open");
    const next = (open || turned.has(fold)) && named(blocks, fold);
    if (!next) continue;
    next.toggleAttribute("open", open);
    if (turned.has(fold)) turned.add(next);
  }
}

/** Somebody is at work in here: has typed or chosen something, or is about to. */
const isBusy = (block) =>
  [...block.querySelectorAll(CONTROLS)].some((one) => begun.has(one) || one === document.activeElement);

/**
 * Forms whose fields depend on each other (`data-keep`) are not drawn anew under somebody who is at work
 * in them: they come along as they are, and so does what was refused there.
 */
function keep(place, blocks) {
  for (const old of place.querySelectorAll("[data-keep]")) {
    const next = isBusy(old) && named(blocks, old);
    if (!next) continue;
    const refused = old.closest(".card")?.querySelector(":scope > .refusal");
    if (refused) next.closest(".card")?.append(refused);
    next.replaceWith(old);
  }
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
  if (!finished.delete(place)) keep(place, fresh);
  const places = scrolled.map((box) => [labelOf(box), box.scrollLeft, box.scrollTop]);
  settle(place, nodes);
  for (const [label, left, top] of places) {
    const box = within([place], ".scroll").find((one) => labelOf(one) === label);
    box?.scrollTo(left, top);
  }
  const next = place.contains(focused) ? focused : again;
  if (isHere && next && next !== document.activeElement) next.focus({ preventScroll: true });
}
