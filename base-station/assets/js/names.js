// Who plays: every pair with its two players, corrected here, substitutes included.

import { get, post } from "./api.js";
import { field, fill, h, heading, toast } from "./dom.js";
import { closeDialog, doing, openDialog, unrefuse } from "./dialog.js";
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
    document.body.dataset.role === "director" && fromList(() => load()),
  );
  let pairs = [];
  const draw = () => {
    const wanted = search.value.toLowerCase();
    const shown = pairs.filter((pair) =>
      `${pair.pair} ${pair.players.map((player) => `${player.name} ${player.number ?? ""}`).join(" ")}`
        .toLowerCase()
        .includes(wanted),
    );
    fill(
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
                {},
                h("th", { scope: "row" }, pair.pair),
                h(
                  "td",
                  {},
                  pair.players.map((player) =>
                    h(
                      "div",
                      { class: "player" },
                      player.name || h("span", { class: "tag late" }, t("name_missing")),
                      player.number ? h("small", { class: "quiet" }, ` ${player.number}`) : "",
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
  load();
  return { update: (change) => change.all && load() };
}

/** Names of many pairs at once, as the office has them: a line a pair. */
function fromList(done) {
  const text = h("textarea", {
    rows: 6,
    placeholder: "A1NS; Anna Berg; Karl Lind\nA1EW; Ida Holm; Per Dahl",
  });
  const take = doing(t("names_take"), async (button) => {
    unrefuse(button);
    const lines = text.value
      .split("\n")
      .map((line) => line.split(/[;\t,]/).map((part) => part.trim()))
      .filter(([pair]) => pair);
    let named = 0;
    for (const [pair, ...players] of lines) {
      for (const [at, name] of players.slice(0, 2).entries()) {
        if (name)
          await post("names", { pair, partner: at === 0 ? "First" : "Second", number: null, name, from: 1 });
      }
      named += 1;
    }
    text.value = "";
    toast(t("names_taken", { n: named }));
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

function edit(pair, done) {
  const forms = pair.players.map((player, at) => {
    const number = h("input", {
      value: player.number ?? "",
      inputmode: "numeric",
      maxlength: 9,
      autocomplete: "off",
    });
    const name = h("input", {
      value: player.name,
      maxlength: 60,
      autocomplete: "off",
      list: `members-${at}`,
    });
    const from = h("input", { type: "number", min: 1, max: 99, value: 1 });
    const found = h("datalist", { id: `members-${at}` });
    name.addEventListener("input", async () => {
      if (name.value.length < 2) return;
      const { members } = await get(`members?search=${encodeURIComponent(name.value)}`);
      fill(
        found,
        members.map((member) => h("option", { value: member.name }, String(member.number))),
      );
      const exact = members.find((member) => member.name === name.value);
      if (exact) number.value = exact.number;
    });
    return h(
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
      doing(
        t("save"),
        async () => {
          await post("names", {
            pair: pair.pair,
            partner: at === 0 ? "First" : "Second",
            number: number.value === "" ? null : Number(number.value),
            name: name.value,
            from: Number(from.value),
          });
          toast(t("saved"));
          closeDialog();
          done();
        },
        { class: "primary" },
      ),
    );
  });
  openDialog(t("pair_n", { pair: pair.pair }), forms);
}
