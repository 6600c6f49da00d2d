// East-West's own phone as the second screen of this pad. They accept there; where that phone can't
// be reached, or takes its time, East accepts here as ever.

import { fill, h } from "../js/dom.js";
import { random } from "./machine.js";
import * as notes from "./notes.js";
import { word } from "./words.js";

// After so long East can accept here all the same, in milliseconds.
const PATIENCE = 12000;

let waiting = null;
let again = null;

const isAccept = ({ label }) => label.startsWith("ACCEPT");

/** The pad shows another face: whoever is to accept it hears of it. */
export function follow(face) {
  const asks = face.screen === "Check" && face.round !== null && face.keys.some(isAccept);
  const what = asks ? JSON.stringify([face.round, face.title, face.lines]) : null;
  if (what === (waiting?.what ?? null)) return;
  if (!asks) {
    waiting = null;
    notes.say({ no_check: {} });
    return;
  }
  waiting = { what, id: random(8), there: false, since: 0, face };
  ask();
}

function ask() {
  if (!waiting) return;
  const { id, face } = waiting;
  notes.say({ check: { id, round: face.round, title: face.title, lines: face.lines } });
}

/** The base is there again: it has forgotten what it was asked. */
export const ready = () => ask();

/** It is away: East accepts here. */
export function gone(redraw) {
  if (waiting) waiting.there = false;
  redraw();
}

/** The base says something; true where East-West have accepted what is to be seen. */
export function heard(note, redraw) {
  if (note.asked && note.asked.id === waiting?.id) {
    if (note.asked.there && !waiting.there) waiting.since = Date.now();
    waiting.there = note.asked.there;
    clearTimeout(again);
    again = setTimeout(redraw, PATIENCE + 50);
    redraw();
  }
  if (note.accepted && note.accepted.id === waiting?.id) {
    waiting.there = false;
    return true;
  }
  return false;
}

/** The face as it is shown here while East-West are asked on their own phone. */
export function adapted(face) {
  if (!waiting?.there || face.screen !== "Check") return face;
  const late = Date.now() - waiting.since > PATIENCE;
  const said = word(late ? "phone_second_slow" : "phone_second_asked");
  return {
    ...face,
    lines: [...face.lines, { columns: [said], style: "normal" }],
    keys: late ? face.keys : face.keys.filter((key) => !isAccept(key)),
  };
}

/** A code as a picture. */
function picture(rows) {
  const size = rows.length + 8;
  const name = "http://www.w3.org/2000/svg";
  const svg = document.createElementNS(name, "svg");
  svg.setAttribute("viewBox", `0 0 ${size} ${size}`);
  svg.setAttribute("class", "code");
  svg.setAttribute("aria-hidden", "true");
  const path = document.createElementNS(name, "path");
  const dark = rows.flatMap((row, y) =>
    [...row].map((module, x) => (module === "1" ? `M${x + 4} ${y + 4}h1v1h-1z` : "")),
  );
  path.setAttribute("d", dark.join(""));
  svg.append(path);
  return svg;
}

/** Shows the code for East-West's own phone. */
export function showCode(main, { pair, link, rows }, back) {
  main.dataset.screen = "own-code";
  fill(
    main,
    h(
      "div",
      { class: "says", role: "status" },
      h("h1", {}, word("phone_own_scan")),
      h("p", { class: "normal" }, word("phone_own_scan_sentence", { pair })),
      picture(rows),
    ),
    h(
      "div",
      { class: "keypad" },
      h(
        "div",
        { class: "keys foot" },
        h("button", { type: "button", class: "strong", onclick: back }, word("phone_own_back")),
      ),
    ),
  );
  main.querySelector(".code").dataset.link = link;
}
