// Results: the checklist, release, the ranking, travellers, and what can be printed or saved.

import { get, post } from "./api.js";
import { afterResults } from "./cards.js";
import { fingerprint } from "./certificate.js";
import { choice, field, fill, h, icon, numeric, table as tableOf, tick, toast, wide } from "./dom.js";
import { doing, openDialog } from "./dialog.js";
import { sayChange } from "./done.js";
import { counted, now, room } from "./live.js";
import { currentLanguage, day, decimal, percent, t, timeOfDay } from "./text.js";
import { frequencies, traveller } from "./traveller.js";
import { handRecord } from "./hand.js";
import { wayForPhones } from "./onphones.js";
import { pairCalled, pairWithNames } from "./pairs.js";
import { announcedAs, worth } from "./resulttext.js";
import { redraw } from "./redraw.js";

const PRINTS = [
  "ranking",
  "travellers",
  "frequencies",
  "scorecards",
  "route",
  "names",
  "hands",
  "records",
  "charts",
  "winners",
];

/** What matches leave besides, and what players may read before anything is released. */
const OF_MATCHES = ["standing", "draw", "crosstable", "matchsheets"];
const BEFORE_PLAY = ["draw", "route", "names"];

/** Shows everything about the result. */
export function show(main) {
  if (!room.view.session) {
    fill(main, h("p", { class: "empty" }, t("nothing_yet")));
    return null;
  }
  const checklist = h("section", { class: "card" });
  const ranking = h("section", { class: "card" });
  const board = h("section", { class: "card" });
  const title = h("h1", {}, t("page_results"));
  fill(main, title, h("p", { class: "empty" }, h("span", { class: "busy" }), " ", t("loading")));
  let matches = false;
  const draw = () =>
    Promise.all([drawChecklist(checklist), drawRanking(ranking)])
      .then(([, ranked]) => (matches = ranked.some((list) => list.matches)))
      .catch((refusal) => toast(refusal.message));
  // Shown when all of it is there: what comes later would push down what somebody is about to press.
  draw().then(() => {
    if (title.isConnected)
      fill(main, title, h("div", { class: "columns" }, checklist, paper(matches)), ranking, board);
  });
  drawBoards(board);
  return afterResults(draw);
}

/** What is shown after a release, by the place in which it is. */
const after = new WeakMap();

async function drawChecklist(place) {
  const { session } = room.view;
  if (!session) return;
  const { items } = await get("checklist");
  // While play goes on nothing is complete, whatever has arrived so far.
  const playing = session.phase === "Open";
  const unanswered = room.view.warnings.filter((warning) => !warning.answered && !warning.quiet).length;
  const rounds = Math.max(...session.sections.map((section) => section.rounds));
  const { arrived, total } = counted();
  const here = [
    playing && {
      text: session.on_paper
        ? t("paper_progress", { n: arrived, of: total })
        : t("checklist_playing", {
            round: Math.max(...session.sections.map((section) => section.room_round)),
            rounds,
          }),
    },
    unanswered > 0 && {
      text: h("a", { href: "#/warnings" }, t("checklist_warnings", { n: unanswered })),
    },
  ].filter((item) => item !== false);
  /** @type {{ text: Child; done?: boolean }[]} */
  const points = [...here, ...items.filter((item) => !item.done || here.length === 0)];
  const open = points.filter((item) => !item.done);
  const director = document.body.dataset.role === "director";
  // Why it is taken back is being typed while the last results come in.
  if (session.phase !== "Released") after.delete(place);
  else if (!after.has(place)) after.set(place, released(director));
  redraw(
    place,
    h("h2", {}, t(session.phase === "Released" ? "checklist_released" : "checklist")),
    h(
      "ul",
      { class: "plain" },
      points.map((item) =>
        h(
          "li",
          {},
          h("span", { class: `tag ${item.done ? "good" : "late"}` }, item.done ? "✓" : "!"),
          " ",
          item.text,
        ),
      ),
    ),
    director &&
      session.phase === "Open" &&
      doing(t("end_play"), () => post("end-play").then((did) => sayChange(did, t("done")))),
    director &&
      session.phase === "Ended" &&
      doing(
        open.length ? t("release_anyway") : t("release"),
        () => post("release", { despite_checklist: open.length > 0 }).then(() => toast(t("released"))),
        { class: open.length ? "danger" : "primary" },
      ),
    after.get(place),
  );
}

