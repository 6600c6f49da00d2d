// One competition: where everybody stands, which sessions count, and what the director says about it.

import { get, put } from "./api.js";
import { eveningChanged, putAway, showCards } from "./cards.js";
import { entries, groups, handicaps, notes } from "./competitionchanges.js";
import { rulesForm } from "./competitionrules.js";
import { choice, field, h, numeric, table as tableOf, untitled, wide } from "./dom.js";
import { doing } from "./dialog.js";
import { sayPutBack } from "./done.js";
import { wayForPhones } from "./onphones.js";
import { currentLanguage, day, decimal, digitsFor, t } from "./text.js";

/** Sessions that have a column of their own on the screen. */
const COLUMNS_MAX = 12;

const number = (value) => h("td", { class: "number" }, value);

/** Shows a competition. */
export function competition(main, id) {
  const read = async () => {
    const view = await get(`competitions/${id}`);
    const director = document.body.dataset.role === "director";
    return { view, director, calendar: director ? (await get("calendar")).sessions : [] };
  };
  const again = showCards(main, read, ({ view, calendar, director }, acted) =>
    cards(view, calendar, director, acted),
  );
  // A session that ends or is released counts at once; nobody loses the form they are in.
  return { update: (change) => eveningChanged(change) && again() };
}

function cards(view, calendar, director, draw) {
  const more = (key, ...inside) =>
    h("details", { id: key, "data-key": key, "data-keep": true }, h("summary", {}, t(key)), ...inside);
  const nominated = view.rules.contestants === "nominated-pairs";
  return [
    h("p", {}, h("a", { href: "#/competitions" }, "‹ ", t("comp_way_back"))),
    h("h1", {}, view.name, view.away && [" ", h("span", { class: "tag" }, t("comp_is_away"))]),
    view.problems.length > 0 &&
      h(
        "section",
        { class: "card" },
        h(
          "ul",
          {},
          view.problems.map((problem) => h("li", {}, "⚑ ", problem)),
        ),
      ),
    h(
      "section",
      { class: "card", id: "competition-standing" },
      h("h2", {}, t("standing")),
      view.lines.length ? standing(view) : h("p", { class: "quiet" }, t("comp_nobody_yet")),
      view.groups.map(groupOf),
      h("div", { class: "buttons" }, print(view.id)),
    ),
    h(
      "section",
      { class: "card", id: "competition-sessions" },
      h(
        "h2",
        {},
        t("comp_sessions_of", {
          n: view.sessions.filter((one) => one.state === "counts").length,
          planned: view.rules.sessions,
        }),
      ),
      sessions(view, calendar, director && !view.away, draw),
    ),
    director &&
      !view.away &&
      h(
        "section",
        { class: "card", id: "competition-changes" },
        nominated && more("comp_entries", entries(view, draw)),
        nominated &&
          view.entries.length > 0 &&
          view.sessions.length > 0 &&
          more("comp_notes", notes(view, draw)),
        view.rules.handicap && more("comp_handicaps", handicaps(view, draw)),
        more("comp_groups", groups(view, draw)),
        more("comp_change_rules", changeRules(view, calendar, draw)),
        more("comp_public", publicPage(view)),
      ),
    h(
      "section",
      { class: "card" },
      h("h2", {}, t("comp_rules")),
      h(
        "ul",
        {},
        view.says.map((sentence) => h("li", {}, sentence)),
      ),
      director && h("div", { class: "buttons" }, putAway(view, `competitions/${view.id}`, draw)),
    ),
  ];
}

function standing(view) {
  const columns = view.lines[0].cells.length > COLUMNS_MAX ? [] : view.lines[0].cells;
  const { handicap } = view.rules;
  const digitsOf = (figures) => digitsFor(figures, 2);
  const inCells = digitsOf(view.lines.flatMap((line) => line.cells.map((cell) => cell.counted)));
  const inTotals = digitsOf(view.lines.flatMap((line) => [line.total, line.raw_total]));
  return [
    untitled(
      tableOf(
        t("standing"),
        [
          numeric(t("place")),
          t("names"),
          ...columns.map((_, at) => wide(numeric(at + 1))),
          wide(numeric(t("comp_played"))),
          numeric(t(view.rules.total === "mean" ? "comp_mean" : "comp_total")),
          handicap && numeric(t("comp_raw")),
        ].filter(Boolean),
        view.lines.map((line) =>
          [
            number(line.place || "–"),
            h(
              "td",
              {},
              nameOf(view, line),
              line.why && [" ", h("small", { class: "quiet" }, line.why)],
              line.decided_by && [
                " ",
                h("small", { class: "quiet" }, t("decided_by", { what: line.decided_by })),
              ],
            ),
            ...line.cells.slice(0, columns.length).map((cell) => wide(cellOf(cell, inCells))),
            wide(number(line.sessions)),
            number(h("b", {}, decimal(line.total, inTotals))),
            handicap &&
              number([
                decimal(line.raw_total, inTotals),
                line.raw_place && h("small", { class: "quiet" }, ` (${line.raw_place})`),
              ]),
          ].filter(Boolean),
        ),
      ),
    ),
    h("p", { class: "quiet" }, t("comp_legend")),
  ];
}

