// Notes: what goes between this phone and the base beside the pad's own frames. They are sealed like
// those, and live: one that is lost is not sent again.

import { byId } from "../js/dom.js";
import * as line from "./line.js";
import { ask, random } from "./machine.js";
import { word } from "./words.js";

let who = null;
let ready = false;

/**
 * Whose notes they are: the phone, its keys (null where the pad in this page has them), and whom to
 * tell what.
 */
export function begin(phone) {
  who = phone;
}

/** Something came that is no frame: first the base's number for this line, then notes. */
export function hear(text) {
  if (!who) return;
  if (ready) {
    const opened = ask({ open_note: { sealed: text } });
    if (opened !== null) who.heard(JSON.parse(opened));
    return;
  }
  const mine = random(16);
  if (!ask({ notes: { keys: who.keys, base: text, phone: mine } })) return;
  ready = true;
  line.note(`${who.pad} ${mine}`);
  say({ here: {} });
  who.there?.();
}

/** Says something, if there is somebody to hear it. */
export function say(note) {
  if (!ready) return false;
  return line.note(ask({ seal_note: { text: JSON.stringify(note) } }));
}

/** How the line is. Where it is gone nobody hears notes any more, and the page says so. */
export function lineIs(state) {
  if (state !== "up") lost();
  const net = byId("net");
  net.textContent = state === "up" ? "" : word("phone_no_network");
  net.dataset.state = state;
}

function lost() {
  if (!ready) return;
  ready = false;
  who.gone?.();
}

/** Whether somebody hears. */
export const isReady = () => ready;
