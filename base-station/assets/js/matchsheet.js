// One match board by board: typing it from paper, and what the director can decide about it.

import { get, post } from "./api.js";
import { choice, field, fill, h, numeric, signed, table as tableOf, tick, toast } from "./dom.js";
import { closeDialog, doing, openDialog } from "./dialog.js";
import { sayChange } from "./done.js";
import { decimal, t } from "./text.js";
import { asOnPads } from "./typed.js";

/** Opens the sheet of a match. */
export async function matchSheet(contest, round, own, director, changed) {
  const place = h("div", {});
  const draw = async () =>
    sheet(
      place,
      contest,
      round,
      await get(`contest/match?section=${contest.section}&round=${round}&number=${own.number}`),
      director,
      draw,
      changed,
    );
  await draw();
  openDialog(t("match_title", { n: own.number, round: round + contest.rounds_before }), [place]);
}

function sheet(place, contest, round, { matching, lines }, director, draw, changed) {
  const teams = contest.contestants_are === "teams";
  // IMPs are whole unless an average or the whole field says otherwise.
  const whole = lines.every((line) => Number.isInteger(line.home ?? 0) && Number.isInteger(line.away ?? 0));
  const points = (value) => h("td", { class: "number" }, value === null ? "" : decimal(value, whole ? 0 : 2));
  const score = (value, result) =>
    h("td", { class: "number", title: result }, value === null ? result || "–" : signed(value));
  const rows = lines.map((line) => [
    h("td", { class: "number" }, line.board),
    score(line.open, line.open_result),
    teams
      ? score(line.closed, line.closed_result)
      : h("td", { class: "number" }, line.datum === null ? "" : signed(line.datum)),
    points(line.home),
    points(line.away),
  ]);
  const sum = (side) => [
    h("b", {}, `${side.contestant} ${side.name}`),
    side.vp === null ? "" : `: ${t("vps_n", { n: decimal(side.vp, 2) })}`,
  ];
  fill(
    place,
    h("p", {}, sum(matching.home), " – ", sum(matching.away)),
    matching.seats_first && h("p", { class: "quiet" }, t("seats_first", { who: matching.seats_first })),
    tableOf(
      t("match_sheet"),
      [
        numeric(t("board")),
        numeric(t(teams ? "room_open" : "score")),
        numeric(t(teams ? "room_closed" : "datum")),
        numeric(t("home")),
        numeric(t("away")),
      ],
      rows,
    ),
    director && typing(contest, lines, teams, draw, changed),
    director && teams && replacing(contest, round, matching, lines, draw, changed),
    director && decide(contest, round, matching, changed),
  );
}

// Another board for a spoiled one, at both tables.
function replacing(contest, round, own, lines, draw, changed) {
  const board = choice(
    lines.map((line) => [line.board, String(line.board)]),
    "",
  );
  const other = h("input", { type: "number", min: 1, max: 255 });
  const why = h("input", { maxlength: 200 });
  const go = doing(t("replace_go"), async () => {
    const did = await post("contest/replace-board", {
      section: contest.section,
      round,
      number: own.number,
      board: Number(board.value),
      with: Number(other.value),
      why: why.value,
    });
    await sayChange(did, t("done"));
    await draw();
    await changed();
  });
  return h(
    "details",
    {},
    h("summary", {}, t("board_replace_title")),
    h("p", { class: "hint" }, t("replace_hint")),
    h(
      "div",
      { class: "fields" },
      field(t("replace_board"), board),
      field(t("replace_with"), other),
      field(t("why"), why),
    ),
    h("div", { class: "buttons" }, go),
  );
}

// Both tables of a match on one sheet, as the paper slip has them.
function typing(contest, lines, teams, draw, changed) {
  const rooms = (line) => line.rooms.slice(0, teams ? 2 : 1);
  const cell = (line, at) => {
    const at_table = line.rooms[at];
    const label = `${t("board")} ${line.board}, ${t("table")} ${at_table.table}`;
    const input = h("input", {
      size: 10,
      maxlength: 20,
      "aria-label": label,
      placeholder: at === 0 ? line.open_result : line.closed_result,
    });
    const told = h("small", { role: "status" });
    input.addEventListener("change", async () => {
      if (input.value.trim() === "") return;
      try {
        const said = await post("lines/typed", {
          table: `${contest.section}${at_table.table}`,
          round: at_table.round,
          board: line.board,
          typed: asOnPads(input.value),
        });
        told.textContent = `✓ ${said.result.text}`;
        input.removeAttribute("aria-invalid");
      } catch (refusal) {
        told.textContent = refusal.message;
        input.setAttribute("aria-invalid", "true");
      }
    });
    return h("td", {}, input, told);
  };
  const table = tableOf(
    t("typed_from_paper"),
    [numeric(t("board")), t(teams ? "room_open" : "score"), ...(teams ? [t("room_closed")] : [])],
    lines.map((line) => [
      h("td", { class: "number" }, line.board),
      ...rooms(line).map((_, at) => cell(line, at)),
    ]),
  );
  return h(
    "details",
    {},
    h("summary", {}, t("typed_from_paper")),
    h("p", { class: "hint" }, t("typed_hint")),
    table,
    h(
      "div",
      { class: "buttons" },
      doing(t("typed_add_up"), async () => {
        await draw();
        await changed();
      }),
    ),
  );
}

