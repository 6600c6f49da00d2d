// The page's picture of the room, kept up to date by what the base station tells.

import assert from "node:assert/strict";
import { test } from "node:test";
import { Stream, script } from "./around.mjs";

const live = await script("live.js");

const cell = (table, round, state) => ({ table, round, state });
const whole = {
  seq: 7,
  now_ms: 1000,
  cells: [cell("A1", 1, "Waiting"), cell("A2", 1, "Waiting")],
  tables: [{ table: "A1", state: "Playing" }],
  warnings: [],
  clock: { state: "Off" },
};

test("a change touches the cell that it names and no other", () => {
  const told = [];
  const stop = live.watch((change) => told.push(change));
  live.connect();
  Stream.last.say("view", whole);
  const before = live.room.cells.get("A2.1");
  Stream.last.say("change", {
    seq: 8,
    now_ms: 2000,
    cells: [cell("A1", 1, "AllIn")],
    tables: [],
    parts: { clock: { state: "Running" } },
  });
  stop();
  assert.equal(live.room.cells.get("A1.1").state, "AllIn");
  assert.equal(live.room.cells.get("A2.1"), before);
  assert.equal(live.room.view.clock.state, "Running");
  assert.equal(live.room.view.seq, 8);
  assert.deepEqual(told[0], { all: true });
  assert.deepEqual(told[1].parts, ["clock"]);
});

test("a whole picture forgets tables that are not in it any more", () => {
  live.takeWhole(whole);
  live.takeWhole({ ...whole, tables: [{ table: "B1", state: "Playing" }], cells: [] });
  assert.deepEqual([...live.room.tables.keys()], ["B1"]);
  assert.equal(live.room.cells.size, 0);
});

test("the page counts time by the base station's clock", () => {
  live.takeWhole({ ...whole, now_ms: Date.now() + 3_600_000 });
  assert.ok(Math.abs(live.now() - Date.now() - 3_600_000) < 50);
});

test("a page that is kept for later lets its stream go, and takes a new one when it is back", () => {
  live.connect();
  const before = Stream.last;
  window.dispatchEvent(new window.Event("pagehide"));
  assert.equal(before.readyState, Stream.CLOSED);
  window.dispatchEvent(Object.assign(new window.Event("pageshow"), { persisted: false }));
  assert.equal(Stream.last, before, "a page that is new connects by itself");
  window.dispatchEvent(Object.assign(new window.Event("pageshow"), { persisted: true }));
  assert.notEqual(Stream.last, before);
  assert.equal(Stream.last.readyState, 1);
});

test("listeners hear once that the stream broke, and nobody hears after leaving", () => {
  const told = [];
  const stop = live.watch((change) => told.push(change.parts));
  live.connect();
  const stream = Stream.last;
  stream.listeners.get("open")();
  stream.listeners.get("error")();
  stream.listeners.get("error")();
  stop();
  stream.listeners.get("open")();
  assert.deepEqual(told, [["connection"], ["connection"]]);
});
