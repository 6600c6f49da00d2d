// One field with other clubs: joining a centre, what it has, and how our pairs stand there.

import { get, post, put, remove } from "./api.js";
import { doing, refuse, unrefuse } from "./dialog.js";
import { field, fill, h, signed, table, tick } from "./dom.js";
import { room } from "./live.js";
import { pairFirst } from "./nameslist.js";
import { pairCalled } from "./pairs.js";
import { redraw } from "./redraw.js";
import { percent, t } from "./text.js";

/** What was heard last. */
let latest = null;

// As often as the base station asks the centre.
const LOOK_EVERY_MS = 3000;

/** Shows the way in, or how it stands with the centre. */
export function show(main) {
  if (document.body.dataset.role !== "director") {
    fill(main, h("p", { class: "empty" }, t("director_only")));
    return null;
  }
  const card = h("section", { class: "card", id: "centre" });
  const below = h("div", { id: "centre-field" });
  fill(main, h("h1", {}, t("page_centre")), h("p", { class: "quiet" }, t("centre_card_hint")), card, below);
  let shown = null;
  const draw = (state) => {
    latest = state;
    const now = state.joined ? "joined" : state.problem ? "spoiled" : "out";
    const made = {
      joined: () => joined(draw, state),
      spoiled: () => spoiled(draw, state),
      out: () => wayIn(draw),
    };
    if (shown !== now) fill(card, made[now]());
    shown = now;
    const own = state.joined && card.querySelector("#centre-state");
    if (own) redraw(own, ...standing(state));
    redraw(below, ...(state.field ? results(state.field) : []));
  };
  const look = async () => draw(await get("centre"));
  const again = setInterval(() => look().catch(() => {}), LOOK_EVERY_MS);
  look().catch((refusal) => fill(card, h("p", { class: "refusal" }, refusal.message)));
  return { leave: () => clearInterval(again) };
}

function wayIn(draw) {
  const address = h("input", { type: "url", placeholder: "https://", autocomplete: "off" });
  const code = h("input", { autocomplete: "off", spellcheck: "false" });
  const names = tick(t("centre_card_names"), false);
  const copy = tick(t("centre_card_copy"), true);
  const wanted = () => ({
    address: address.value,
    code: code.value,
    names: names.box.checked,
    copy: copy.box.checked,
  });
  const join = doing(t("centre_card_join"), async () => draw(await post("centre", wanted())), {
    class: "primary",
  });
  const enter = (event) => event.key === "Enter" && join.click();
  code.addEventListener("keydown", enter);
  return [
    field(t("centre_card_address"), address),
    field(t("centre_card_code"), code),
    names.label,
    copy.label,
    join,
  ];
}

function joined(draw, state) {
  const names = tick(t("centre_card_names"), state.names);
  whenTicked(names, async (yes) => draw(await put("centre/names", { names: yes })));
  const copy = tick(t("centre_card_copy"), state.copy);
  whenTicked(copy, async (yes) => draw(await put("centre/copy", { copy: yes })));
  return [
    h("h2", {}, t("centre_card_as", { event: state.event, club: state.club })),
    h("div", { id: "centre-state" }),
    names.label,
    copy.label,
    h("p", { class: "quiet" }, t("centre_card_copy_key")),
    categories(draw, state),
    h("p", {}, h("a", { href: state.page, target: "_blank" }, t("centre_card_page"))),
    leaving(draw),
  ];
}

