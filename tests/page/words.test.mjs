// Small things that the page makes of numbers: points, boards, cards, the clock.

import assert from "node:assert/strict";
import { test } from "node:test";
import { script } from "./around.mjs";

const dom = await script("dom.js");
const grid = await script("grid.js");
const frame = await script("frame.js");
const live = await script("live.js");

test("points have their sign, and nothing is not zero", () => {
  assert.equal(dom.signed(620), "+620");
  assert.equal(dom.signed(-50), "−50");
  assert.equal(dom.signed(0), "0");
  assert.equal(dom.signed(null), "");
});

test("a contract's suit is a symbol, and South is not a spade", async () => {
  globalThis.fetch = async () => ({ json: async () => ({ honour_ace: "A", honour_king: "R" }) });
  await (await script("text.js")).loadTexts();
  const words = (text) =>
    dom
      .cards(text)
      .map((part) => part.textContent ?? part)
      .join("");
  assert.equal(words("4SS"), "4♠S");
  assert.equal(words("3HX"), "3♥×");
  assert.equal(words("6DXXN"), "6♦××N");
  assert.equal(words("CA"), "♣A");
  assert.equal(words("HK"), "♥R", "honours are those of the language");
  assert.equal(words("DT"), "♦10");
  assert.equal(words(undefined), "");
});

test("attributes that are false are not there, and texts are never markup", () => {
  const element = dom.h("p", { class: false, hidden: true }, "<b>no</b>", null, [false, ["!"]]);
  assert.equal(element.outerHTML, '<p hidden="">&lt;b&gt;no&lt;/b&gt;!</p>');
});

test("the boards of a round are a span", () => {
  assert.equal(grid.span([]), "");
  assert.equal(grid.span([7]), "7");
  assert.equal(grid.span([4, 5, 6]), "4–6");
});

test("the clock counts down, hurries, and counts what is over", () => {
  live.room.offset_ms = 0;
  const clock = (left_ms, state = "Running") => ({
    state,
    left_ms,
    ends_ms: Date.now() + left_ms,
    warning_ms: 120_000,
  });
  assert.deepEqual(frame.clockFace(clock(600_500)), {
    text: "10:00",
    kind: "",
    noNewBoard: false,
    held: false,
  });
  assert.equal(frame.clockFace(clock(90_500)).kind, "soon");
  assert.deepEqual(frame.clockFace(clock(-65_500)), {
    text: "+1:05",
    kind: "over",
    noNewBoard: false,
    held: false,
  });
  // Left open since yesterday.
  assert.equal(frame.clockFace(clock(-14.5 * 3_600_000)).text, "+14 h");
  assert.deepEqual(frame.clockFace(clock(300_000, "Held")), {
    text: "5:00",
    kind: "",
    noNewBoard: false,
    held: true,
  });
  assert.deepEqual(frame.clockFace({ state: "Off" }), { text: "", kind: "" });
  // In the last three minutes of a match nobody begins a board.
  const match = (left_ms) => frame.clockFace({ ...clock(left_ms), no_new_board_ms: 180_000 });
  assert.deepEqual(
    [200_000, 170_000, -1_000].map((left) => match(left).noNewBoard),
    [false, true, false],
  );
});

test("every column of a table is a cell, whatever it is made of", () => {
  const made = dom.table(
    "Pairs",
    ["Pair", ""],
    [
      ["7", dom.h("td", {}, "x")],
      [dom.h("b", {}, "8"), "y"],
    ],
  );
  assert.equal(made.querySelectorAll("tbody td").length, 4);
  assert.equal(made.querySelectorAll("thead th").length, 1);
});

test("a number chooses the form of its text", async () => {
  const texts = {
    plain: "Table {table}",
    wait: { by: "n", one: "A warning waits.", other: "{n} warnings wait." },
  };
  globalThis.fetch = async () => ({ json: async () => texts });
  const text = await script("text.js");
  await text.loadTexts();
  assert.equal(text.t("plain", { table: "A3" }), "Table A3");
  assert.equal(text.t("wait", { n: 1 }), "A warning waits.");
  assert.equal(text.t("wait", { n: 12 }), "12 warnings wait.");
  assert.equal(text.t("nowhere"), "nowhere");
});

test("a result is written with the letters of the language", async () => {
  const texts = { letter_nt: "SA", letter_west: "O", letter_south: "S" };
  globalThis.fetch = async () => ({ json: async () => texts });
  await (await script("text.js")).loadTexts();
  const { contractWritten, declared, resultText } = await script("resulttext.js");
  const { contractOnPads } = await script("typed.js");
  const shown = (contract, declarer, made) => {
    const parts = resultText({ result: { kind: "Played", contract, declarer, made } });
    return dom.h("p", {}, parts).textContent;
  };
  assert.equal(shown("3NTX", "W", "-1"), "3SA× O −1");
  assert.equal(shown("4S", "S", "="), "4♠ S =");
  assert.equal(contractWritten("3NTX"), "3SAX");
  assert.equal(dom.h("p", {}, declared("4SX S")).textContent, "4♠× S", "the declarer of a par");
  assert.equal(dom.h("p", {}, declared("3NT W")).textContent, "3SA O");
  assert.equal(contractOnPads(" 3 saX"), " 3 NTX");
  assert.equal(contractOnPads("4S"), "4S");
});
