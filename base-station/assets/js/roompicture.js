// A section as it stands in the room: tables, bye-stands, and where pairs and boards go.

import { fill, h } from "./dom.js";
import { span } from "./grid.js";
import { room } from "./live.js";
import { t } from "./text.js";

/** Seats of a round with what becomes of them, and boards that wait at bye-stands. */
export function pictured(cells, round = 1) {
  const of = (wanted) => cells.filter((cell) => cell.round === wanted);
  const [first, second] = [of(round), of(round + 1)];
  // After the last round nobody goes anywhere.
  const last = second.length === 0;
  const number = (cell) => Number(String(cell.table).replace(/^\D+/, ""));
  const next = (pair, side) => {
    if (last || pair === null || pair === undefined) return null;
    // In a two-winner movement both directions have a pair of each number.
    const there =
      second.find((cell) => cell[side] === pair) ??
      second.find((cell) => cell[side === "ns" ? "ew" : "ns"] === pair);
    return there ? number(there) : 0;
  };
  const boardsNext = (boards) => {
    if (last) return null;
    const there = second.find((cell) => boards.length > 0 && cell.boards.join() === boards.join());
    return there ? number(there) : 0;
  };
  const tables = first.map((cell) => ({
    table: number(cell),
    ns: cell.ns,
    ew: cell.ew,
    boards: cell.boards,
    nsTo: next(cell.ns, "ns"),
    ewTo: next(cell.ew, "ew"),
    boardsTo: boardsNext(cell.boards),
    shares: first
      .filter(
        (other) => other !== cell && other.boards.length > 0 && other.boards.join() === cell.boards.join(),
      )
      .map(number),
  }));
  const onTables = new Set(first.map((cell) => cell.boards.join()));
  const waiting = second
    .filter((cell) => cell.boards.length > 0 && !onTables.has(cell.boards.join()))
    .map((cell) => ({ before: number(cell), boards: cell.boards }));
  return { tables, waiting, round, last };
}

const SVG = "http://www.w3.org/2000/svg";
/** A table of the picture and the room around it, in units of the picture. */
const [WIDE, HIGH, GAP, ROW] = [120, 84, 44, 66];
/** At most so many beside each other; the next row goes back, as tables stand in a room. */
const BESIDE_MAX = 7;

function draw(name, attributes, ...children) {
  const element = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value));
  element.append(...children);
  return element;
}

/** How many stand beside each other, so that rows are about as long as each other. */
const beside = (all) => Math.ceil(all / Math.ceil(all / BESIDE_MAX));

/** Where everything of a picture stands: tables in their order, each bye-stand behind its table. */
export function standing({ tables, waiting }) {
  const all = tables.flatMap((seat) => [
    { seat },
    ...waiting.filter(({ before }) => before === seat.table).map((stand) => ({ stand })),
  ]);
  const wide = beside(all.length);
  return all.map((one, at) => {
    const row = Math.floor(at / wide);
    const along = at % wide;
    const column = row % 2 === 0 ? along : wide - 1 - along;
    return { ...one, x: GAP / 2 + column * (WIDE + GAP), y: ROW / 2 + row * (HIGH + ROW) };
  });
}

const middle = ({ x, y }) => [x + WIDE / 2, y + HIGH / 2];

// From the edge of one table to the edge of another, bent so that two ways do not cover each other.
function way(from, to, kind, bend) {
  const [[x1, y1], [x2, y2]] = [middle(from), middle(to)];
  const length = Math.hypot(x2 - x1, y2 - y1) || 1;
  const [dx, dy] = [(x2 - x1) / length, (y2 - y1) / length];
  const reach =
    Math.min(WIDE / 2 / Math.max(Math.abs(dx), 0.01), HIGH / 2 / Math.max(Math.abs(dy), 0.01)) + 2;
  const side = 14 * bend;
  const far = Math.min(length / 5, 46) * bend;
  const [ax, ay] = [x1 + dx * reach - dy * side, y1 + dy * reach + dx * side];
  const [bx, by] = [x2 - dx * (reach + 5) - dy * side, y2 - dy * (reach + 5) + dx * side];
  const [mx, my] = [(ax + bx) / 2 - dy * far, (ay + by) / 2 + dx * far];
  const near = length < (WIDE + GAP) * 1.6;
  return draw("path", {
    d: `M${ax.toFixed(1)} ${ay.toFixed(1)}Q${mx.toFixed(1)} ${my.toFixed(1)} ${bx.toFixed(1)} ${by.toFixed(1)}`,
    class: `way ${kind}${near ? "" : " far"}`,
    "marker-end": `url(#to-${kind}-${drawings})`,
  });
}