/** Lists of their own, such as seniors: a pair and its category on each line. */
function categories(draw, state) {
  const sections = room.view.session?.sections ?? [];
  const lines = (text) => text.split("\n").filter((line) => line.trim());
  const called = (line) => {
    const found = pairFirst(line.trim(), sections);
    return found ? `${pairCalled(found.pair)} ${found.rest}` : line;
  };
  const meant = (line, at) => {
    const found = pairFirst(line.trim(), sections);
    if (found) return `${found.pair} ${found.rest}`;
    throw new Error(t("names_fault", { n: at + 1, line, why: t("names_fault_pair") }));
  };
  const typed = h("textarea", { rows: 4 });
  typed.value = lines(state.categories).map(called).join("\n");
  const keep = async (button) => {
    unrefuse(button);
    await draw(await put("centre/categories", { categories: lines(typed.value).map(meant).join("\n") }));
  };
  return h(
    "details",
    {},
    h("summary", {}, t("centre_card_categories")),
    field(t("centre_card_categories_hint"), typed),
    doing(t("save"), keep),
  );
}

function whenTicked({ box }, act) {
  box.addEventListener("change", async () => {
    unrefuse(box);
    try {
      await act(box.checked);
    } catch (refusal) {
      refuse(box, refusal);
    }
  });
}

/** What was written for the centre can't be read: the director can only begin anew. */
const spoiled = (draw, state) => [h("p", { class: "refusal" }, state.problem), leaving(draw)];

// It can't be undone, so it is asked.
function leaving(draw) {
  const place = h("div", { class: "sure" });
  const button = (label, act) => h("button", { type: "button", onclick: act }, label);
  const offer = () => fill(place, button(t("centre_card_leave"), ask));
  const ask = () => {
    const waiting = latest?.joined ? latest.all - latest.sent : 0;
    const [leave, path] = waiting
      ? [t("centre_card_leave_unsent"), "centre?unsent=true"]
      : [t("centre_card_leave"), "centre"];
    fill(
      place,
      h("p", { role: "status" }, t("centre_card_leave_sure")),
      waiting > 0 && h("p", { class: "refusal" }, t("centre_card_leave_waiting", { n: waiting })),
      doing(leave, async () => draw(await remove(path))),
      " ",
      button(t("cancel"), offer),
    );
  };
  offer();
  return place;
}

const standing = (state) => [
  h(
    "p",
    { role: "status", "data-key": "sent" },
    h("span", { class: `tag ${state.problem ? "" : "good"}` }, state.sent === state.all ? "✓" : "…"),
    " ",
    t("centre_card_sent", { sent: state.sent, all: state.all }),
  ),
  state.copied_ms &&
    h(
      "p",
      { class: "quiet", "data-key": "copied" },
      t("centre_card_copied", { time: new Date(state.copied_ms).toLocaleTimeString() }),
    ),
  state.problem && h("p", { class: "refusal", "data-key": "problem" }, state.problem),
  !state.field && h("p", { class: "quiet", "data-key": "none" }, t("centre_card_no_field")),
];

function results(all) {
  const share = (value) => (value === null || value === undefined ? "" : `${percent(value)} %`);
  const rows = all.pairs.map((one) => [
    one.rank ?? "–",
    one.called,
    one.percent === null ? (one.points ? signed(one.points) : "–") : share(one.percent),
  ]);
  const title = t("centre_card_field", { pairs: all.pairs_in_all, clubs: all.clubs });
  return [
    h(
      "section",
      { class: "card", "data-key": "pairs" },
      h("h2", {}, title),
      h("p", { class: "quiet" }, t(all.is_final ? "centre_is_final" : "centre_provisional")),
      table(t("centre_ranking"), [t("centre_place"), t("centre_pair_heading"), t("centre_result")], rows),
    ),
    h(
      "section",
      { class: "card", "data-key": "boards" },
      h("h2", {}, t("centre_card_boards")),
      all.boards.map((one) => board(one, share)),
    ),
  ];
}

function board(one, share) {
  const title = t("centre_board", { board: one.board });
  const rows = one.scores.map((kind) => [
    kind.score === null ? t("centre_adjusted") : signed(kind.score),
    kind.times,
    share(kind.percent),
  ]);
  const headings = [t("centre_score_ns"), t("centre_times"), t("centre_percent_ns")];
  return h(
    "details",
    { "data-key": `board-${one.board}`, "data-group": true },
    h("summary", {}, title),
    table(title, headings, rows),
  );
}
