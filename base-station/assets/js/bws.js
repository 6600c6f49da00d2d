// The BWS file of a scoring program that is played from: choose it, and see how it stands.

import { get, post, remove } from "./api.js";
import { refuse, unrefuse } from "./dialog.js";
import { field, fill, h } from "./dom.js";
import { t } from "./text.js";

// The base station looks at the file as often.
const LOOK_MS = 2000;

/** A card with the file, what was taken of it, and what stands in it. */
export function coupled() {
  const path = h("input", { id: "bws-path", maxlength: 1000, placeholder: t("bws_path_example") });
  const state = h("div", { id: "bws-state", role: "status" });
  const choose = h("button", { type: "submit" }, t("bws_choose"));
  let drawn = "";
  // Looked at every other second: what is the same is not read out again, nor taken from under a finger.
  const draw = (now) => {
    if (drawn === JSON.stringify(now)) return;
    drawn = JSON.stringify(now);
    fill(
      state,
      stands(now, () => remove("bws").then(draw)),
    );
  };
  const form = h(
    "form",
    {},
    field(t("bws_path"), path, t("bws_path_hint")),
    h("p", { class: "buttons" }, choose),
  );
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    unrefuse(path);
    try {
      draw(await post("bws", { path: path.value }));
    } catch (refusal) {
      refuse(path, refusal);
    }
  });
  const card = h(
    "section",
    { class: "card" },
    h("h2", {}, t("bws_title")),
    h("p", { class: "quiet" }, t("bws_hint")),
    form,
    state,
  );
  const look = async () => {
    if (state.isConnected) draw(await get("bws").catch(() => ({ file: null })));
    else clearInterval(timer);
  };
  const timer = setInterval(look, LOOK_MS);
  get("bws")
    .then(draw)
    .catch((refusal) => fill(state, h("p", { class: "quiet" }, refusal.message)));
  return card;
}

function stands(now, leave) {
  if (!now.file) return h("p", { class: "quiet" }, t("bws_none"));
  const end = h("button", { type: "button" }, t("bws_leave"));
  end.addEventListener("click", leave);
  const taken =
    now.session &&
    t("bws_taken", {
      sections: now.sections.join(", "),
      tables: now.tables,
      rounds: now.rounds,
      names: now.names,
      deals: now.deals,
    });
  return h(
    "div",
    {},
    h(
      "p",
      {},
      h("span", { class: now.problem ? "tag bad" : "tag good" }, now.problem ? "!" : "✓"),
      " ",
      h("b", {}, now.file),
    ),
    now.problem && h("p", { class: "refusal" }, now.problem),
    taken && h("p", {}, taken),
    now.session &&
      h(
        "p",
        {},
        t("bws_results", { n: now.results }),
        now.written ? ` · ${new Date(now.written).toLocaleTimeString()}` : "",
      ),
    now.beside && h("p", { class: "refusal" }, t("bws_beside", { file: now.beside })),
    now.notes.length > 0 &&
      h(
        "ul",
        { class: "quiet" },
        now.notes.map((note) => h("li", {}, note)),
      ),
    h("p", { class: "buttons" }, end),
  );
}
