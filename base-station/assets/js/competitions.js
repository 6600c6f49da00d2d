// Competitions over several sessions: all of them, one as it stands, and a new one.

import { get, post } from "./api.js";
import { championship } from "./championship.js";
import { planForm } from "./championshipplan.js";
import { competition } from "./competition.js";
import { rulesForm } from "./competitionrules.js";
import { knockOut } from "./knockout.js";
import { choice, field, fill, h, long, toast } from "./dom.js";
import { doing } from "./dialog.js";
import { t } from "./text.js";

/** Shows all competitions, or the one that the address names. */
export function show(main, rest = []) {
  if (rest[0] === "knockout" && /^\d+$/.test(rest[1] ?? "")) return knockOut(main, Number(rest[1]));
  if (rest[0] === "championship" && /^\d+$/.test(rest[1] ?? "")) return championship(main, Number(rest[1]));
  if (/^\d+$/.test(rest[0] ?? "")) return competition(main, Number(rest[0]));
  const director = document.body.dataset.role === "director";
  const place = h("div");
  fill(
    main,
    h("h1", {}, t("page_competitions")),
    h("p", { class: "quiet" }, t("comp_intro")),
    h(
      "p",
      {},
      h("a", { href: "#/players" }, t("page_players")),
      " · ",
      h("a", { href: "/competitions/honours", target: "_blank" }, t("honours")),
    ),
    place,
  );
  // Everything at once: nothing is pushed down by what comes later.
  Promise.all([
    Promise.all([get("competitions"), get("knockouts"), get("championships")]),
    director ? Promise.all([get("competitions/presets"), get("calendar")]) : null,
  ])
    .then(([[{ competitions }, { knock_outs }, { championships }], kinds]) =>
      fill(
        place,
        h("section", { class: "card" }, listOf(competitions, knock_outs, championships)),
        kinds && [begin(kinds[0].presets, kinds[1].sessions), drawing(), staging()],
      ),
    )
    .catch((refusal) => fill(place, h("p", { class: "empty" }, refusal.message)));
  return null;
}

/** One of the things that can be begun: a line until somebody wants it. */
const beginning = (id, title, ...form) =>
  h(
    "section",
    { class: "card", id },
    h("details", {}, h("summary", {}, h("h2", { class: "inline" }, t(title))), ...form),
  );

function staging() {
  return beginning(
    "championship-begin",
    "champ_begin",
    h("p", { class: "hint" }, t("champ_begin_hint")),
    planForm(null, async (plan) => {
      const begun = await post("championships", plan);
      toast(t("done"));
      location.hash = `#/competitions/championship/${begun.championship}`;
    }),
  );
}

function listOf(competitions, knockOuts, championships) {
  if (competitions.length + knockOuts.length + championships.length === 0)
    return h("p", { class: "quiet" }, t("comp_none"));
  return h(
    "ul",
    { class: "plain" },
    competitions.map((one) =>
      h(
        "li",
        { class: "section-line" },
        h(
          "span",
          {},
          h("a", { href: `#/competitions/${one.id}` }, h("b", {}, one.name)),
          ` · ${t(`comp_contestants_${one.contestants}`)}`,
          ` · ${t("comp_sessions_of", { n: one.sessions, planned: one.planned })}`,
          one.away && [" ", h("span", { class: "tag" }, t("comp_is_away"))],
        ),
      ),
    ),
    championships.map((one) =>
      h(
        "li",
        { class: "section-line" },
        h(
          "span",
          {},
          h("a", { href: `#/competitions/championship/${one.id}` }, h("b", {}, one.name)),
          ` · ${t("champ_stages", { n: one.stages })}`,
          one.away && [" ", h("span", { class: "tag" }, t("comp_is_away"))],
        ),
      ),
    ),
    knockOuts.map((one) =>
      h(
        "li",
        { class: "section-line" },
        h(
          "span",
          {},
          h("a", { href: `#/competitions/knockout/${one.id}` }, h("b", {}, one.name)),
          ` · ${t(`ko_shape_${one.shape}`)}`,
          one.away && [" ", h("span", { class: "tag" }, t("comp_is_away"))],
        ),
      ),
    ),
  );
}

function drawing() {
  const name = h("input", { maxlength: 60 });
  const shape = choice(
    ["single-knock-out", "double-knock-out", "final-five", "one-round"].map((one) => [
      one,
      t(`ko_shape_${one}`),
    ]),
  );
  const entrants = h("textarea", { rows: 8 });
  const draw = async () => {
    const lines = entrants.value.split("\n").map((line) => line.trim());
    const drawn = await post("knockouts", {
      name: name.value,
      shape: shape.value,
      entrants: lines.filter((line) => line !== ""),
    });
    toast(t("done"));
    location.hash = `#/competitions/knockout/${drawn.knock_out}`;
  };
  return beginning(
    "knock-out-draw",
    "ko_begin",
    h(
      "div",
      { class: "fields" },
      long(field(t("ko_shape"), shape)),
      field(t("comp_name"), name),
      field(t("ko_entrants"), entrants),
    ),
    h("div", { class: "buttons" }, doing(t("ko_draw_now"), draw, { class: "primary" })),
  );
}

function begin(presets, sessions) {
  const kind = choice(
    presets.map((preset) => [preset.name, t(`comp_kind_${preset.name}`)]),
    presets[0].name,
  );
  const name = h("input", { maxlength: 60 });
  const rules = h("div");
  let form;
  const draw = () => {
    const chosen = presets.find((preset) => preset.name === kind.value) ?? presets[0];
    form = rulesForm(chosen.rules, {}, sessions);
    fill(rules, form.element);
  };
  kind.addEventListener("change", draw);
  draw();
  return beginning(
    "competition-begin",
    "comp_begin",
    h("div", { class: "fields" }, long(field(t("comp_kind"), kind)), field(t("comp_name"), name)),
    rules,
    h(
      "div",
      { class: "buttons" },
      doing(
        t("comp_begin_now"),
        async () => {
          const begun = await post("competitions", { name: name.value, ...form.read() });
          toast(t("done"));
          location.hash = `#/competitions/${begun.competition}`;
        },
        { class: "primary" },
      ),
    ),
  );
}
