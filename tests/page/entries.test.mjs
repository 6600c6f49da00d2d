// Pairs and teams as people write them down.

import assert from "node:assert/strict";
import { test } from "node:test";
import { script } from "./around.mjs";

const { entriesOf } = await script("matchsetup.js");

test("a pair is two names, a team has a name of its own", () => {
  assert.deepEqual(entriesOf("Ann Ace, Bob Bee\n\nEagles: Cleo, Dan, Eve, Fay\n"), [
    { number: 1, name: "", players: ["Ann Ace", "Bob Bee"] },
    { number: 2, name: "Eagles", players: ["Cleo", "Dan", "Eve", "Fay"] },
  ]);
  assert.deepEqual(entriesOf(" \n"), []);
});

test("what is special stands behind it", () => {
  const [one, two] = entriesOf("Ann, Bob (table 3) (not 5, 7)\nOwls: Cleo; Dan; Eve; Fay (club North Shore)");
  assert.equal(one.stationary, 3);
  assert.deepEqual(one.forbidden, [5, 7]);
  assert.deepEqual(one.players, ["Ann", "Bob"]);
  assert.equal(two.club, "North Shore");
  assert.equal(two.players.length, 4);
});

test("what nobody knows is named, and the rest still read", () => {
  const [one] = entriesOf("Ann, Bob (yellow) (sitting) (carry 3,5)");
  assert.deepEqual(one.unknown, ["(sitting)"]);
  assert.equal(one.seats_first, true);
  assert.equal(one.carry_over, 3.5);
});
