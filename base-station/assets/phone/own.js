// A pair's own phone: it accepts results where the pair sits East-West, and shows the pair's score
// card. It is no pad: without it nothing is lost.

import { byId, fill, h } from "../js/dom.js";
import { suited } from "./face.js";
import * as line from "./line.js";
import * as notes from "./notes.js";
import { word } from "./words.js";

let main = null;
let now = null;
let board = null;
let accepted = null;
let revoked = false;

/** Shows what the base says, from now on. */
export function begin(place, { pad, keys }) {
  main = place;
  notes.begin({ pad: pad.toString(16).padStart(8, "0"), keys, heard, gone: draw });
  line.begin({
    up: () => {},
    frame: () => {},
    note: notes.hear,
    state: notes.lineIs,
  });
  draw();
  line.want();
}

function heard(note) {
  if (note.now) now = note.now;
  if (note.board) board = note.board;
  if (note.revoked) revoked = true;
  draw();
}

function accept(id) {
  accepted = id;
  notes.say({ accept: { id } });
  draw();
}

function draw() {
  if (revoked) {
    line.stop();
    main.dataset.screen = "own-revoked";
    return fill(
      main,
      h("h1", {}, word("phone_own_revoked")),
      h("p", { class: "normal" }, word("phone_own_revoked_sentence")),
    );
  }
  if (!now) {
    main.dataset.screen = "own-loading";
    return fill(main, h("p", {}, word("phone_loading")));
  }
  byId("place").textContent = word("phone_own_pair", { pair: now.pair });
  if (now.check) return drawCheck(now.check);
  if (board) return drawBoard();
  main.dataset.screen = "own";
  fill(
    main,
    h("div", { class: "says", role: "status" }, h("h1", {}, now.names), place(now.place)),
    h("div", { class: "card" }, h("h2", {}, word("phone_own_card")), card(now.card)),
  );
}

function drawCheck({ id, title, lines }) {
  board = null;
  main.dataset.screen = "own-check";
  const waits = accepted === id;
  fill(
    main,
    h(
      "div",
      { class: "says", role: "status" },
      h("h1", {}, word("phone_own_right")),
      h("p", { class: "normal" }, title),
      lines.map(({ columns, style }) =>
        h(
          "p",
          { class: style },
          columns.map((column) => h("span", {}, suited(column))),
        ),
      ),
    ),
    foot(
      { id: "accept", disabled: waits || !notes.isReady(), onclick: () => accept(id) },
      word(waits ? "phone_own_accepted" : "phone_own_accept"),
      h("p", { class: "normal" }, word("phone_own_wrong")),
    ),
  );
}

/** The one key at the foot of the page, and what is said below it. */
const foot = (key, text, ...below) =>
  h(
    "div",
    { class: "keypad" },
    h("div", { class: "keys foot" }, h("button", { type: "button", class: "strong", ...key }, text)),
    below,
  );

function back() {
  board = null;
  draw();
}

function place(where) {
  if (!where) return h("p", { class: "normal" }, word("phone_own_over"));
  const { round, table, first, last, against, east_west: eastWest } = where;
  return [
    h("p", { class: "large" }, word("phone_own_round", { round, table })),
    h("p", { class: "normal" }, word("phone_own_boards", { first, last, names: against ?? "–" })),
    h("p", { class: "normal" }, word(eastWest ? "phone_own_wait" : "phone_own_ns")),
  ];
}

const percent = (value) => (value === null ? "" : `${value.toFixed(1)} %`);
const signed = (value) => (value === null ? "" : value > 0 ? `+${value}` : String(value).replace("-", "−"));

function card(lines) {
  if (lines.length === 0) return h("p", { class: "normal" }, word("phone_own_card_empty"));
  const heads = ["phone_own_board", "phone_own_result", "phone_own_score", "phone_own_percent"];
  return h(
    "table",
    {},
    h(
      "thead",
      {},
      h(
        "tr",
        {},
        heads.map((key) => h("th", { scope: "col" }, word(key))),
      ),
    ),
    h(
      "tbody",
      {},
      lines.map((it) =>
        h(
          "tr",
          {},
          h(
            "th",
            { scope: "row" },
            it.others
              ? h(
                  "button",
                  {
                    type: "button",
                    "aria-label": word("phone_own_look", { board: it.board }),
                    onclick: () => notes.say({ board: { board: it.board } }),
                  },
                  it.board,
                )
              : it.board,
          ),
          h("td", {}, suited(it.result)),
          h("td", { class: "number" }, signed(it.score)),
          h("td", { class: "number" }, percent(it.percent)),
        ),
      ),
    ),
  );
}

function hand(cards) {
  const suits = { S: "♠", H: "♥", D: "♦", C: "♣" };
  const seats = { N: "north", E: "east", S: "south", W: "west" };
  return h(
    "div",
    { class: "hands" },
    Object.entries(seats).map(([letter, seat]) =>
      h(
        "div",
        { class: `hand ${seat}` },
        h("strong", {}, word(`phone_${seat}`)),
        Object.entries(suits).map(([suit, sign]) =>
          h("p", {}, suited(sign), " ", cards[letter]?.[suit] || "–"),
        ),
      ),
    ),
  );
}

function drawBoard() {
  main.dataset.screen = "own-board";
  const heads = ["phone_own_ns_pair", "phone_own_ew_pair", "phone_own_result", "phone_own_score"];
  fill(
    main,
    h(
      "div",
      { class: "says" },
      h("h1", { tabindex: "-1" }, word("phone_own_look", { board: board.board })),
      board.hand && hand(board.hand),
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            heads.map((key) => h("th", { scope: "col" }, word(key))),
          ),
        ),
        h(
          "tbody",
          {},
          board.lines.map((it) =>
            h(
              "tr",
              { class: it.mine ? "mine" : null },
              h("td", { class: "pair" }, it.ns ?? "–"),
              h("td", { class: "pair" }, it.ew ?? "–"),
              h("td", {}, suited(it.result)),
              h("td", { class: "number" }, signed(it.score)),
            ),
          ),
        ),
      ),
    ),
    foot({ onclick: back }, word("phone_own_back")),
  );
}
