// The results of one board, best for North-South first, and how often each score came.

import { cards, h, numeric, signed, table as tableOf, wide, wideHeading } from "./dom.js";
import { decimal, digitsFor, percent, t } from "./text.js";
import { resultText } from "./resulttext.js";
import { pairShort } from "./pairs.js";

const digitsOf = (about) =>
  digitsFor(
    about.lines.flatMap((line) => [line.ns_points, line.ew_points]),
    about.decimals,
  );

/** The traveller of a board; the line that is being looked at is marked. */
export function traveller(about, chosen) {
  const digits = digitsOf(about);
  const percentDigits = digitsFor(
    about.lines.flatMap((line) => [line.ns_percent, line.ew_percent]),
    2,
  );
  const fouled = about.lines.some((line) => line.form !== about.lines[0].form);
  const rows = about.lines.map((line) => {
    const here = chosen && line.table === chosen.table && line.round === chosen.round;
    return h(
      "tr",
      { class: here && "chosen", "aria-current": here && "true" },
      h("td", { class: "number" }, pairShort(line.ns)),
      h("td", { class: "number" }, pairShort(line.ew)),
      h("td", { class: "number" }, line.round),
      h(
        "td",
        { class: "nowrap" },
        resultText(line),
        fouled && [" ", h("span", { class: "tag late" }, t("fouled_form", { form: line.form }))],
      ),
      h("td", { class: "wide" }, cards(line.result.lead)),
      h("td", { class: "number" }, signed(line.score)),
      h("td", { class: "number" }, decimal(line.ns_points, digits)),
      h("td", { class: "number wide" }, decimal(line.ew_points, digits)),
      h("td", { class: "number wide" }, percent(line.ns_percent, percentDigits)),
      h("td", { class: "number wide" }, percent(line.ew_percent, percentDigits)),
    );
  });
  const headings = [
    numeric(t("ns")),
    numeric(t("ew")),
    h("th", { scope: "col", class: "number" }, h("abbr", { title: t("round") }, t("round_short"))),
    t("contract"),
    wideHeading(t("lead")),
    numeric(t("score_ns")),
    numeric(t("points_ns")),
    wide(numeric(t("points_ew"))),
    wide(numeric(t("percent_ns"))),
    wide(numeric(t("percent_ew"))),
  ];
  const ofForms = Object.entries(about.datums ?? {}).map(
    ([form, value]) => `${t("fouled_form", { form })} ${signed(value)}`,
  );
  const compared = ofForms.length > 0 ? ofForms.join(", ") : signed(about.datum);
  const datum = about.datum === null || about.datum === undefined ? "" : `, ${t("datum")} ${compared}`;
  return tableOf(t("traveller_of", { n: about.board }) + datum, headings, rows);
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
  const digits = digitsOf(about);
  const rows = [...counts.values()]
    .sort((one, other) => (other.line.score ?? worst) - (one.line.score ?? worst) || 0)
    .map(({ count, line }) => [
      h("td", { class: "number" }, line.score === null ? resultText(line) : signed(line.score)),
      h("td", { class: "number" }, count),
      h("td", { class: "number" }, decimal(line.ns_points, digits)),
      h("td", { class: "number" }, decimal(line.ew_points, digits)),
    ]);
  return tableOf(
    t("frequencies_of", { n: about.board }),
    [t("score_ns"), t("times"), t("points_ns"), t("points_ew")].map(numeric),
    rows,
  );
}
