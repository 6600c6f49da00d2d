// A part of the page that is drawn anew leaves alone what somebody is busy with.

import assert from "node:assert/strict";
import { test } from "node:test";
import { script } from "./around.mjs";

const { h, field } = await script("dom.js");
const { done, redraw } = await script("redraw.js");

function place(...children) {
  const made = h("div", {});
  document.body.append(made);
  redraw(made, ...children);
  return made;
}

const typeInto = (input, text) => {
  input.value = text;
  input.dispatchEvent(new window.Event("input", { bubbles: true }));
};

test("what is half typed is carried over, what nobody touched is as the base says", () => {
  const form = (round) =>
    h(
      "section",
      { class: "card", "data-key": "leaves" },
      field("Pair", h("input", {})),
      field("From round", h("input", { type: "number", min: round, value: round })),
    );
  const made = place(form(3));
  typeInto(made.querySelector("input"), "NS 7");
  redraw(made, form(4));
  assert.deepEqual(
    [...made.querySelectorAll("input")].map(({ value }) => value),
    ["NS 7", "4"],
  );
});

test("two fields of one name in two cards are not mixed up", () => {
  const card = (key) => h("section", { "data-key": key }, field("From round", h("input", {})));
  const made = place(card("pair"), card("table"));
  typeInto(made.querySelectorAll("input")[1], "5");
  redraw(made, h("p", {}, "news"), card("pair"), card("table"));
  assert.deepEqual(
    [...made.querySelectorAll("input")].map(({ value }) => value),
    ["", "5"],
  );
});

test("a block that is the same stays the same element, and a new one comes to its place", () => {
  const card = (key, text = key) => h("li", { "data-key": key }, h("button", {}, text));
  const list = (...cards) => h("ul", { "data-key": "open", "data-group": true }, cards);
  const made = place(list(card("a"), card("b")));
  const [a, b] = made.querySelectorAll("li");
  redraw(made, list(card("new"), card("a"), card("b", "changed")));
  const now = [...made.querySelectorAll("li")];
  assert.deepEqual(
    now.map((one) => one.textContent),
    ["new", "a", "changed"],
  );
  assert.equal(now[1], a);
  // What changed has the buttons of what it is now.
  assert.notEqual(now[2], b);
});

test("a fold stays open when there is one more in it, and focus stays at its button", () => {
  const drawn = (n) => [
    h("details", {}, h("summary", {}, `${n} settled`)),
    h(
      "table",
      {},
      h(
        "tbody",
        {},
        ["x", "y"].map((key) => h("tr", { "data-key": key }, h("td", {}, h("button", {}, "Undo")))),
      ),
    ),
  ];
  const made = place(...drawn(3));
  made.querySelector("details").setAttribute("open", "");
  made.querySelectorAll("button")[1].focus();
  redraw(made, ...drawn(4));
  assert.ok(made.querySelector("details").hasAttribute("open"));
  assert.equal(document.activeElement, made.querySelectorAll("button")[1]);
});

test("of two buttons that say the same nobody is given the keyboard by chance", () => {
  const drawn = () => [h("button", {}, "Undo"), h("button", {}, "Undo")];
  const made = place(...drawn());
  made.querySelector("button").focus();
  redraw(made, ...drawn());
  assert.ok(!made.contains(document.activeElement) || document.activeElement === made);
});

test("a form whose fields depend on each other comes along as it is, until it is done", () => {
  const form = (team) =>
    h(
      "section",
      { class: "card", "data-key": "a" },
      h(
        "details",
        { "data-key": "line-up", "data-keep": true },
        h("summary", {}, "Line-ups"),
        field("Team", h("input", { value: team })),
      ),
    );
  const made = place(form("Cooper"), h("p", {}, "1"));
  const input = made.querySelector("input");
  input.focus();
  typeInto(input, "Fisher");
  redraw(made, form("Turner"), h("p", {}, "2"));
  assert.equal(made.querySelector("input"), input);
  assert.equal(document.activeElement, input);
  assert.equal(made.querySelector("p").textContent, "2");
  done(made);
  redraw(made, form("Turner"), h("p", {}, "3"));
  assert.equal(made.querySelector("input").value, "Turner");
});

test("two sections have the same folds, and each stays as it was left", () => {
  const card = (key, text) =>
    h("section", { "data-key": key }, h("details", {}, h("summary", {}, "Line-ups"), h("p", {}, text)));
  const made = place(card("a", "1"), card("b", "1"));
  made.querySelectorAll("details")[1].setAttribute("open", "");
  redraw(made, card("a", "2"), card("b", "2"));
  const open = [...made.querySelectorAll("details")].map((fold) => fold.hasAttribute("open"));
  assert.deepEqual(open, [false, true]);
});
