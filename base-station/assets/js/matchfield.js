// The field of an event of matches from an earlier stage: its best, and what they bring along.

import { get, post } from "./api.js";
import { choice, field, fill, h, numeric, table as tableOf } from "./dom.js";
import { doing } from "./dialog.js";
import { decimal, t } from "./text.js";

/** What those bring along who go on. */
export const CARRIES = [
  ["nothing", "carry_nothing"],
  ["all", "carry_all"],
  ["difference", "carry_difference"],
  ["wide-spread", "carry_wide"],
  ["itc-final", "carry_itc"],
  ["open-pairs", "carry_open"],
  ["mixed-pairs", "carry_mixed"],
];

/**
 * The fields, and what they say: nothing while no number is written and no stage is chosen.
 * @returns {{ fields: Node, size: () => number, said: () => object }}
 */
export function fromStage() {
  const sessions = h("select", {});
  const section = h("input", { maxlength: 1, value: "A" });
  const also = h("select", {});
  const alsoSection = h("input", { maxlength: 1, value: "A" });
  const take = h("input", { type: "number", min: 2, max: 400 });
  const order = h("div", {});
  const carry = choice(
    CARRIES.map(([one, key]) => [one, t(key)]),
    "nothing",
  );
  const fillIn = async () => {
    const known = (await get("calendar")).sessions.slice().reverse();
    const options = () =>
      known.map((one) => h("option", { value: one.id }, `${one.date} ${one.event} ${one.title}`));
    fill(sessions, options());
    fill(also, h("option", { value: "" }, t("stage_also_none")), options());
  };
  fillIn().catch(() => {});
  // Stages of championships that can be set up now: their field is known there.
  const stage = h("select", {});
  let ready = [];
  const fillStages = async () => {
    const all = (await get("championships")).championships.filter((one) => !one.away);
    const views = await Promise.all(all.map((one) => get(`championships/${one.id}`)));
    ready = views.flatMap((view) =>
      view.stages
        .filter((own) => own.state === "ready" && !own.knock_out)
        .map((own) => ({
          championship: view.id,
          stage: own.number,
          size: own.coming.length,
          name: `${view.name} · ${own.name}`,
        })),
    );
    fill(
      stage,
      h("option", { value: "" }, t("champ_none")),
      ready.map((one, at) => h("option", { value: at }, one.name)),
    );
  };
  fillStages().catch(() => {});
  const chosen = () => (stage.value === "" ? undefined : ready[Number(stage.value)]);
  const earlier = () =>
    also.value === "" ? [] : [{ session: Number(also.value), section: alsoSection.value }];
  const show = doing(t("stage_order"), async () => {
    const { lines } = await post("contest/over-stages", {
      session: Number(sessions.value),
      section: section.value,
      also: earlier(),
    });
    fill(order, overStages(lines));
  });
  show.hidden = true;
  also.addEventListener("input", () => {
    show.hidden = also.value === "";
    fill(order);
  });
  return {
    fields: h(
      "details",
      { id: "matches-stage" },
      h("summary", {}, t("stage_title")),
      h("div", { class: "fields" }, field(t("champ_stage_of"), stage)),
      h(
        "div",
        { class: "fields" },
        field(t("matches_continue_from"), sessions),
        field(t("matches_continue_section"), section),
        field(t("stage_take"), take),
        field(t("stage_carry"), carry),
        field(t("stage_also"), also),
        field(t("stage_also_section"), alsoSection),
      ),
      h("div", { class: "buttons" }, show),
      order,
    ),
    size: () => chosen()?.size ?? Number(take.value),
    said: () =>
      chosen()
        ? { stage: { championship: chosen().championship, stage: chosen().stage } }
        : take.value === ""
          ? {}
          : {
              from: {
                session: Number(sessions.value),
                section: section.value,
                take: Number(take.value),
                carry: carry.value,
                ...(also.value === "" ? {} : { also: earlier() }),
              },
            },
  };
}

// Points for places, and what separates those who have as many.
function overStages(lines) {
  const number = (value, digits) => h("td", { class: "number" }, decimal(value, digits));
  const points = (value) => decimal(value, Number.isInteger(value ?? 0) ? 0 : 2);
  const rows = lines.map((line) => [
    number(line.place, 0),
    number(line.contestant, 0),
    h("td", {}, line.name),
    h(
      "td",
      { class: "number nowrap" },
      `${line.points.map((it) => points(it ?? 0)).join(" + ")} = `,
      h("b", {}, points(line.total)),
    ),
    number(line.vp, 2),
    number(line.vp_played, 2),
    number(line.net, Number.isInteger(line.net) ? 0 : 2),
  ]);
  return tableOf(
    t("stage_order_title"),
    [
      numeric(t("place")),
      numeric(t("number")),
      t("names"),
      numeric(t("points")),
      numeric(t("vps")),
      numeric(t("stage_vp_played")),
      numeric(t("imps")),
    ],
    rows,
  );
}
