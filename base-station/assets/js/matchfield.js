// The field of an event of matches from an earlier stage: its best, and what they bring along.

import { get } from "./api.js";
import { choice, field, fill, h } from "./dom.js";
import { t } from "./text.js";

/**
 * The fields, and what they say: nothing while no number is written.
 * @returns {{ fields: Node, size: () => number, said: () => object }}
 */
export function fromStage() {
  const sessions = h("select", {});
  const section = h("input", { maxlength: 1, value: "A" });
  const take = h("input", { type: "number", min: 2, max: 400 });
  const carry = choice(
    [
      ["nothing", t("carry_nothing")],
      ["all", t("carry_all")],
      ["difference", t("carry_difference")],
      ["wide-spread", t("carry_wide")],
      ["itc-final", t("carry_itc")],
      ["open-pairs", t("carry_open")],
      ["mixed-pairs", t("carry_mixed")],
    ],
    "nothing",
  );
  const fillIn = async () => {
    const known = (await get("calendar")).sessions.slice().reverse();
    fill(
      sessions,
      known.map((one) => h("option", { value: one.id }, `${one.date} ${one.event} ${one.title}`)),
    );
  };
  fillIn().catch(() => {});
  return {
    fields: h(
      "details",
      { id: "matches-stage" },
      h("summary", {}, t("stage_title")),
      h(
        "div",
        { class: "fields" },
        field(t("matches_continue_from"), sessions),
        field(t("matches_continue_section"), section),
        field(t("stage_take"), take),
        field(t("stage_carry"), carry),
      ),
    ),
    size: () => Number(take.value),
    said: () =>
      take.value === ""
        ? {}
        : {
            from: {
              session: Number(sessions.value),
              section: section.value,
              take: Number(take.value),
              carry: carry.value,
            },
          },
  };
}
