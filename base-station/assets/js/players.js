// Players over many sessions: everybody in a line, and one player's results with a plot.

import { get } from "./api.js";
import { field, fill, h, numeric, table as tableOf, wide } from "./dom.js";
import { doing } from "./dialog.js";
import { currentLanguage, day, decimal, percent, t } from "./text.js";

const number = (value) => h("td", { class: "number" }, value);
const SVG = "http://www.w3.org/2000/svg";
const [WIDTH, HEIGHT, MARGIN] = [720, 260, 40];

/** Shows everybody's totals, or the results of the player that the address names. */
export function show(main, rest = []) {
  const year = new Date().getFullYear();
  const from = h("input", { type: "date", value: sessionStorage.getItem("from") ?? `${year}-01-01` });
  const until = h("input", { type: "date", value: sessionStorage.getItem("until") ?? `${year}-12-31` });
  const place = h("section", { class: "card" });
  const [player] = rest;
  const draw = async () => {
    sessionStorage.setItem("from", from.value);
    sessionStorage.setItem("until", until.value);
    const period = new URLSearchParams();
    if (from.value) period.set("from", from.value);
    if (until.value) period.set("until", until.value);
    fill(place, h("p", { class: "empty" }, h("span", { class: "busy" }), " ", t("loading")));
    fill(place, player ? await oneYear(player, period) : await totals(period));
  };
  fill(
    main,
    player
      ? h("p", {}, h("a", { href: "#/players" }, "‹ ", t("page_players")))
      : h("p", {}, h("a", { href: "#/competitions" }, "‹ ", t("page_competitions"))),
    h("h1", {}, t("page_players")),
    !player && h("p", { class: "quiet" }, t("comp_players_intro")),
    h(
      "section",
      { class: "card" },
      h("div", { class: "fields" }, field(t("comp_from"), from), field(t("comp_until"), until)),
      h("div", { class: "buttons" }, doing(t("comp_show_period"), draw)),
    ),
    place,
  );
  draw().catch((refusal) => fill(place, h("p", { class: "empty" }, refusal.message)));
  return null;
}

async function totals(period) {
  const { sessions, players } = await get(`players/totals?${period}`);
  return [
    h("p", {}, t("comp_sessions_looked_at", { n: sessions })),
    players.length > 0 &&
      tableOf(
        t("page_players"),
        [t("names"), numeric(t("comp_played")), numeric(t("comp_mean")), numeric(t("comp_points"))],
        players.map((one) => [
          h("td", {}, h("a", { href: `#/players/${encodeURIComponent(one.player)}` }, one.name)),
          number(one.sessions),
          number(percent(one.mean)),
          number(one.points),
        ]),
      ),
  ];
}

async function oneYear(player, period) {
  period.set("player", player);
  const year = await get(`players/year?${period}`);
  const print = new URLSearchParams(period);
  print.set("language", currentLanguage());
  print.set("paper", localStorage.getItem("paper") ?? "a4");
  return [
    h("h2", {}, year.name),
    h(
      "p",
      {},
      t("comp_year_says", {
        n: year.lines.length,
        mean: decimal(year.mean, 2) || "–",
        best: decimal(year.best, 2) || "–",
        points: year.points,
      }),
    ),
    plot(year),
    tableOf(
      t("comp_year"),
      [
        t("date"),
        wide(h("th", { scope: "col" }, t("comp_event"))),
        t("comp_partner"),
        numeric(t("percent")),
        wide(numeric(t("vps"))),
        numeric(t("place")),
        wide(numeric(t("comp_points"))),
      ],
      year.lines.map((line) => [
        h("td", { class: "nowrap" }, day(line.date)),
        wide(h("td", {}, line.event)),
        line.partner ?? "",
        number(decimal(line.percent, 2)),
        wide(number(decimal(line.vp, 2))),
        number(line.place ? `${line.place} / ${line.of}` : ""),
        wide(number(line.points || "")),
      ]),
    ),
    year.partners.length > 0 &&
      tableOf(
        t("comp_partners"),
        [t("comp_partner"), numeric(t("comp_played")), numeric(t("comp_mean"))],
        year.partners.map((one) => [one.name, number(one.sessions), number(percent(one.mean))]),
      ),
    h(
      "div",
      { class: "buttons" },
      h("a", { class: "button", href: `/print/player?${print}`, target: "_blank" }, t("print_now")),
    ),
  ];
}

const drawn = (name, attributes, text) => {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  if (text !== undefined) element.textContent = text;
  return element;
};

/** From the full ten below the lowest of these to that above the highest. */
export function tensAround(values) {
  const low = Math.floor(Math.min(50, ...values) / 10) * 10;
  const high = Math.ceil(Math.max(50, ...values) / 10) * 10;
  return [low, high > low ? high : low + 10];
}

// Each dot is a session; the dashed line is the mean.
function plot(year) {
  const scores = year.lines.map((line) => line.percent).filter((one) => one !== null);
  if (scores.length < 2) return null;
  const [low, high] = tensAround(scores);
  const x = (at) => MARGIN + (at / (scores.length - 1)) * (WIDTH - 2 * MARGIN);
  const y = (one) => MARGIN / 2 + ((high - one) / (high - low)) * (HEIGHT - MARGIN);
  const key = t("comp_plot_key", { mean: decimal(year.mean, 2) });
  const svg = drawn("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", "aria-label": key });
  svg.style.maxWidth = "100%";
  for (let ten = low; ten <= high; ten += 10)
    svg.append(
      drawn("line", {
        x1: MARGIN,
        x2: WIDTH - MARGIN,
        y1: y(ten),
        y2: y(ten),
        stroke: "currentColor",
        opacity: 0.25,
      }),
      drawn("text", { x: 2, y: y(ten) + 4, "font-size": 12, fill: "currentColor" }, `${ten}%`),
    );
  svg.append(
    drawn("polyline", {
      points: scores.map((one, at) => `${x(at)},${y(one)}`).join(" "),
      fill: "none",
      stroke: "currentColor",
      "stroke-width": 2,
    }),
    ...scores.map((one, at) => drawn("circle", { cx: x(at), cy: y(one), r: 4, fill: "currentColor" })),
    drawn("line", {
      x1: MARGIN,
      x2: WIDTH - MARGIN,
      y1: y(year.mean),
      y2: y(year.mean),
      stroke: "currentColor",
      "stroke-dasharray": "8 4",
      "stroke-width": 2,
    }),
  );
  return [svg, h("p", { class: "quiet" }, key)];
}
