// What a championship is called, and its stages: who plays each, and how.

import { choice, field, h, tick } from "./dom.js";
import { doing } from "./dialog.js";
import { CARRIES } from "./matchfield.js";
import { t } from "./text.js";

const SHAPES = ["single-knock-out", "double-knock-out", "final-five", "one-round"];

/** The form of a championship's name and stages. */
export function planForm(known, save) {
  const name = h("input", { maxlength: 60, value: known?.name ?? "" });
  const rows = h("div", {});
  const stages = [];
  const add = (own) => {
    const row = stageRow(stages.length + 1, own);
    stages.push(row);
    rows.append(row.element);
  };
  for (const own of known?.stages ?? [null, null]) add(own);
  const read = () => ({
    name: name.value,
    stages: stages.map((row) => row.read()).filter((stage) => stage.name.trim() !== ""),
  });
  const before = read();
  return [
    h("div", { class: "fields" }, field(t("comp_name"), name)),
    rows,
    h(
      "div",
      { class: "buttons" },
      doing(t("champ_one_more"), async () => add(null)),
      doing(t("champ_save"), () => save(read(), before), { class: "primary" }),
    ),
  ];
}

const count = (value, least = 1) => h("input", { type: "number", min: least, max: 400, value });

/** Those who come from one earlier stage. */
function sourceRow(at, own, usual) {
  const before = Array.from({ length: at - 1 }, (_, index) => [
    String(index + 1),
    t("champ_from_stage", { n: index + 1 }),
  ]);
  const from = choice([["", t("champ_own_entries")], ...before], String(own?.stage ?? usual));
  const [take, first] = [count(own?.take ?? 5), count(own?.first ?? 1)];
  const losers = count(own?.losers_of ?? 0, 0);
  const carry = choice(
    CARRIES.map(([one, key]) => [one, t(key)]),
    own?.carry ?? "nothing",
  );
  const each = tick(t("champ_each_field"), own?.each_field ?? false);
  const places = tick(t("champ_by_places"), own?.by_places ?? false);
  const ranked = tick(t("champ_ranked"), own?.ranked ?? false);
  const rest = h(
    "div",
    {},
    h(
      "div",
      { class: "fields" },
      field(t("stage_take"), take),
      field(t("champ_first"), first),
      field(t("stage_carry"), carry),
      field(t("champ_losers_of"), losers),
    ),
    each.label,
    places.label,
    ranked.label,
  );
  const show = () => {
    rest.hidden = from.value === "";
  };
  from.addEventListener("change", show);
  show();
  return {
    element: h("div", {}, h("div", { class: "fields" }, field(t("champ_from"), from)), rest),
    read: () =>
      from.value === ""
        ? null
        : {
            stage: Number(from.value),
            first: Number(first.value),
            take: Number(take.value),
            each_field: each.box.checked,
            carry: carry.value,
            by_places: places.box.checked,
            ranked: ranked.box.checked,
            ...(Number(losers.value) > 0 ? { losers_of: Number(losers.value) } : {}),
          },
  };
}

function stageRow(at, own) {
  const name = h("input", { maxlength: 60, value: own?.name ?? "" });
  const kind = choice(
    [["", t("champ_matches")], ...SHAPES.map((one) => [one, t(`ko_shape_${one}`)])],
    own?.knock_out ?? "",
  );
  const left = count(own?.left ?? 1);
  const leftOf = field(t("champ_left"), left);
  const choosers = h("input", { type: "number", min: 0, max: 8, value: own?.choice?.choosers ?? "" });
  const chooseFrom = count(own?.choice?.from ?? 1);
  const choosing = [field(t("champ_choosers"), choosers), field(t("champ_choose_from"), chooseFrom)];
  const show = () => {
    leftOf.hidden = kind.value !== SHAPES[0];
    for (const one of choosing) one.hidden = kind.value !== "one-round";
  };
  kind.addEventListener("change", show);
  show();
  const usual = own === null && at > 1 ? String(at - 1) : "";
  const sources = [];
  const list = h("div", {});
  const add = (from, first) => {
    const row = sourceRow(at, from, first);
    sources.push(row);
    list.append(row.element);
  };
  add(own?.from, usual);
  for (const from of own?.also ?? []) add(from, "");
  return {
    element: h(
      "fieldset",
      {},
      h("legend", {}, t("champ_stage_n", { n: at })),
      h(
        "div",
        { class: "fields" },
        field(t("champ_stage"), name),
        field(t("champ_kind"), kind),
        leftOf,
        choosing,
      ),
      list,
      at > 2 &&
        h(
          "div",
          { class: "buttons" },
          doing(t("champ_one_more_source"), async () => add(null, "")),
        ),
    ),
    read: () => {
      const [from, ...also] = sources.map((row) => row.read()).filter(Boolean);
      return {
        name: name.value,
        ...(kind.value === "" ? {} : { knock_out: kind.value }),
        ...(kind.value === SHAPES[0] ? { left: Number(left.value) } : {}),
        ...(kind.value === "one-round" && choosers.value !== ""
          ? { choice: { choosers: Number(choosers.value), from: Number(chooseFrom.value) } }
          : {}),
        ...(from ? { from, also } : {}),
      };
    },
  };
}
