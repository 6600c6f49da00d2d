// A penalty or a warning for a pair, chosen from what regulations name or by hand.

import { get, post } from "./api.js";
import { choice, field, h } from "./dom.js";
import { said, t } from "./text.js";

const KINDS = ["Warning", "PercentOfTop", "PercentOfSession", "Matchpoints", "Imps", "VictoryPoints"];

/** The form; `formOf` makes it one of the cell's actions. */
export function penaltyForm(line, formOf) {
  const pair = choice([line.ns, line.ew].filter(Boolean).map((name) => [name, name]), line.ns);
  const kind = choice(KINDS.map((name) => [name, t(`penalty_${name}`)]), "PercentOfTop");
  const value = h("input", { value: "10", inputmode: "decimal", maxlength: 8 });
  const why = h("input", { maxlength: 200, required: true, placeholder: t("penalty_why_example") });
  const valueField = field(t("award_value"), value, t("penalty_value_hint"));
  // A warning costs nothing.
  const redraw = () => (valueField.hidden = kind.value === "Warning");
  kind.addEventListener("change", redraw);
  const preset = presets((chosen) => {
    kind.value = chosen.kind;
    value.value = chosen.value;
    why.value = `${said(chosen.offence)}: ${said(chosen.when)}`;
    redraw();
  });
  return formOf(t("save"), [
    h("p", { class: "quiet" }, t("penalty_hint")),
    preset,
    h("div", { class: "fields" }, field(t("pair"), pair), field(t("penalty"), kind), valueField, field(t("why"), why)),
  ], () => post("penalties", { pair: pair.value, kind: kind.value, value: kind.value === "Warning" ? "" : value.value, why: why.value }));
}

/** What regulations name, by offence; those that fit this session's scoring only. */
function presets(choose) {
  const select = h("select", {}, h("option", { value: "" }, t("preset_own")));
  let all = [];
  // Without the list of presets a penalty is still typed by hand.
  get("penalties/presets").catch(() => ({ presets: [] })).then((answer) => {
    all = answer.presets.filter((one) => one.fits);
    for (const offence of new Set(all.map((one) => one.offence))) {
      const options = all.map((one, at) => [one, at]).filter(([one]) => one.offence === offence);
      select.append(h("optgroup", { label: said(offence) }, options.map(([one, at]) => h("option", { value: at }, `${said(one.regulation)}: ${said(one.when)} · ${one.value ? t("preset_costs", { value: one.value, kind: t(`penalty_${one.kind}`) }) : t("penalty_Warning")}`))));
    }
  });
  select.addEventListener("change", () => select.value !== "" && choose(all[Number(select.value)]));
  return field(t("preset"), select);
}
