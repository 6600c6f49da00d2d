// An event with stages: what comes next, each stage with its standing, who goes on, and the places.

import { get, post, put } from "./api.js";
import { eveningChanged, putAway, showCards } from "./cards.js";
import { choice, field, h, numeric, table as tableOf, tick, toast } from "./dom.js";
import { doing } from "./dialog.js";
import { sayPutBack } from "./done.js";
import { CARRIES } from "./matchfield.js";
import { decimal, t } from "./text.js";

const SHAPES = ["single-knock-out", "double-knock-out", "final-five"];

const number = (value) => h("td", { class: "number" }, value);

/** Shows a championship. */
export function championship(main, id) {
  const again = showCards(
    main,
    () => get(`championships/${id}`),
    (view, acted) => cards(view, document.body.dataset.role === "director", acted),
  );
  return { update: (change) => eveningChanged(change) && again() };
}

function cards(view, director, draw) {
  const may = director && !view.away;
  return [
    h("p", {}, h("a", { href: "#/competitions" }, "‹ ", t("comp_way_back"))),
    h("h1", {}, view.name, view.away && [" ", h("span", { class: "tag" }, t("comp_is_away"))]),
    h("p", { class: "next-step", role: "status" }, h("b", {}, t("next_step")), " ", view.next),
    view.stages.map((stage) => stageCard(view, stage, may, draw)),
    view.places.length > 0 &&
      h(
        "section",
        { class: "card", id: "championship-places" },
        h("h2", {}, t("champ_places")),
        tableOf(
          t("champ_places"),
          [numeric(t("place")), t("names"), t("champ_stage")],
          view.places.map((one) => [number(one.place), one.name, view.stages[one.stage - 1]?.name ?? ""]),
        ),
      ),
    may &&
      h(
        "details",
        { id: "championship-plan", "data-key": "championship-plan", "data-keep": true },
        h("summary", {}, t("champ_change")),
        planForm(view, async (plan, before) => {
          const set = async (wanted) => {
            await put(`championships/${view.id}`, wanted);
            await draw();
          };
          await set(plan);
          sayPutBack(`${t("saved")} ${plan.name}`, () => set(before));
        }),
      ),
    director && h("div", { class: "buttons" }, putAway(view, `championships/${view.id}`, draw)),
  ];
}

function stageCard(view, stage, may, draw) {
  return h(
    "section",
    { class: "card", id: `stage-${stage.number}` },
    h("h2", {}, `${stage.number}. ${stage.name} `, h("span", { class: "tag" }, t(`champ_is_${stage.state}`))),
    stage.from && h("p", { class: "quiet" }, takes(view, stage)),
    stage.otherwise.map((what) => h("p", {}, "⚑ ", what)),
    stage.state === "to-come" && stage.cannot && h("p", { class: "quiet" }, stage.cannot),
    stage.state === "ready" && stage.coming.length > 0 && coming(stage),
    may && stage.state === "ready" && settingUp(view, stage, draw),
    stage.drawn !== null &&
      h("p", {}, h("a", { href: `#/competitions/knockout/${stage.drawn}` }, t("champ_knock_out"))),
    stage.fields.map((one, at) => fieldOf(view, stage, one, at + 1, may, draw)),
  );
}

function takes(view, stage) {
  const { from } = stage;
  const name = view.stages[from.stage - 1]?.name ?? "";
  const said =
    from.first > 1
      ? t("champ_takes_from", { name, n: from.take, first: from.first })
      : t(from.each_field ? "champ_takes_each" : "champ_takes", { name, n: from.take });
  const [, carry] = CARRIES.find(([one]) => one === from.carry) ?? CARRIES[0];
  return [said, from.by_places && t("champ_by_places"), `${t("stage_carry")}: ${t(carry)}`]
    .filter(Boolean)
    .join(" · ");
}

function coming(stage) {
  return tableOf(
    t("champ_coming"),
    [numeric(t("number")), t("names"), numeric(t("champ_brings"))],
    stage.coming.map((one) => [
      number(one.number),
      h("td", {}, one.name, one.replaces && [" ", h("span", { class: "tag" }, t("champ_replaces"))]),
      number(one.imps === 0 ? decimal(one.vp, 2) : `${decimal(one.imps, 2)} ${t("imps")}`),
    ]),
  );
}