function released(director) {
  const why = h("input", { maxlength: 200 });
  const until = h("p", { class: "quiet" });
  const certificate = h("div", {});
  get("login")
    .then((me) => fill(certificate, fingerprint(me)))
    .catch(() => certificate.remove());
  if (director) correctionPeriod(until).catch(() => until.remove());
  return h(
    "div",
    {},
    h(
      "p",
      {},
      h("span", { class: "tag good" }, "✓ ", t("released")),
      " ",
      h("a", { href: `/results?language=${currentLanguage()}`, target: "_blank" }, t("public_page")),
    ),
    wayForPhones("/results", "/results/qr.svg", 180),
    certificate,
    until,
    director && field(t("reopen_why"), why),
    director && doing(t("reopen"), () => post("reopen", { why: why.value }).then(() => toast(t("done")))),
  );
}

async function correctionPeriod(place) {
  const { correction_ends_ms: ends } = await get("rules");
  if (!ends) return;
  const moment = { day: day(new Date(ends).toLocaleDateString("sv")), time: timeOfDay(ends) };
  place.textContent = t(ends > now() ? "correction_until" : "correction_over", moment);
}

// The sheet in a window of its own, and the browser's printing on top of it.
function print(address) {
  const sheet = window.open(address, "_blank");
  sheet?.addEventListener("load", () => sheet.print());
}

// The same sheet on players' phones, for the wall of a club that has no printer.
function onPhones(name) {
  openDialog(t(`print_${name}`), [
    room.view.session?.phase !== "Released" &&
      !BEFORE_PLAY.includes(name) &&
      h("p", { class: "refusal" }, t("on_phones_later")),
    wayForPhones(`/results/sheets/${name}`, `/results/qr.svg?sheet=${name}`),
    h("p", {}, h("a", { href: `/results/sheets/${name}`, target: "_blank" }, t("on_phones_look"))),
  ]);
}

function paper(matches) {
  const size = choice(
    [
      ["a4", "A4"],
      ["letter", "Letter"],
    ],
    localStorage.getItem("paper") ?? "a4",
  );
  const numbers = tick(t("print_player_numbers"), localStorage.getItem("paper-numbers") === "on");
  const pairs = tick(t("print_pair_numbers"), localStorage.getItem("paper-pairs") !== "off");
  const links = h("ul", { class: "sheets" });
  const draw = () => {
    localStorage.setItem("paper", size.value);
    localStorage.setItem("paper-numbers", numbers.box.checked ? "on" : "off");
    localStorage.setItem("paper-pairs", pairs.box.checked ? "on" : "off");
    const wanted = `${numbers.box.checked ? "&numbers=true" : ""}${pairs.box.checked ? "" : "&pairs=false"}`;
    const asked = `?paper=${size.value}&language=${currentLanguage()}${wanted}`;
    fill(
      links,
      [...(matches ? OF_MATCHES : []), ...PRINTS].map((name) =>
        h(
          "li",
          {},
          h("a", { href: `/print/${name}${asked}`, target: "_blank" }, t(`print_${name}`)),
          h(
            "a",
            {
              class: "quiet",
              href: `/print/${name}.pdf${asked}`,
              target: "_blank",
              "aria-label": `${t(`print_${name}`)}, ${t("as_pdf")}`,
            },
            t("as_pdf"),
          ),
          h(
            "button",
            {
              type: "button",
              class: "link",
              "aria-label": t("print_now_label", { what: t(`print_${name}`) }),
              onclick: () => print(`/print/${name}${asked}`),
            },
            icon("print"),
            t("print_now"),
          ),
          h(
            "button",
            {
              type: "button",
              class: "link",
              "aria-label": t("on_phones_label", { what: t(`print_${name}`) }),
              onclick: () => onPhones(name),
            },
            icon("phones"),
            t("on_phones"),
          ),
        ),
      ),
    );
  };
  size.addEventListener("change", draw);
  pairs.box.addEventListener("change", draw);
  numbers.box.addEventListener("change", draw);
  draw();
  return h(
    "section",
    { class: "card" },
    h("h2", {}, t("print_and_save")),
    field(t("paper"), size),
    pairs.label,
    numbers.label,
    links,
    h("h3", {}, t("save_files")),
    h(
      "ul",
      { class: "links" },
      h(
        "li",
        {},
        h(
          "a",
          { href: `/api/export/results.html?language=${currentLanguage()}`, download: "" },
          t("save_html"),
        ),
      ),
      h(
        "li",
        {},
        h(
          "a",
          {
            href: `/api/exchange/pdf?language=${currentLanguage()}&paper=${localStorage.getItem("paper") ?? "a4"}`,
            download: "results.pdf",
          },
          t("format_pdf"),
        ),
      ),
      h("li", {}, h("a", { href: "/api/export/ranking.csv", download: "" }, t("save_ranking_csv"))),
      h("li", {}, h("a", { href: "/api/export/results.csv", download: "" }, t("save_results_csv"))),
    ),
  );
}

