// Who plays: every pair with its two players, corrected here, substitutes included.

import { get, post } from "./api.js";
import { field, fill, h, heading, toast } from "./dom.js";
import { closeDialog, doing, openDialog, unrefuse } from "./dialog.js";
import { sayChange } from "./done.js";
import { room } from "./live.js";
import { digitsOf, namesFrom } from "./nameslist.js";
import { pairCalled } from "./pairs.js";
import { redraw } from "./redraw.js";
import { t } from "./text.js";

/** Shows all pairs. */
export function show(main) {
  const list = h("div");
  const search = h("input", {
    type: "search",
    "aria-label": t("search_names"),
    placeholder: t("search_names"),
  });
  fill(
    main,
    h("h1", {}, t("page_names")),
    h("p", { class: "quiet" }, t("names_intro")),
    h("div", { class: "card" }, search),
    list,
  );
  let pairs = [];
  const draw = () => {
    const wanted = search.value.toLowerCase();
    const shown = pairs.filter((pair) =>
      `${pair.pair} ${pairCalled(pair.pair)} ${pair.players.map((player) => `${player.name} ${player.written}`).join(" ")}`
        .toLowerCase()
        .includes(wanted),
    );
    redraw(
      list,
      h(
        "div",
        { class: "scroll" },
        h(
          "table",
          {},
          h("thead", {}, h("tr", {}, [t("pair"), t("names"), ""].map(heading))),
          h(
            "tbody",
            {},
            shown.map((pair) =>
              h(
                "tr",
                { "data-key": pair.pair },
                h("th", { scope: "row", class: "nowrap" }, pairCalled(pair.pair)),
                h(
                  "td",
                  {},
                  pair.players.map((player) =>
                    h(
                      "div",
                      { class: "player" },
                      player.name || h("span", { class: "tag late" }, t("name_missing")),
                      player.number ? h("small", { class: "quiet" }, ` ${player.written}`) : "",
                    ),
                  ),
                ),
                h(
                  "td",
                  {},
                  document.body.dataset.role === "director" &&
                    h("button", { type: "button", onclick: () => edit(pair, load) }, t("change")),
                ),
              ),
            ),
          ),
        ),
      ),
    );
  };
  const load = async () => {
    ({ pairs } = await get("names"));
    draw();
  };
  search.addEventListener("input", draw);
  // Below the list, once that is there: it would be pushed down under the finger.
  load().then(() => {
    if (document.body.dataset.role === "director" && list.isConnected) main.append(fromList(() => load()));
  });
  return { update: (change) => change.all && load() };
}

/** Names of many pairs at once, as the office has them: a line a pair. */
function fromList(done) {
  const text = h("textarea", {
    rows: 6,
    placeholder: "1 NS, Anna Berg, Karl Lind\n1 EW, Ida Holm, Per Dahl",
  });
  const take = doing(t("names_take"), async (button) => {
    unrefuse(button);
    const lines = namesFrom(text.value, room.view.session?.sections ?? []);
    // Nothing is taken as long as a line can't be read.
    const wrong = lines.find((line) => line.fault);
    if (wrong) throw new Error(t("names_fault", { ...wrong, why: t(`names_fault_${wrong.fault}`) }));
    for (const { n, line, pair, players } of lines) {
      for (const [at, player] of (players ?? []).entries()) {
        const partner = at === 0 ? "First" : "Second";
        await post("names", { pair, partner, ...player, from: 1 }).catch((refusal) => {
          throw new Error(t("names_fault", { n, line, why: refusal.message }));
        });
      }
    }
    text.value = "";
    toast(t("names_taken", { n: lines.length }));
    await done();
  });
  return h(
    "details",
    { class: "card" },
    h("summary", {}, t("names_list")),
    field(t("names_list_label"), text, t("names_list_hint")),
    h("div", { class: "buttons" }, take),
  );
}

/** One of a pair's players, with what was changed of it. */
function playerForm(player, at) {
  const number = h("input", {
    value: player.written,
    inputmode: "numeric",
    maxlength: 9,
    autocomplete: "off",
  });
  const name = h("input", { value: player.name, maxlength: 60, autocomplete: "off", list: `members-${at}` });
  const from = h("input", { type: "number", min: 1, max: 99, value: 1 });
  const found = h("datalist", { id: `members-${at}` });
  name.addEventListener("input", async () => {
    if (name.value.length < 2) return;
    const { members } = await get(`members?search=${encodeURIComponent(name.value)}`);
    fill(
      found,
      members.map((member) => h("option", { value: member.name }, member.written)),
    );
    const exact = members.find((member) => member.name === name.value);
    if (exact) number.value = exact.written;
  });
  const before = JSON.stringify([number.value, name.value]);
  return {
    element: h(
      "fieldset",
      {},
      h("legend", {}, t("player_n", { n: at + 1 })),
      h(
        "div",
        { class: "fields" },
        field(t("name"), name),
        field(t("player_number"), number, t("player_number_hint")),
        field(t("from_round"), from, t("substitute_hint")),
      ),
      found,
    ),
    isChanged: () => JSON.stringify([number.value, name.value]) !== before,
    said: () => ({
      partner: at === 0 ? "First" : "Second",
      number: number.value === "" ? null : Number(number.value),
      digits: digitsOf(number.value),
      name: name.value,
      from: Number(from.value),
    }),
  };
}

// Both players and one button: whoever has typed two names loses neither.
function edit(pair, done) {
  const players = pair.players.map(playerForm);
  const save = doing(
    t("save"),
    async () => {
      let did = null;
      for (const player of players.filter((one) => one.isChanged()))
        did = await post("names", { pair: pair.pair, ...player.said() });
      closeDialog();
      if (did) await sayChange(did);
      done();
    },
    { class: "primary" },
  );
  openDialog(t("pair_n", { pair: pairCalled(pair.pair) }), [
    players.map((player) => player.element),
    h("div", { class: "buttons" }, save),
  ]);
}
