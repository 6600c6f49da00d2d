// Names of many pairs as people write them down.

import assert from "node:assert/strict";
import { test } from "node:test";
import { script } from "./around.mjs";

const { namesFrom } = await script("nameslist.js");
const { inOrder, sheetNamed, nameOf } = await script("entry.js");
const { pairNumber } = await script("entrysheet.js");
const { pairTyped } = await script("pairs.js");
const { asOnPads } = await script("typed.js");
const { leafOf } = await script("display.js");

const two = [{ letter: "A", one_winner: false }];
const one = [{ letter: "A", one_winner: true }];
const named = (name) => ({ number: null, name });

test("a pair is understood however it is written", () => {
  for (const typed of [
    "1NS",
    "1 NS",
    "1n",
    "A1NS",
    "a1 ns",
    "A 1 NS",
    "1-NS",
    "1 nz",
    "1ns:",
    "NS 1",
    "ns1",
    "NS A1",
  ]) {
    const [line] = namesFrom(`${typed} Anna Berg, Karl Lind`, two);
    assert.deepEqual(line.pair, "A1NS", typed);
    assert.deepEqual(line.players, [named("Anna Berg"), named("Karl Lind")], typed);
  }
  assert.equal(namesFrom("12 ow; Ida; Per", two)[0].pair, "A12EW");
  assert.equal(namesFrom("12 EO Ida et Per", two)[0].pair, "A12EW");
  assert.equal(namesFrom("7 Erik Berg & Ola Nordmann", one)[0].pair, "A7");
  assert.equal(namesFrom("07 Erik – Ola", one)[0].pair, "A7");
});

test("a name that begins like a side is a name", () => {
  const [line] = namesFrom("7 Erik Sand, Nora Ek", one);
  assert.deepEqual(line.players, [named("Erik Sand"), named("Nora Ek")]);
});

test("numbers of the club's list stand for names", () => {
  assert.deepEqual(namesFrom("3 EW: 101, 0102", two)[0].players, [
    { number: 101, digits: 3, name: "" },
    { number: 102, digits: 4, name: "" },
  ]);
});

test("the line at fault is named, and empty lines are none", () => {
  const lines = namesFrom("1 NS Anna, Karl\n\nAnna Berg\n2 EW\n3 Ida, Per", two);
  assert.deepEqual(
    lines.map(({ n, fault }) => [n, fault]),
    [
      [1, undefined],
      [3, "pair"],
      [4, "names"],
      [5, "pair"],
    ],
  );
  const several = [...two, { letter: "B", one_winner: false }];
  assert.equal(namesFrom("1 NS Anna, Karl", several)[0].fault, "pair");
  assert.equal(namesFrom("B1NS Anna, Karl", several)[0].pair, "B1NS");
});

test("lines lie as on the paper traveller, or by rounds", () => {
  const line = (ns, ew, round, table) => ({ ns, ew, round, table, board: 7 });
  const lines = [
    line("A10NS", "A2EW", 1, "A10"),
    line("A2NS", "A9EW", 3, "A2"),
    line("A1NS", "A1EW", 2, "A1"),
  ];
  assert.deepEqual(
    inOrder(lines, "board", "pairs").map(({ ns }) => ns),
    ["A1NS", "A2NS", "A10NS"],
  );
  assert.deepEqual(
    inOrder(lines, "board", "rounds").map(({ round }) => round),
    [1, 2, 3],
  );
});

test("every sheet of every section has an address", () => {
  const sections = [{ letter: "A" }, { letter: "B" }];
  for (const name of ["A3", "B12", "B-7"]) assert.equal(nameOf(sheetNamed(name, sections)), name);
  assert.deepEqual(sheetNamed("board-7", sections), { kind: "board", section: "A", board: 7 });
  assert.equal(sheetNamed("", sections), null);
});

test("a pair's number is enough where it is typed", () => {
  assert.equal(pairTyped("4", two[0], "NS"), "A4NS");
  assert.equal(pairTyped(" a4 ", two[0], "EW"), "A4EW");
  assert.equal(pairTyped("4", { letter: "B", one_winner: true }, "EW"), "B4");
  assert.equal(pairTyped("", one[0], "NS"), null);
  assert.equal(pairNumber("A14NS"), "14");
});

test("a pair is typed as the page calls it, in every language, on whichever side it really sat", () => {
  for (const typed of ["EW 7", "ew7", "7 EW", "A7EW", "a 7 ew", "A EW 7", "OW 7", "EO 7", "7e"])
    assert.equal(pairTyped(typed, two[0], "NS"), "A7EW", typed);
  assert.equal(pairTyped("NZ 7", two[0], "EW"), "A7NS");
  assert.equal(pairTyped("7 NS", one[0]), "A7");
  assert.equal(pairTyped("B7NS", two[0], "EW"), "B7NS");
  // The base station says what it expects.
  for (const typed of ["7", "seven", "7 8"])
    assert.equal(pairTyped(typed, two[0]), { 7: "A7" }[typed] ?? typed);
});

test("seats and no trump are understood as the scorer's own language writes them", () => {
  for (const [language, typed, understood] of [
    ["de", "4SO=", "4SE="],
    ["fr", "3 SA O -1", "3 NT W -1"],
    ["nl", "3sax z+1", "3NTx S+1"],
    ["nl", "2HXXO=", "2HXXE="],
    ["de", "3NO-1", "3NE-1"],
    ["nl", "1NZ=", "1NS="],
    // What is English stays so, and so does what is no contract.
    ["nl", "4SS=", "4SS="],
    ["fr", "3NE-1", "3NE-1"],
    ["de", "620", "620"],
    ["de", "NP", "NP"],
  ])
    assert.equal(asOnPads(typed, language), understood, `${typed} in ${language}`);
});

test("a long list turns its leaves", () => {
  const rows = Array.from({ length: 30 }, (_, at) => at);
  assert.deepEqual(leafOf(rows, 0, 14).rows.length, 14);
  assert.deepEqual(leafOf(rows, 2, 14), { rows: [28, 29], at: 3, leaves: 3 });
  assert.deepEqual(leafOf(rows, 3, 14).at, 1);
});