function label(x, y, text, kind) {
  return draw("text", { x, y, class: kind, "text-anchor": "middle" }, text);
}

function tableOf(seat, { x, y }) {
  const shared = seat.shares.length > 0;
  return draw(
    "g",
    {},
    draw("rect", { x, y, width: WIDE, height: HIGH, rx: 12, class: shared ? "table shared" : "table" }),
    label(x + WIDE / 2, y + 26, `${seat.table}`, "number"),
    label(x + WIDE / 2, y + 48, `${t("ns")} ${seat.ns ?? "–"} · ${t("ew")} ${seat.ew ?? "–"}`, "pairs"),
    label(x + WIDE / 2, y + 70, span(seat.boards) || "–", "boards"),
  );
}

function standOf(stand, { x, y }) {
  const [high, wide] = [HIGH * 0.66, WIDE * 0.8];
  const [left, top] = [x + (WIDE - wide) / 2, y + (HIGH - high) / 2];
  return draw(
    "g",
    {},
    draw("rect", { x: left, y: top, width: wide, height: high, rx: 8, class: "stand" }),
    label(x + WIDE / 2, top + 24, t("picture_bye"), "pairs"),
    label(x + WIDE / 2, top + 46, span(stand.boards), "boards"),
  );
}

/** Heads of arrows have names, and several pictures stand on one page. */
let drawings = 0;

/** The picture itself: boxes, and an arrow for every pair and every set of boards that goes on. */
function drawing(picture) {
  drawings += 1;
  const places = standing(picture);
  const byTable = new Map(places.filter(({ seat }) => seat).map((place) => [place.seat.table, place]));
  const wide = beside(places.length);
  const width = wide * (WIDE + GAP);
  const height = Math.ceil(places.length / wide) * (HIGH + ROW);
  const marker = (kind) =>
    draw(
      "marker",
      {
        id: `to-${kind}-${drawings}`,
        viewBox: "0 0 8 8",
        refX: 5,
        refY: 4,
        markerWidth: 5,
        markerHeight: 5,
        orient: "auto",
      },
      draw("path", { d: "M0 0L8 4L0 8z", class: `head ${kind}` }),
    );
  const stands = places.filter(({ stand }) => stand);
  // Boards that lie on no table in the next round wait at the nearest bye-stand.
  const nearest = (from) =>
    stands.reduce((best, one) => {
      const far = (place) => Math.abs(places.indexOf(place) - places.indexOf(from));
      return !best || far(one) < far(best) ? one : best;
    }, null);
  const ways = picture.tables.flatMap((seat) => {
    const from = byTable.get(seat.table);
    const go = (to, kind) => (to && to !== seat.table ? way(from, byTable.get(to), kind, -1) : null);
    const put = seat.boardsTo === 0 && seat.boards.length > 0 && nearest(from);
    return [
      go(seat.nsTo, "ns"),
      go(seat.ewTo, "ew"),
      go(seat.boardsTo, "moved"),
      put && way(from, put, "moved", -1),
    ].filter(Boolean);
  });
  const taken = stands.map((place) => way(place, byTable.get(place.stand.before), "moved", -1));
  const shares = picture.tables.flatMap((seat) =>
    seat.shares
      .filter((other) => other > seat.table)
      .map((other) => {
        const [[x1, y1], [x2, y2]] = [middle(byTable.get(seat.table)), middle(byTable.get(other))];
        return draw("line", { x1, y1, x2, y2, class: "share" });
      }),
  );
  return draw(
    "svg",
    { viewBox: `0 0 ${width} ${height}`, role: "img", "aria-label": t("picture"), class: "room-drawing" },
    draw("defs", {}, marker("ns"), marker("ew"), marker("moved")),
    ...shares,
    ...places.map((place) => (place.seat ? tableOf(place.seat, place) : standOf(place.stand, place))),
    ...ways,
    ...taken,
  );
}