function settingUp(view, stage, draw) {
  if (stage.knock_out)
    return h(
      "div",
      { class: "buttons" },
      doing(
        t("ko_draw_now"),
        async () => {
          await post(`championships/${view.id}/stages/${stage.number}/draw`, {});
          toast(t("done"));
          await draw();
        },
        { class: "primary" },
      ),
    );
  return h(
    "div",
    { class: "buttons" },
    h("a", { class: "button", href: "#/matches" }, t("champ_set_up_there")),
  );
}

function fieldOf(view, stage, one, at, may, draw) {
  const later = (line) => view.stages[(line.goes_to ?? 0) - 1]?.name;
  const isFollowed = view.stages.some((other) => other.from?.stage === stage.number);
  const passing = (line) => {
    const how = choice(
      [
        ["", t("champ_goes_on")],
        ["not-contending", t("champ_not_contending")],
        ["withdrawn", t("champ_withdrawn")],
      ],
      line.passed ?? "",
    );
    how.setAttribute("aria-label", `${t("champ_whether")}: ${line.name}`);
    const set = (wanted) =>
      put(`championships/${view.id}/stages/${stage.number}/passed-over`, {
        field: at,
        contestant: line.contestant,
        ...(wanted ? { how: wanted } : {}),
      });
    how.addEventListener("change", async () => {
      try {
        await set(how.value);
        const word = how.selectedOptions[0]?.textContent;
        how.blur();
        sayPutBack(`${t("saved")} ${line.name}: ${word}`, async () => {
          await set(line.passed);
          await draw();
        });
      } catch (refusal) {
        toast(refusal.message);
      }
      await draw();
    });
    return h("td", {}, how);
  };
  return h(
    "details",
    { id: `stage-${stage.number}-${at}`, open: stage.state === "playing" },
    h("summary", {}, `${t("standing")} · ${t("section")} ${one.section}`),
    tableOf(
      t("standing"),
      [
        numeric(t("place")),
        numeric(t("number")),
        t("names"),
        numeric(t("vps")),
        may && isFollowed ? t("champ_whether") : "",
      ],
      one.lines.map((line) => [
        number(line.place),
        number(line.contestant),
        h("td", {}, line.name, later(line) && [" ", h("span", { class: "tag good" }, `→ ${later(line)}`)]),
        number(decimal(line.vp, 2)),
        may && isFollowed
          ? passing(line)
          : h("td", {}, line.passed ? t(`champ_${line.passed.replace("-", "_")}`) : ""),
      ]),
    ),
  );
}

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

function stageRow(at, own) {
  const name = h("input", { maxlength: 60, value: own?.name ?? "" });
  const kind = choice(
    [["", t("champ_matches")], ...SHAPES.map((one) => [one, t(`ko_shape_${one}`)])],
    own?.knock_out ?? "",
  );
  const before = Array.from({ length: at - 1 }, (_, index) => [
    String(index + 1),
    t("champ_from_stage", { n: index + 1 }),
  ]);
  const usual = own === null && at > 1 ? String(at - 1) : "";
  const from = choice([["", t("champ_own_entries")], ...before], String(own?.from?.stage ?? usual));
  const count = (value) => h("input", { type: "number", min: 1, max: 400, value });
  const [take, first] = [count(own?.from?.take ?? 5), count(own?.from?.first ?? 1)];
  const carry = choice(
    CARRIES.map(([one, key]) => [one, t(key)]),
    own?.from?.carry ?? "nothing",
  );
  const each = tick(t("champ_each_field"), own?.from?.each_field ?? false);
  const places = tick(t("champ_by_places"), own?.from?.by_places ?? false);
  const rest = h(
    "div",
    {},
    h(
      "div",
      { class: "fields" },
      field(t("stage_take"), take),
      field(t("champ_first"), first),
      field(t("stage_carry"), carry),
    ),
    each.label,
    places.label,
  );
  const show = () => {
    rest.hidden = from.value === "";
  };
  from.addEventListener("change", show);
  show();
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
        field(t("champ_from"), from),
      ),
      rest,
    ),
    read: () => ({
      name: name.value,
      ...(kind.value === "" ? {} : { knock_out: kind.value }),
      ...(from.value === ""
        ? {}
        : {
            from: {
              stage: Number(from.value),
              first: Number(first.value),
              take: Number(take.value),
              each_field: each.box.checked,
              carry: carry.value,
              by_places: places.box.checked,
            },
          }),
    }),
  };
}
