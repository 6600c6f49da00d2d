// The guide names buttons as they are called, in every language; the first page asks for what it needs.

import assert from "node:assert/strict";
import { readFileSync, readdirSync } from "node:fs";
import { test } from "node:test";

const folder = new URL("../../base-station/", import.meta.url);
const NAMED = {
  create_event: "guide_1",
  suggest: "guide_1",
  use_this: "guide_1",
  picture: "guide_1",
  own_choice: "guide_1",
  open_for_log_on: "guide_3",
  open_on_paper: "guide_3_paper",
  page_display: "guide_7",
  end_play: "guide_8",
  page_results: "guide_8",
  release: "guide_8",
  print_now: "guide_9",
  on_phones: "guide_9",
};

// What the card for the cupboard names.
const ON_THE_CARD = {
  help_first_steps: ["page_setup", "page_room", "page_warnings", "page_results"],
  help_pad_steps: ["key_replace"],
  help_score_steps: ["action_correct"],
  help_board_steps: ["page_warnings", "action_adjust", "action_more", "action_pairs"],
  help_late_steps: ["page_movement", "preview_do", "page_history"],
  help_movement_steps: ["page_warnings"],
  help_fouled_steps: ["action_more", "action_fouled"],
  help_crash_steps: ["page_calendar", "tab_traveller"],
  help_receiver_steps: ["tab_traveller"],
  help_names_steps: ["page_names"],
  help_deals_steps: ["page_setup", "help_fouled"],
  help_match_steps: ["page_matches", "match_sheet", "otherwise_title", "action_more", "action_move"],
  help_paper_steps: ["page_setup", "guide_paper", "tab_traveller"],
  leave_event_sure: ["page_calendar"],
  radio_channel_where: ["page_cable"],
};

// Words that mean something else at the table, or that the page calls otherwise.
const NOT_SO_CALLED = {
  "de.ftl": [/Anschrift/, /Klub/, /\bPads?\b/, /Paarpunkt/, /\bGruppe/],
  "fr.ftl": [/horloge(?! murale)/, /dérangée/, /\bla marque\b/i],
  // The leader of a contract is its declarer.
  "nl.ftl": [/(wachtwoord|pincode|menu|pagina) van de leider/i, /\barbiter\b/i, /tussentafel/, /\bronden\b/],
  "en.ftl": [/\b[A-Z]\d+(NS|EW)\b.*ranking/],
};

const catalogues = () =>
  readdirSync(new URL("telling/lang/", folder)).map((file) => {
    const catalogue = readFileSync(new URL(`telling/lang/${file}`, folder), "utf8");
    const text = (key) => new RegExp(`^${key} = (.*)$`, "m").exec(catalogue)?.[1] ?? assert.fail(key);
    return { file, catalogue, text };
  });

test("every button that the guide names is called so", () => {
  assert.equal(catalogues().length, 4);
  for (const { file, text } of catalogues())
    for (const [button, step] of Object.entries(NAMED))
      assert.ok(text(step).includes(text(button)), `${file}: ${step} does not name ${text(button)}`);
});

test("the card for the cupboard calls pages and buttons what they are called", () => {
  for (const { file, text } of catalogues())
    for (const [card, labels] of Object.entries(ON_THE_CARD))
      for (const label of labels) {
        const called = text(label).replace(/ …$/, "");
        assert.ok(text(card).includes(called), `${file}: ${card} does not name ${called}`);
      }
});

test("one thing has one name, and no name has two meanings", () => {
  for (const { file, catalogue } of catalogues())
    for (const wrong of NOT_SO_CALLED[file]) {
      const found = catalogue.split("\n").find((line) => wrong.test(line.replace(/^\S+ = /, "")));
      assert.equal(found, undefined, `${file}: ${wrong}`);
    }
});

test("the first page asks at once for every script that the room needs", () => {
  const read = (name) => readFileSync(new URL(`assets/${name}`, folder), "utf8");
  const seen = new Set();
  const follow = (name) => {
    if (seen.has(name)) return;
    seen.add(name);
    for (const [, next] of read(`js/${name}`).matchAll(/from "\.\/(\w+\.js)"/g)) follow(next);
  };
  follow("main.js");
  follow("grid.js");
  seen.delete("main.js");
  const asked = [...read("index.html").matchAll(/modulepreload" href="\/assets\/js\/(\w+\.js)"/g)];
  assert.deepEqual(asked.map(([, name]) => name).sort(), [...seen].sort());
});

test("a phone keeps every script that its page needs when the network is away", () => {
  const assets = new URL("assets/", folder);
  const seen = new Set();
  const follow = (path) => {
    if (seen.has(path)) return;
    seen.add(path);
    const script = readFileSync(new URL(`.${path}`, assets), "utf8");
    for (const [, next] of script.matchAll(/from "(\.[^"]+\.js)"/g))
      follow(new URL(next, `http://base${path}`).pathname);
  };
  follow("/phone/main.js");
  const worker = readFileSync(new URL("phone/worker.js", assets), "utf8");
  const [, named] = /\.\.\.\[([^\]]+)\]/.exec(worker) ?? assert.fail("no list");
  const own = [...named.matchAll(/"(\w+)"/g)].map(([, name]) => `/phone/${name}.js`);
  const others = [...worker.matchAll(/"\/assets(\/js\/\w+\.js)"/g)].map(([, path]) => path);
  assert.deepEqual([...own, ...others].sort(), [...seen].sort());
});