// The same in words, for whoever hears the page and for who wants to be sure.
function inWords({ tables, waiting, round, last }) {
  const go = (to, from) =>
    to === null
      ? ""
      : to === 0
        ? t("picture_out")
        : to === from
          ? t("picture_stay")
          : t("picture_go", { table: to });
  const stand = ({ boards }) =>
    h(
      "li",
      { class: "bye-stand" },
      h("b", {}, t("picture_bye")),
      h("span", {}, t("picture_waiting", { boards: span(boards), n: round })),
    );
  const one = (seat) =>
    h(
      "li",
      {},
      h("b", {}, t("table_n", { table: seat.table })),
      h("span", {}, `${t("ns")} ${seat.ns ?? "–"} ${go(seat.nsTo, seat.table)}`),
      h("span", {}, `${t("ew")} ${seat.ew ?? "–"} ${go(seat.ewTo, seat.table)}`),
      h(
        "span",
        {},
        `${t("boards_are", { boards: span(seat.boards) || "–" })} `,
        !last && (seat.boardsTo > 0 ? go(seat.boardsTo, 0) : t("picture_go", { table: t("picture_bye") })),
      ),
      seat.shares.length > 0 &&
        h("span", { class: "tag late" }, t("picture_share", { tables: seat.shares.join(", ") })),
    );
  return h(
    "ol",
    { class: "plain" },
    tables.map((seat) => [one(seat), waiting.filter(({ before }) => before === seat.table).map(stand)]),
  );
}

// One round: the drawing, what its lines mean, and the same in words.
function ofRound(cells, round) {
  const picture = pictured(cells, round);
  const { tables, waiting, last } = picture;
  const key = (kind, words) => h("li", {}, h("span", { class: `way-key ${kind}` }), words);
  return [
    h("p", { class: "quiet" }, t(last ? "picture_hint_last" : "picture_hint", { n: round })),
    h(
      "div",
      { class: "room-canvas", tabindex: 0, role: "group", "aria-label": t("picture") },
      drawing(picture),
    ),
    h(
      "ul",
      { class: "legend" },
      tables.some(({ table, nsTo }) => nsTo && nsTo !== table) && key("ns", t("picture_key_ns")),
      !last && key("ew", t("picture_key_ew")),
      !last && key("moved", t("picture_key_boards")),
      tables.some(({ shares }) => shares.length > 0) && key("share", t("picture_key_share")),
      waiting.length > 0 && key("stand", t("picture_bye")),
    ),
    h("details", {}, h("summary", {}, t("picture_words")), inWords(picture)),
  ];
}

/**
 * A room drawn from its seats, round by round. Where only the first ones are known, `more` brings all
 * of them as soon as somebody goes on.
 * @param {any[]} known
 * @param {{ rounds?: number, more?: () => Promise<any[]> }} [about]
 */
export function pictureOf(known, { rounds = 0, more } = {}) {
  if (pictured(known).tables.length === 0) return null;
  let cells = known;
  let brings = more;
  let round = 1;
  const last = () => Math.max(rounds, ...cells.map((cell) => cell.round));
  const body = h("div", {});
  const which = h("b", { role: "status" });
  const turn = (sign, label, by) =>
    h("button", { type: "button", "aria-label": label, onclick: () => go(by) }, sign);
  const [back, on] = [turn("‹", t("picture_previous"), -1), turn("›", t("picture_next"), 1)];
  const draw = () => {
    // What lies open in words stays open in the next round.
    const open = body.querySelector("details")?.open;
    fill(body, ofRound(cells, round));
    if (open) body.querySelector("details")?.setAttribute("open", "");
    which.textContent = t("display_rounds", { round, rounds: last() });
    back.setAttribute("aria-disabled", String(round === 1));
    on.setAttribute("aria-disabled", String(round === last()));
  };
  const go = async (by) => {
    const next = round + by;
    if (next < 1 || next > last()) return;
    // The picture of a round needs the one after it.
    if (brings && next > 1) {
      cells = await brings().catch(() => cells);
      brings = undefined;
    }
    round = next;
    draw();
  };
  draw();
  return h("div", { class: "room-picture" }, h("div", { class: "picture-turn" }, back, which, on), body);
}

/** A picture that is folded away until somebody asks for it. */
export function pictureFold(cells, about) {
  const place = h("details", { class: "section-picture" }, h("summary", {}, t("picture")));
  // Drawn when somebody looks: an adviser with twenty movements has twenty rooms.
  place.addEventListener("toggle", () => {
    if (place.open && !place.querySelector(".room-picture")) place.append(pictureOf(cells(), about) ?? "");
  });
  return place;
}

/** The picture of a section that is planned. */
export const roomPicture = (section) =>
  pictureFold(() => [...room.cells.values()].filter(({ table }) => table[0] === section));
