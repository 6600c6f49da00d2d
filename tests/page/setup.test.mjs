// The room as it stands, columns without idle zeros, and what Enter does.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { script } from "./around.mjs";

const { pictured, pictureOf } = await script("roompicture.js");
const { digitsFor } = await script("text.js");
const { buttonFor } = await script("enter.js");
const { topicOf } = await script("help.js");

const cell = (table, round, ns, ew, boards) => ({ table: `A${table}`, round, ns, ew, boards });

test("a Mitchell with a bye-stand is drawn with its moves", () => {
  const cells = [
    cell(1, 1, 1, 1, [1, 2]),
    cell(2, 1, 2, 2, [3, 4]),
    cell(3, 1, 3, 3, [7, 8]),
    cell(4, 1, 4, 4, [1, 2]),
    cell(1, 2, 1, 4, [3, 4]),
    cell(2, 2, 2, 1, [5, 6]),
    cell(3, 2, 3, 2, [1, 2]),
    cell(4, 2, 4, 3, [3, 4]),
  ];
  const { tables, waiting } = pictured(cells);
  assert.deepEqual(
    tables.map(({ nsTo, ewTo, boardsTo }) => [nsTo, ewTo, boardsTo]),
    [
      [1, 2, 3],
      [2, 3, 1],
      [3, 4, 0],
      [4, 1, 3],
    ],
  );
  assert.deepEqual(tables[0].shares, [4]);
  assert.deepEqual(waiting, [{ before: 2, boards: [5, 6] }]);
  const end = pictured(cells, 2);
  assert.equal(end.last, true, "after the last round nobody goes anywhere");
  assert.deepEqual(
    end.tables.map(({ ns, nsTo, ewTo, boardsTo }) => [ns, nsTo, ewTo, boardsTo]),
    [1, 2, 3, 4].map((pair) => [pair, null, null, null]),
  );
});

test("the picture is turned from round to round, and asks for those that are not known", async () => {
  const cells = [1, 2, 3].map((round) => cell(1, round, 1, round + 1, [round]));
  let asked = 0;
  const more = async () => {
    asked += 1;
    return cells;
  };
  const place = pictureOf(cells.slice(0, 2), { rounds: 3, more });
  const [back, on] = place.querySelectorAll(".picture-turn button");
  const pairs = () => place.querySelector("text.pairs").textContent;
  assert.ok(pairs().endsWith("2"));
  assert.equal(back.getAttribute("aria-disabled"), "true");
  for (const opponent of ["3", "4", "4"]) {
    on.click();
    await new Promise((done) => setTimeout(done));
    assert.ok(pairs().endsWith(opponent), pairs());
  }
  assert.equal(asked, 1);
  assert.equal(on.getAttribute("aria-disabled"), "true");
});

test("a column has as many decimals as it needs", () => {
  assert.equal(digitsFor([4, 2, null], 2), 0);
  assert.equal(digitsFor([4.5, 2], 2), 1);
  assert.equal(digitsFor([4.25, 2], 2), 2);
  assert.equal(digitsFor([], 2), 0);
});

test("Enter presses the main button of its group, and none where there are several", () => {
  const main = document.getElementById("page");
  main.innerHTML =
    '<section><input id="one"><button id="other">x</button><button id="main" class="primary">x</button></section>' +
    '<section><input id="two"><button>x</button><button>x</button></section>';
  assert.equal(buttonFor(document.getElementById("one")).id, "main");
  assert.equal(buttonFor(document.getElementById("two")), null);
});

test("every warning of pads, boards and movement leads to its help", () => {
  assert.equal(topicOf("PadSilent"), "pad");
  assert.equal(topicOf("BoardMissing"), "missing");
  const views = readFileSync(new URL("../../base-station/src/view/warnings.rs", import.meta.url), "utf8");
  const kinds = /pub enum WarningKind \{([^}]*)\}/.exec(views)[1].match(/^ {4}[A-Z]\w+(?=,)/gm);
  assert.ok(kinds.length >= 13);
  for (const kind of kinds) assert.ok(topicOf(kind.trim()), kind);
});
