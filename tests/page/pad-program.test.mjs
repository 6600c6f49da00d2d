// Which of two programs for pads is the older one.

import assert from "node:assert/strict";
import { test } from "node:test";
import { script } from "./around.mjs";

const { isOlder } = await script("pad-program.js");

test("versions are compared part by part, as numbers", () => {
  for (const [older, newer] of [
    ["0.1.0", "0.2.0"],
    ["0.2.9", "0.10.0"],
    ["1.9.9", "2.0.0"],
    ["0.1.0", "0.1.1"],
  ]) {
    assert.equal(isOlder(older, newer), true, `${older} before ${newer}`);
    assert.equal(isOlder(newer, older), false, `${newer} after ${older}`);
    assert.equal(isOlder(older, older), false);
  }
});
