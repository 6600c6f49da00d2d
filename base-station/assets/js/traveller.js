// The results of one board, best for North-South first, and how often each score came.

import { cards, h, numeric, signed, table as tableOf, wide, wideHeading } from "./dom.js";
import { decimal, percent, t } from "./text.js";
import { resultText } from "./cell.js";

/** The traveller of a board; the line that is being looked at is marked. */
export function traveller(about, chosen) {
  const rows = about.lines.map((line) => {
    const here = chosen && line.table === chosen.table && line.round === chosen.round;
    return h("tr", { class: here && "chosen", "aria-current": here && "true" },
      h("td", {}, line.ns ?? "–"), h("td", {}, line.ew ?? "–"),
      h("td", { class: "nowrap" }, resultText(line)),
      h("td", { class: "wide" }, cards(line.result.lead)),
      h("td", { class: "number" }, signed(line.score)),
      h("td", { class: "number" }, decimal(line.ns_points, 2)),
      h("td", { class: "number wide" }, decimal(line.ew_points, 2)),
      h("td", { class: "number wide" }, percent(line.ns_percent)));
  });
  const headings = [t("ns"), t("ew"), t("contract"), wideHeading(t("lead")), numeric(t("score_ns")), numeric(t("points_ns")), wide(numeric(t("points_ew"))), wide(numeric(t("percent_ns")))];
  return tableOf(t("traveller_of", { n: about.board }), headings, rows);
}

/** How often each score came on a board. */
export function frequencies(about) {
  const counts = new Map();
  for (const line of about.lines.filter(({ score }) => score !== null)) {
    const entry = counts.get(line.score) ?? { count: 0, ns: line.ns_points, ew: line.ew_points };
    entry.count += 1;
    counts.set(line.score, entry);
  }
  const rows = [...counts].sort(([one], [other]) => other - one).map(([score, { count, ns, ew }]) => [
    h("td", { class: "number" }, signed(score)), h("td", { class: "number" }, count), h("td", { class: "number" }, decimal(ns, 2)), h("td", { class: "number" }, decimal(ew, 2)),
  ]);
  return tableOf(t("frequencies_of", { n: about.board }), [t("score_ns"), t("times"), t("points_ns"), t("points_ew")].map(numeric), rows);
}