// A single player's name leads to the player's results.
function nameOf(view, line) {
  if (view.rules.contestants !== "players") return line.names;
  return h("a", { href: `#/players/${encodeURIComponent(line.players[0])}` }, line.names);
}

function cellOf(cell, digits) {
  const star = { substitute: "*", "by-others": "*", unexcused: "*", away: "†" }[cell.played] ?? "";
  const text =
    cell.counted === null
      ? ({ unclear: "?", unexcused: "0*" }[cell.played] ?? "–")
      : `${cell.in_total ? decimal(cell.counted, digits) : `(${decimal(cell.counted, digits)})`}${star}`;
  const why = cell.note ?? cell.partner;
  return h("td", { class: cell.in_total ? "number" : "number quiet", title: why ?? undefined }, text);
}

function groupOf(group) {
  if (group.places.length === 0) return null;
  const digits = digitsFor(
    group.places.map((one) => one.total),
    2,
  );
  return [
    h("h3", {}, group.name),
    untitled(
      tableOf(
        group.name,
        [numeric(t("place")), t("names"), numeric(t("comp_total"))],
        group.places.map((one) => [number(one.place), one.names, number(decimal(one.total, digits))]),
      ),
    ),
  ];
}

function print(id) {
  const paper = localStorage.getItem("paper") ?? "a4";
  const href = `/print/competitions/${id}?paper=${paper}&language=${currentLanguage()}`;
  return h("a", { class: "button", href, target: "_blank" }, t("comp_print"));
}

const called = (one) => [day(one.date), one.event, one.title].filter(Boolean).join(" · ");

function sessions(view, calendar, director, draw) {
  const send = async (session, counts) => {
    await put(`competitions/${view.id}/sessions`, { session, counts });
    await draw();
  };
  const now = (session) => {
    const isHere = (one) => one.id === session && one.by_hand;
    if (view.sessions.some(isHere)) return "in";
    return view.left_out.some(isHere) ? "out" : "as-planned";
  };
  const set = (session, counts) => async () => {
    const word = t(counts === "in" ? "comp_put_in" : "comp_take_out");
    const which = calendar.find((one) => one.id === session);
    const before = now(session);
    await send(session, counts);
    sayPutBack(`${t("saved")} ${which ? called(which) : ""}: ${word}`, () => send(session, before));
  };
  // The standing has its columns by these numbers.
  const line = (one, button, at) =>
    h(
      "li",
      { class: "section-line", "data-key": one.id },
      h(
        "span",
        {},
        at && h("b", {}, `${at}. `),
        called(one),
        " ",
        h(
          "span",
          { class: one.state === "counts" ? "tag good" : "tag" },
          one.state === "counts" && "✓ ",
          t(`comp_state_${one.state.replaceAll("-", "_")}`),
        ),
      ),
      director && button,
    );
  const known = new Set([...view.sessions, ...view.left_out].map((one) => one.id));
  const others = calendar.filter((one) => !known.has(one.id));
  const other = choice(others.map((one) => [one.id, called(one)]));
  return [
    h(
      "ol",
      { class: "sessions plain" },
      view.sessions.map((one, at) => line(one, doing(t("comp_take_out"), set(one.id, "out")), at + 1)),
    ),
    view.left_out.length > 0 &&
      h(
        "ul",
        { class: "plain" },
        view.left_out.map((one) => line(one, doing(t("comp_put_in"), set(one.id, "in")))),
      ),
    director &&
      others.length > 0 &&
      h(
        "div",
        { class: "fields" },
        field(t("comp_put_in_which"), other),
        doing(t("comp_put_in"), () => set(Number(other.value), "in")()),
      ),
  ];
}

function changeRules(view, calendar, draw) {
  const name = h("input", { value: view.name, maxlength: 60 });
  const takes = { ...view.takes };
  if (takes.event === null && takes.from === null && takes.until === null) takes.event = "none";
  const form = rulesForm(view.rules, takes, calendar);
  const read = () => ({ name: name.value, ...form.read() });
  const before = read();
  return h(
    "div",
    {},
    h("div", { class: "fields" }, field(t("comp_name"), name)),
    form.element,
    h(
      "div",
      { class: "buttons" },
      doing(
        t("save"),
        async () => {
          const set = async (wanted) => {
            await put(`competitions/${view.id}`, wanted);
            await draw();
          };
          await set(read());
          sayPutBack(`${t("saved")} ${t("comp_change_rules")}`, () => set(before));
        },
        { class: "primary" },
      ),
    ),
  );
}

function publicPage(view) {
  const page = `/competitions/${view.id}`;
  return h(
    "div",
    {},
    h("p", {}, t("comp_public_hint")),
    wayForPhones(page, `${page}/qr.svg`, 180),
    h("p", {}, h("a", { href: page, target: "_blank" }, t("on_phones_look"))),
  );
}
