// Single rules of an event of matches, where they are not as its regulation says.

import { get } from "./api.js";
import { choice, field, fill, h, tick } from "./dom.js";
import { t } from "./text.js";

/** Sets of rules by name. */
export const REGULATIONS = [
  ["new-zealand-club", "regulation_club"],
  ["sabf", "regulation_sabf"],
  ["sabf-trials", "regulation_sabf_trials"],
  ["abf-championships", "regulation_abf"],
  ["gnot", "regulation_gnot"],
];

const SCALES = [
  ["wbf", "scale_wbf"],
  ["wbf-formula", "scale_wbf_formula"],
  ["wbf-discrete", "scale_wbf_discrete"],
  ["matchpoint-swiss", "scale_matchpoint"],
  ["ipc", "scale_ipc"],
  ["abf12", "scale_abf12"],
  ["gnot2006", "scale_gnot"],
  ["itc", "scale_itc"],
  ["itc-complement", "scale_itc_complement"],
];

const COLUMNS = [
  ["boards", "column_boards"],
  ["nearest-even", "column_even"],
  ["seven-tenths", "column_seven_tenths"],
];

const DATUMS = [
  ["club", "datum_club"],
  ["sabf", "datum_sabf"],
  ["sabf-swiss", "datum_sabf_swiss"],
  ["abf", "datum_abf"],
  ["abf-open", "datum_abf_open"],
  ["gnot", "datum_gnot"],
];

const TIES = [
  ["net-imps", "ties_net"],
  ["head-to-head", "ties_head"],
  ["swiss-points", "ties_swiss"],
  ["sabf-teams", "ties_sabf"],
  ["abf-stage", "ties_abf"],
  ["itc", "ties_itc"],
  ["gnot-last", "ties_gnot"],
  ["sabf-state-teams", "ties_sabf_state"],
  ["sabf-trials", "ties_sabf_trials"],
  ["itc-final", "ties_itc_final"],
  ["gnot2012-pool", "ties_gnot_pool"],
  ["gnot2012-swiss", "ties_gnot_swiss"],
];

export const LEVELS = [
  ["shared", "level_shared"],
  ["sabf-final", "level_four"],
  ["sabf-grand-final", "level_six"],
  ["gnot2006", "level_two_one"],
  ["gnot2012-rescored", "level_rescored"],
  ["gnot2012-second-half", "level_one_rescored"],
  ["gnot2012-long", "level_two_rescored"],
  ["gnot2012-final-place", "level_four_one"],
  ["without-carry-over", "level_no_carry"],
];

const FRACTIONS = [
  ["half-up", "fraction_up"],
  ["half-down", "fraction_down"],
  ["cut", "fraction_cut"],
];

const METHODS = [
  ["swiss", "method_swiss"],
  ["classical", "method_classical"],
  ["danish", "method_danish"],
];

/**
 * The fields, and what they say: only what somebody has changed. `shape` shows what fits.
 * @returns {{ fields: Node, shows: (own: object) => void, said: (rounds: number) => object, shape: (now: { teams: boolean, swiss: boolean, stanzas: boolean }) => void }}
 */
export function singleRules() {
  const usual = ["", t("rules_as_regulation")];
  const one = (options) => choice([usual, ...options.map(([value, key]) => [value, t(key)])], "");
  const number = (max, step = 1) => h("input", { type: "number", min: 0, max, step });
  const chosen = {
    scale: one(SCALES),
    column: one(COLUMNS),
    datum: one(DATUMS),
    ties: one(TIES),
    level: one(LEVELS),
    fraction: one(FRACTIONS),
    method: one(METHODS),
    penalties_in_draw: one([
      ["true", "yes"],
      ["false", "no"],
    ]),
    bye: number(100, 0.01),
    minutes: number(600),
    no_new_board: number(60),
    appeal_minutes: number(1440),
  };
  const rematches = one([
    ["first-half", "rematches_first_half"],
    ["last", "rematches_last"],
  ]);
  const oneSet = tick(t("rules_one_set"), false);
  const fields = Object.fromEntries(
    Object.entries(chosen).map(([name, control]) => [name, field(t(`rules_${name}`), control)]),
  );
  const again = field(t("rules_rematches"), rematches);
  const names = {
    scale: SCALES,
    column: COLUMNS,
    datum: DATUMS,
    ties: TIES,
    level: LEVELS,
    fraction: FRACTIONS,
    method: METHODS,
  };
  return {
    // What the regulation says stands where nobody has said anything else.
    shows(own) {
      for (const [name, options] of Object.entries(names)) {
        const key = options.find(([value]) => value === own[name])?.[1];
        chosen[name].options[0].textContent = key
          ? `${t("rules_as_regulation")}: ${t(key)}`
          : t("rules_as_regulation");
      }
      chosen.penalties_in_draw.options[0].textContent = `${t("rules_as_regulation")}: ${t(own.penalties_in_draw ? "yes" : "no")}`;
      for (const name of ["bye", "minutes", "no_new_board", "appeal_minutes"])
        chosen[name].placeholder = String(own[name]);
    },
    fields: h(
      "details",
      { id: "matches-rules" },
      h("summary", {}, t("rules_more")),
      h("div", { class: "fields" }, Object.values(fields), again),
      oneSet.label,
    ),
    shape({ teams, swiss, stanzas }) {
      fields.level.hidden = !teams || !stanzas;
      fields.datum.hidden = teams;
      fields.method.hidden = !swiss;
      fields.penalties_in_draw.hidden = !swiss;
      again.hidden = !swiss;
      oneSet.label.hidden = !teams;
    },
    said(rounds) {
      const said = {};
      for (const [name, control] of Object.entries(chosen)) {
        if (control.value === "" || fields[name].hidden) continue;
        if (name === "penalties_in_draw") said[name] = control.value === "true";
        else said[name] = control.type === "number" ? Number(control.value) : control.value;
      }
      if (!again.hidden && rematches.value === "first-half") said.rematches = { "of-first-half": rounds };
      if (!again.hidden && rematches.value === "last") said.rematches = { from: rounds };
      if (!oneSet.label.hidden && oneSet.box.checked) said.one_set = true;
      return said;
    },
  };
}

/**
 * What a regulation sets for such matches, in plain words: a place to fill, and what fills it.
 * @returns {{ fields: Node, ask: (asked: object) => void }}
 */
export function regulationWords(shows) {
  const list = h("ul", {});
  let last = "";
  const ask = (asked) => {
    const query = new URLSearchParams(asked).toString();
    if (query === last) return;
    last = query;
    get(`contest/regulation?${query}`)
      .then((own) => {
        // A later question has the later answer.
        if (query !== last) return;
        shows(own);
        fill(
          list,
          own.lines.map((line) => h("li", {}, line)),
        );
      })
      .catch(() => fill(list));
  };
  return {
    fields: h("details", { id: "matches-regulation" }, h("summary", {}, t("regulation_sets")), list),
    ask,
  };
}
