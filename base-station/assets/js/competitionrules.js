// The rules of a competition as a form: the numbers that everybody asks for, and the rest folded away.

import { choice, field, h, long, tick } from "./dom.js";
import { t } from "./text.js";

const chosen = (key, names, value) =>
  choice(
    names.map((name) => [name, t(`${key}_${name}`)]),
    value,
  );
const counted = (value, min, max) => h("input", { type: "number", value, min, max, inputmode: "numeric" });

/** Every session there is begins with the first day there is. */
const FIRST_DAY = "0001-01-01";

/** A form for rules and for the sessions that belong to the competition by themselves. */
export function rulesForm(rules, takes, sessions) {
  const nominated = rules.contestants === "nominated-pairs";
  const single = rules.contestants === "players";
  const controls = {
    sessions: counted(rules.sessions, 1, 366),
    to_qualify: counted(rules.to_qualify, 0, 366),
    to_count: counted(rules.to_count, 1, 366),
    own: counted(rules.own, 0, 366),
    measure: chosen("comp_measure", ["percent", "victory-points", "imps"], rules.measure),
    total: chosen("comp_adding", ["sum", "mean"], rules.total),
    partners: chosen("comp_partner_rule", ["any", "once-each", "must-change"], rules.partners),
    substitutes: chosen("comp_substitutes", ["capped", "as-scored", "not-counted"], rules.substitutes),
    ties: chosen("comp_ties", ["shared", "sabf-pairs", "best-session", "last-session"], rules.ties),
    level_within: h("input", { value: rules.level_within, inputmode: "decimal" }),
  };
  const handicap = tick(t("comp_handicap"), rules.handicap);
  const membersOnly = tick(t("comp_members_only"), rules.members_only);
  const period = periodForm(takes, sessions);
  const element = h(
    "div",
    {},
    h(
      "div",
      { class: "fields" },
      field(t("comp_sessions"), controls.sessions),
      field(t("comp_to_qualify"), controls.to_qualify),
      field(t("comp_to_count"), controls.to_count),
      nominated && field(t("comp_own"), controls.own),
      single && field(t("comp_partner_rule"), controls.partners),
    ),
    handicap.label,
    period.element,
    h(
      "details",
      {},
      h("summary", {}, t("comp_more_rules")),
      h(
        "div",
        { class: "fields" },
        field(t("comp_measure"), controls.measure),
        field(t("comp_adding"), controls.total),
        nominated && long(field(t("comp_substitutes"), controls.substitutes)),
        long(field(t("comp_ties"), controls.ties)),
        field(t("comp_level_within"), controls.level_within),
      ),
      membersOnly.label,
    ),
  );
  const read = () => ({
    rules: {
      contestants: rules.contestants,
      measure: controls.measure.value,
      total: controls.total.value,
      sessions: Number(controls.sessions.value),
      to_qualify: Number(controls.to_qualify.value),
      to_count: Number(controls.to_count.value),
      own: nominated ? Number(controls.own.value) : 0,
      partners: single ? controls.partners.value : "any",
      substitutes: nominated ? controls.substitutes.value : "as-scored",
      handicap: handicap.box.checked,
      members_only: membersOnly.box.checked,
      level_within: numberOf(controls.level_within.value),
      ties: controls.ties.value,
    },
    takes: period.read(),
  });
  return { element, read };
}

/** A number as people write it: 0.03 or 0,03. */
export const numberOf = (text) => Number(String(text).trim().replace(",", ".").replace("−", "-"));

// Which sessions belong to it without being named: those of an event, from one day to another.
function periodForm(takes, sessions) {
  const events = new Map(sessions.map((one) => [one.event_id, one.event]));
  const began = takes.event ?? (takes.from || takes.until ? "all" : "none");
  const event = choice(
    [["none", t("comp_takes_none")], ["all", t("comp_takes_all")], ...events.entries()],
    takes.event === undefined && !takes.from && !takes.until ? (sessions[0]?.event_id ?? "none") : began,
  );
  const from = h("input", { type: "date", value: takes.from === FIRST_DAY ? "" : (takes.from ?? "") });
  const until = h("input", { type: "date", value: takes.until ?? "" });
  const days = h("div", { class: "fields" }, field(t("comp_from"), from), field(t("comp_until"), until));
  const draw = () => (days.hidden = event.value === "none");
  event.addEventListener("change", draw);
  draw();
  const element = h(
    "div",
    {},
    h("div", { class: "fields" }, field(t("comp_takes"), event, t("comp_takes_hint"))),
    days,
  );
  const read = () => {
    if (event.value === "none") return {};
    const day = { from: from.value || undefined, until: until.value || undefined };
    if (event.value === "all") return { ...day, from: day.from ?? FIRST_DAY };
    return { ...day, event: Number(event.value) };
  };
  return { element, read };
}