async function drawRanking(place) {
  const {
    lists,
    clubs,
    points_name: points,
    decimals,
    announced,
    least_share_percent: share,
    penalties,
    field_pairs: field,
  } = await get("ranking");
  const { session } = room.view;
  fill(
    place,
    h("h2", {}, t("ranking")),
    session?.phase !== "Released" && h("p", { class: "quiet" }, t("ranking_private")),
    announced.filter(({ matches }) => matches).map(ofMatches),
    clubs.length > 0 &&
      tableOf(
        t("clubs"),
        [t("club"), numeric(points === "imps" ? t("imps") : t("percent"))],
        clubs.map((club) => [
          club.name,
          h("td", { class: "number" }, points === "imps" ? decimal(club.points, 2) : percent(club.percent)),
        ]),
      ),
    h(
      "div",
      { class: "columns" },
      lists.map((list) =>
        tableOf(
          list.title,
          [
            numeric(t("place")),
            t("pair"),
            t("names"),
            numeric(t("boards")),
            points === "imps" ? numeric(t("imps")) : wide(numeric(t("points"))),
            points !== "imps" && numeric(t("percent")),
            field && numeric(t("field_place", { pairs: field })),
            field && numeric(t("field_percent")),
          ].filter(Boolean),
          list.lines.flatMap((line, at) =>
            [
              line.place === "" &&
                list.lines[at - 1]?.place !== "" &&
                h(
                  "tr",
                  {},
                  h(
                    "td",
                    { colspan: (points === "imps" ? 5 : 6) + (field ? 2 : 0) },
                    h("em", {}, t("below_the_line", { n: share })),
                  ),
                ),
              [
                h("td", { class: "number" }, line.place || "–"),
                h("td", { class: "nowrap" }, pairCalled(line.pair)),
                line.names || "–",
                h("td", { class: "number" }, line.boards),
                h(
                  "td",
                  { class: `number ${points === "imps" ? "" : "wide"}` },
                  decimal(line.points, decimals),
                ),
                points !== "imps" && h("td", { class: "number" }, percent(line.percent)),
                field && h("td", { class: "number" }, line.field_rank ?? "–"),
                field && h("td", { class: "number" }, percent(line.field_percent)),
              ].filter(Boolean),
            ].filter(Boolean),
          ),
        ),
      ),
    ),
    penalties.length > 0 &&
      h(
        "div",
        {},
        h("h3", {}, t("sheet_penalties")),
        h(
          "ul",
          {},
          penalties.map((penalty) =>
            h(
              "li",
              {},
              `${pairWithNames(penalty.pair, penalty.names)}: `,
              penalty.amount,
              penalty.points !== null && ` = −${decimal(penalty.points, decimals)}`,
              penalty.why && ` (${penalty.why})`,
              !penalty.counts && [" ", h("span", { class: "tag" }, t("penalty_no_effect"))],
              !penalty.public && [" ", h("span", { class: "quiet" }, t("penalty_not_printed"))],
            ),
          ),
        ),
      ),
  );
  return announced;
}

// Matches are won by their own standing; what each pair did against the field stands below it.
const ofMatches = (list) =>
  tableOf(
    announcedAs(list),
    [numeric(t("place")), t("names"), numeric(t(list.counted_in))],
    list.lines.map((line) => [
      h("td", { class: "number" }, line.place),
      line.names,
      h("td", { class: "number" }, worth(list, line.worth)),
    ]),
  );

function drawBoards(place) {
  const boards = new Set([...room.cells.values()].flatMap((cell) => cell.boards));
  const sections = (room.view.session?.sections ?? []).map(({ letter }) => letter);
  const section = choice(
    sections.map((letter) => [letter, letter]),
    sections[0],
  );
  const board = choice(
    [...boards].sort((one, other) => one - other).map((number) => [number, number]),
    1,
  );
  const body = h("div");
  const draw = async () => {
    const about = await get(`sections/${section.value}/boards/${board.value}`);
    fill(
      body,
      h(
        "div",
        { class: "columns uneven" },
        traveller(about),
        h("div", {}, frequencies(about), about.hand && handRecord(about)),
      ),
    );
  };
  section.addEventListener("change", draw);
  board.addEventListener("change", draw);
  fill(
    place,
    h("h2", {}, t("travellers")),
    h(
      "div",
      { class: "fields" },
      sections.length > 1 && field(t("section"), section),
      field(t("board"), board),
    ),
    body,
  );
  if (boards.size) draw();
}
