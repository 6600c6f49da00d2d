// The results of one board, best for North-South first, and how often each score came.

import { cards, h, numeric, signed, table as tableOf, wide, wideHeading } from "./dom.js";
import { decimal, percent, t } from "./text.js";
import { resultText } from "./cell.js";

/** The traveller of a board; the line that is being looked at is marked. */
export function traveller(about, chosen) {
  const fouled = about.lines.some((line) => line.form !== about.lines[0].form);
  const rows = about.lines.map((line) => {
    const here = chosen && line.table === chosen.table && line.round === chosen.round;
    return h(
      "tr",
      { class: here && "chosen", "aria-current": here && "true" },
      h("td", {}, line.ns ?? "–"),
      h("td", {}, line.ew ?? "–"),
      h(
        "td",
        { class: "nowrap" },
        resultText(line),
        fouled && [" ", h("span", { class: "tag late" }, t("fouled_form", { form: line.form }))],
      ),
      h("td", { class: "wide" }, cards(line.result.lead)),
      h("td", { class: "number" }, signed(line.score)),
      h("td", { class: "number" }, decimal(line.ns_points, about.decimals)),
      h("td", { class: "number wide" }, decimal(line.ew_points, about.decimals)),
      h("td", { class: "number wide" }, percent(line.ns_percent)),
      h("td", { class: "number wide" }, percent(line.ew_percent)),
    );
  });
  const headings = [
    t("ns"),
    t("ew"),
    t("contract"),
    wideHeading(t("lead")),
    numeric(t("score_ns")),
    numeric(t("points_ns")),
    wide(numeric(t("points_ew"))),
    wide(numeric(t("percent_ns"))),
    wide(numeric(t("percent_ew"))),
  ];
  return tableOf(t("traveller_of", { n: about.board }), headings, rows);
}

/** How often each score came on a board. */
export function frequencies(about) {
  // The same score can be worth something else on another form of the board; awards come last.
  const counts = new Map();
  for (const line of about.lines.filter(({ ns_points: points }) => points !== null)) {
    const key = [
      line.score,
      line.form,
      line.ns_points,
      line.ew_points,
      line.score === null && line.result.text,
    ].join();
    const entry = counts.get(key) ?? { count: 0, line };
    entry.count += 1;
    counts.set(key, entry);
  }
  const worst = Number.NEGATIVE_INFINITY;
  const rows = [...counts.values()]
    .sort((one, other) => (other.line.score ?? worst) - (one.line.score ?? worst) || 0)
    .map(({ count, line }) => [
      h("td", { class: "number" }, line.score === null ? resultText(line) : signed(line.score)),
      h("td", { class: "number" }, count),
      h("td", { class: "number" }, decimal(line.ns_points, about.decimals)),
      h("td", { class: "number" }, decimal(line.ew_points, about.decimals)),
    ]);
  return tableOf(
    t("frequencies_of", { n: about.board }),
    [t("score_ns"), t("times"), t("points_ns"), t("points_ew")].map(numeric),
    rows,
  );
}
