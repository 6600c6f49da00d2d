// An event with stages: what comes next, each stage with its standing, who goes on, and the places.

import { get, post, put } from "./api.js";
import { eveningChanged, putAway, showCards } from "./cards.js";
import { planForm } from "./championshipplan.js";
import { choice, field, h, numeric, table as tableOf, toast } from "./dom.js";
import { doing } from "./dialog.js";
import { sayPutBack } from "./done.js";
import { CARRIES } from "./matchfield.js";
import { wayForPhones } from "./onphones.js";
import { currentLanguage, decimal, t } from "./text.js";

const number = (value) => h("td", { class: "number" }, value);

/** Shows a championship. */
export function championship(main, id) {
  const read = async () => {
    const director = document.body.dataset.role === "director";
    const competitions = director ? (await get("competitions")).competitions : [];
    return { view: await get(`championships/${id}`), competitions, director };
  };
  const again = showCards(main, read, ({ view, competitions, director }, acted) =>
    cards(view, competitions, director, acted),
  );
  return { update: (change) => eveningChanged(change) && again() };
}

function cards(view, competitions, director, draw) {
  const may = director && !view.away;
  return [
    h("p", {}, h("a", { href: "#/competitions" }, "‹ ", t("comp_way_back"))),
    h("h1", {}, view.name, view.away && [" ", h("span", { class: "tag" }, t("comp_is_away"))]),
    h("p", { class: "next-step", role: "status" }, h("b", {}, t("next_step")), " ", view.next),
    view.stages.map((stage) => stageCard(view, stage, competitions, may, draw)),
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
    forEverybody(view),
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

function forEverybody(view) {
  const page = `/championships/${view.id}`;
  const paper = localStorage.getItem("paper") ?? "a4";
  return h(
    "details",
    { id: "championship-public", "data-key": "championship-public" },
    h("summary", {}, t("comp_public")),
    h("p", {}, t("comp_public_hint")),
    wayForPhones(page, `${page}/qr.svg`, 180),
    h(
      "div",
      { class: "buttons" },
      h("a", { class: "button", href: page, target: "_blank" }, t("on_phones_look")),
      h(
        "a",
        {
          class: "button",
          href: `/print${page}?paper=${paper}&language=${currentLanguage()}`,
          target: "_blank",
        },
        t("comp_print"),
      ),
    ),
  );
}

function stageCard(view, stage, competitions, may, draw) {
  return h(
    "section",
    { class: "card", id: `stage-${stage.number}` },
    h("h2", {}, `${stage.number}. ${stage.name} `, h("span", { class: "tag" }, t(`champ_is_${stage.state}`))),
    [stage.from, ...stage.also].filter(Boolean).map((from) => h("p", { class: "quiet" }, takes(view, from))),
    stage.left > 1 && h("p", { class: "quiet" }, t("champ_ends_with", { n: stage.left })),
    stage.otherwise.map((what) => h("p", {}, "⚑ ", what)),
    stage.state === "to-come" && stage.cannot && h("p", { class: "quiet" }, stage.cannot),
    stage.state === "ready" && stage.coming.length > 0 && coming(stage),
    may && stage.state === "ready" && settingUp(view, stage, competitions, draw),
    stage.drawn !== null &&
      h("p", {}, h("a", { href: `#/competitions/knockout/${stage.drawn}` }, t("champ_knock_out"))),
    stage.competition !== null &&
      h("p", {}, h("a", { href: `#/competitions/${stage.competition}` }, t("champ_competition"))),
    stage.fields.map((one, at) => fieldOf(view, stage, one, at + 1, may, draw)),
  );
}

function takes(view, from) {
  const name = view.stages[from.stage - 1]?.name ?? "";
  if (from.losers_of !== null) return t("champ_takes_losers", { name, n: from.losers_of });
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

function settingUp(view, stage, competitions, draw) {
  if (stage.knock_out && stage.choice) return choosing(view, stage, draw);
  if (stage.knock_out) {
    const entrants = h("textarea", { rows: 8 });
    const lines = () => entrants.value.split("\n").map((line) => line.trim());
    return [
      !stage.from && h("div", { class: "fields" }, field(t("ko_entrants"), entrants)),
      h(
        "div",
        { class: "buttons" },
        doing(
          t("ko_draw_now"),
          async () => {
            await post(`championships/${view.id}/stages/${stage.number}/draw`, {
              entrants: lines().filter((line) => line !== ""),
            });
            toast(t("done"));
            await draw();
          },
          { class: "primary" },
        ),
      ),
    ];
  }
  return h(
    "div",
    { class: "buttons" },
    h("a", { class: "button", href: "#/matches" }, t("champ_set_up_there")),
    ...(stage.from ? [] : asCompetition(view, stage, competitions, draw)),
  );
}

/** The best choose their opponents one after the other; then it is drawn. */
function choosing(view, stage, draw) {
  const place = h("div", {});
  const name = (wanted) => stage.coming.find((one) => one.number === wanted)?.name ?? "";
  const ask = async (picks) => {
    const now = await post(`championships/${view.id}/stages/${stage.number}/choosing`, { picks });
    if (now.by === null) {
      place.replaceChildren(
        h(
          "ul",
          { class: "plain" },
          now.pairs.map(([one, other]) => h("li", {}, `${name(one)} – ${name(other)}`)),
        ),
        doing(
          t("ko_draw_now"),
          async () => {
            await post(`championships/${view.id}/stages/${stage.number}/draw`, { picks });
            toast(t("done"));
            await draw();
          },
          { class: "primary" },
        ),
      );
      return;
    }
    const whom = choice(now.from.map((one) => [String(one), name(one)]));
    whom.setAttribute("aria-label", t("champ_chooses_now", { who: name(now.by) }));
    place.replaceChildren(
      h("p", {}, h("b", {}, t("champ_chooses_now", { who: name(now.by) }))),
      h(
        "div",
        { class: "buttons" },
        whom,
        doing(t("champ_choose"), () => ask([...picks, Number(whom.value)]), { class: "primary" }),
        doing(t("champ_nobody_chooses"), () => ask([...picks, null])),
      ),
    );
  };
  place.append(
    h(
      "div",
      { class: "buttons" },
      doing(t("champ_opponents"), () => ask([]), { class: "primary" }),
    ),
  );
  return place;
}

/** A stage that is a competition over several sessions of pairs that enter. */
function asCompetition(view, stage, competitions, draw) {
  const possible = competitions.filter((one) => one.contestants === "nominated-pairs" && !one.away);
  if (possible.length === 0) return [];
  const which = choice(possible.map((one) => [String(one.id), one.name]));
  which.setAttribute("aria-label", t("champ_as_competition"));
  return [
    which,
    doing(t("champ_as_competition"), async () => {
      await put(`championships/${view.id}/stages/${stage.number}`, { competition: Number(which.value) });
      toast(t("saved"));
      await draw();
    }),
  ];
}

function fieldOf(view, stage, one, at, may, draw) {
  const later = (line) => view.stages[(line.goes_to ?? 0) - 1]?.name;
  const isFollowed = view.stages.some((other) =>
    [other.from, ...other.also].some((from) => from?.stage === stage.number),
  );
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
    h(
      "summary",
      {},
      [t("standing"), one.session === null ? one.name : `${t("section")} ${one.name}`]
        .filter(Boolean)
        .join(" · "),
    ),
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
