// A penalty or a warning for a pair, chosen from what regulations name or by hand.

import { get, post } from "./api.js";
import { choice, field, h, tick } from "./dom.js";
import { pairWithNames } from "./pairs.js";
import { t } from "./text.js";

/** The form; `formOf` makes it one of the cell's actions. */
export function penaltyForm(detail, line, formOf) {
  // Who is meant is read from the names, not from a number.
  const named = (pair, names) => [pair, pairWithNames(pair, names)];
  const pair = choice(
    [line.ns && named(line.ns, detail.ns_name), line.ew && named(line.ew, detail.ew_name)].filter(Boolean),
    line.ns,
  );
  // Only what this session's scoring can count.
  const kinds =
    detail.points_name === "imps"
      ? ["Warning", "Imps"]
      : ["Warning", "PercentOfTop", "PercentOfSession", "Matchpoints"];
  const kind = choice(
    kinds.map((name) => [name, t(`penalty_${name}`)]),
    kinds[1],
  );
  const value = h("input", {
    value: kinds.includes("Imps") ? "3" : "10",
    inputmode: "decimal",
    maxlength: 8,
  });
  const why = h("input", { maxlength: 200, required: true, placeholder: t("penalty_why_example") });
  const { box: printed, label: printedLabel } = tick(t("penalty_print_why"), false);
  const valueField = field(t("award_value"), value, t("penalty_value_hint"));
  // A warning costs nothing.
  const redraw = () => (valueField.hidden = kind.value === "Warning");
  kind.addEventListener("change", redraw);
  const preset = presets(
    (chosen) => {
      kind.value = chosen.kind;
      value.value = chosen.value;
      why.value = `${chosen.offence}: ${chosen.when}`;
      redraw();
    },
    (counted) =>
      kind.append(
        ...counted
          .filter((name) => !kinds.includes(name))
          .map((name) => h("option", { value: name }, t(`penalty_${name}`))),
      ),
  );
  return formOf(
    t("save"),
    [
      h("p", { class: "quiet" }, t("penalty_hint")),
      preset,
      h(
        "div",
        { class: "fields" },
        field(t("pair"), pair),
        field(t("penalty"), kind),
        valueField,
        field(t("why"), why),
      ),
      printedLabel,
    ],
    () =>
      post("penalties", {
        print_why: printed.checked,
        pair: pair.value,
        kind: kind.value,
        value: kind.value === "Warning" ? "" : value.value,
        why: why.value,
      }),
  );
}

/** What regulations name, by offence; those that fit this session's scoring only. */
function presets(choose, count) {
  const select = h("select", {}, h("option", { value: "" }, t("preset_own")));
  let all = [];
  // Without the list of presets a penalty is still typed by hand.
  get("penalties/presets")
    .catch(() => ({ presets: [], kinds: [] }))
    .then((answer) => {
      all = answer.presets.filter((one) => one.fits);
      count(answer.kinds);
      for (const offence of new Set(all.map((one) => one.offence))) {
        const options = all.map((one, at) => ({ one, at })).filter(({ one }) => one.offence === offence);
        select.append(
          h(
            "optgroup",
            { label: offence },
            options.map(({ one, at }) =>
              h(
                "option",
                { value: at },
                `${one.regulation}: ${one.when} · ${one.value ? t("preset_costs", { value: one.value, kind: t(`penalty_${one.kind}`) }) : t("penalty_Warning")}`,
              ),
            ),
          ),
        );
      }
    });
  select.addEventListener("change", () => select.value !== "" && choose(all[Number(select.value)]));
  return field(t("preset"), select);
}