function decide(contest, round, own, changed) {
  const options = [
    ["", t("decide_boards_count")],
    ["home", t("decide_forfeit", { who: own.home.contestant })],
    ["away", t("decide_forfeit", { who: own.away.contestant })],
    ["both-forfeit", t("decide_both_forfeit")],
    ["cancelled", t("decide_cancelled")],
    ["awarded", t("decide_awarded")],
    ["boards-in", t("decide_boards_in")],
    ["mismatch", t("decide_mismatch")],
  ];
  if (contest.contestants_are === "teams") options.push(["same-direction", t("decide_same_direction")]);
  const what = choice(options, "");
  const why = h("input", { maxlength: 200 });
  const vp = [own.home, own.away].map(() => h("input", { type: "number", step: 0.01, value: 0 }));
  const awarded = h(
    "div",
    { class: "fields", hidden: true },
    [own.home, own.away].map((side, at) => field(`${t("vps")} ${side.contestant}`, vp[at])),
  );
  const faults = [own.home, own.away].map((side) =>
    tick(t("decide_at_fault", { who: side.contestant }), false),
  );
  const fault = h(
    "div",
    { class: "fields", hidden: true },
    faults.map((one) => one.label),
  );
  what.addEventListener("change", () => {
    awarded.hidden = what.value !== "awarded";
    fault.hidden = what.value !== "mismatch";
  });
  const decision = () => {
    const by = { home: own.home.contestant, away: own.away.contestant }[what.value];
    if (what.value === "") return null;
    if (by) return { kind: "forfeit", by };
    if (what.value === "mismatch")
      return {
        kind: "mismatch",
        home_at_fault: faults[0].box.checked,
        away_at_fault: faults[1].box.checked,
      };
    if (what.value === "awarded")
      return {
        kind: "awarded",
        home: Math.round(Number(vp[0].value) * 100),
        away: Math.round(Number(vp[1].value) * 100),
      };
    return { kind: what.value };
  };
  const go = doing(t("decide"), async () => {
    const did = await post("contest/match", {
      section: contest.section,
      round,
      number: own.number,
      decision: decision(),
      why: why.value,
    });
    closeDialog();
    await sayChange(did, t("done"));
    await changed();
  });
  return h(
    "details",
    {},
    h("summary", {}, t("decide_title")),
    field(t("decide_what"), what),
    awarded,
    fault,
    field(t("why"), why),
    h("div", { class: "buttons" }, go),
  );
}

/** Who of a team plays from a round on. */
export function lineUps(contest, changed) {
  const teams = contest.entries.filter((entry) => entry.players.length >= 4);
  const team = choice(
    teams.map((entry) => [entry.contestant, `${entry.contestant} ${entry.name}`]),
    "",
  );
  const round = h("input", {
    type: "number",
    min: 1,
    max: contest.rounds_planned,
    value: Math.max(1, contest.rounds.length),
  });
  const seats = h("div", { class: "fields" });
  const names = ["seat_N", "seat_S", "seat_E", "seat_W"];
  const shape = () => {
    const entry = teams.find((one) => String(one.contestant) === team.value);
    fill(
      seats,
      names.map((name, at) =>
        field(
          t(name),
          choice(
            entry.players.map((player) => [player, player]),
            entry.players[at],
          ),
        ),
      ),
    );
  };
  team.addEventListener("change", shape);
  shape();
  const go = doing(t("line_up_set"), async () => {
    const players = [...seats.querySelectorAll("select")].map((one) => one.value);
    await post("contest/line-up", {
      section: contest.section,
      contestant: Number(team.value),
      round: Number(round.value),
      players,
    });
    toast(t("done"));
    await changed();
  });
  return [
    h("div", { class: "fields" }, field(t("team"), team), field(t("line_up_from"), round)),
    seats,
    h("div", { class: "buttons" }, go),
  ];
}
