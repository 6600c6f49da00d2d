// What the director changes about an event of matches that has begun: offences, who comes late or
// goes home, appeals, and rounds in which others met than were drawn.

import { post } from "./api.js";
import { choice, field, fill, h, numeric, table as tableOf, tick, toast } from "./dom.js";
import { doing } from "./dialog.js";
import { sayChange } from "./done.js";
import { entriesOf } from "./matchsetup.js";
import { t } from "./text.js";

/** Offences, by the regulation. */
export function fining(contest, draw) {
  const who = choice(
    contest.entries.map((entry) => [entry.contestant, `${entry.contestant} ${entry.name}`]),
    "",
  );
  const kind = choice(
    [
      ["late", t("fine_late")],
      ["slow", t("fine_slow")],
      ["score", t("fine_score")],
      ["telephone", t("fine_telephone")],
      ["line-up", t("fine_line_up")],
      ["fouled", t("fine_fouled")],
      ["substitute", t("fine_substitute")],
      ["psyche", t("fine_psyche")],
      ...(contest.contestants_are === "teams" ? [["yellow", t("fine_yellow")]] : []),
    ],
    "late",
  );
  const minutes = h("input", { type: "number", min: 0, max: 120, value: 5 });
  const boards = h("input", { type: "number", min: 0, max: 32, value: 1 });
  const lateBoards = h("input", { type: "number", min: 0, max: 32, value: 0 });
  const won = h("input", { type: "number", min: -24, max: 24, value: 0 });
  const [lateField, wonField] = [field(t("fine_late_boards"), lateBoards), field(t("fine_psyche_imps"), won)];
  const exchanged = tick(t("fine_exchanged"), false);
  const gain = choice(
    [
      ["some", t("gain_some")],
      ["significant", t("gain_significant")],
      ["substantial", t("gain_substantial")],
    ],
    "some",
  );
  const gainField = field(t("fine_gain"), gain);
  const why = h("input", { maxlength: 200 });
  const [minutesField, boardsField] = [field(t("fine_minutes"), minutes), field(t("boards"), boards)];
  const shape = () => {
    minutesField.hidden = !["late", "slow"].includes(kind.value);
    boardsField.hidden = kind.value !== "slow";
    lateField.hidden = kind.value !== "late";
    wonField.hidden = kind.value !== "psyche";
    exchanged.label.hidden = kind.value !== "fouled";
    gainField.hidden = kind.value !== "substitute";
  };
  kind.addEventListener("change", shape);
  shape();
  const go = doing(t("fine"), async () => {
    const offence = {
      kind: kind.value,
      ...(minutesField.hidden ? {} : { minutes: Number(minutes.value) }),
      ...(kind.value === "fouled" ? { exchanged: exchanged.box.checked } : {}),
      ...(kind.value === "substitute" ? { gain: gain.value } : {}),
      ...(kind.value === "slow" ? { boards: Number(boards.value) } : {}),
      ...(kind.value === "late" ? { boards: Number(lateBoards.value) } : {}),
      ...(kind.value === "psyche" ? { imps: Number(won.value) } : {}),
    };
    await post("contest/fine", {
      section: contest.section,
      contestant: Number(who.value),
      offence,
      why: why.value,
    });
    toast(t("done"));
    await draw();
  });
  return [
    h("p", { class: "hint" }, t("fine_hint")),
    h(
      "div",
      { class: "fields" },
      field(t("withdraw_who"), who),
      field(t("fine_what"), kind),
      minutesField,
      boardsField,
      lateField,
      wonField,
      gainField,
      field(t("why"), why),
    ),
    exchanged.label,
    h("div", { class: "buttons" }, go),
  ];
}

/** Somebody comes late, or drops in. */
export function joining(contest, draw) {
  const entry = h("input", { maxlength: 200 });
  const vp = h("input", { type: "number", step: 0.01, value: 0 });
  const rule = choice(
    [
      ["", t("join_by_hand")],
      ["gnot2006", t("join_gnot2006")],
      ["gnot2012", t("join_gnot2012")],
    ],
    "",
  );
  const [scored, conceded] = [0, 0].map(() => h("input", { type: "number", min: 0, max: 500 }));
  const why = h("input", { maxlength: 200 });
  const next = Math.max(0, ...contest.entries.map((one) => one.contestant)) + 1;
  const go = doing(t("join"), async () => {
    const [read] = entriesOf(entry.value);
    if (read?.unknown) throw new Error(t("entry_unknown", { what: read.unknown.join(", ") }));
    await post("contest/join", {
      section: contest.section,
      contestant: {
        ...(read ?? {}),
        number: next,
        ...(Number(vp.value) === 0 ? {} : { carry_over: Number(vp.value) }),
        ...(scored.value === "" || conceded.value === ""
          ? {}
          : { lost: { scored: Number(scored.value), conceded: Number(conceded.value) } }),
      },
      ...(rule.value === "" ? {} : { entry: rule.value }),
      why: why.value,
    });
    toast(t("done"));
    await draw();
  });
  return form(
    go,
    field(t("join_who", { n: next }), entry, t("join_hint")),
    field(t("join_vp"), vp),
    field(t("join_entry"), rule),
    field(t("join_scored"), scored, t("join_scored_hint")),
    field(t("join_conceded"), conceded),
    field(t("why"), why),
  );
}

/** What is asked, and the button that does it. */
const form = (go, ...fields) => [h("div", { class: "fields" }, fields), h("div", { class: "buttons" }, go)];

/** Somebody goes home. */
export function leaving(contest, draw) {
  const who = choice(
    contest.standing
      .filter((line) => !line.withdrawn)
      .map((line) => [line.contestant, `${line.contestant} ${line.name}`]),
    "",
  );
  const matches = choice(
    [
      ["stand", t("withdraw_stand")],
      ["cancelled", t("withdraw_cancelled")],
    ],
    "stand",
  );
  const why = h("input", { maxlength: 200 });
  const go = doing(t("withdraw"), async () => {
    const did = await post("contest/withdraw", {
      section: contest.section,
      contestant: Number(who.value),
      matches: matches.value,
      why: why.value,
    });
    await sayChange(did, t("done"));
    await draw();
  });
  return form(go, field(t("withdraw_who"), who), field(t("withdraw_matches"), matches), field(t("why"), why));
}

/** Appeals with their deadlines, and what came of them. */
export function appeals(contest, draw) {
  const matches = contest.rounds.flatMap((round) =>
    round.matches.map((own) => [
      `${round.round}/${own.number}`,
      `${t("round_n", { n: round.round + contest.rounds_before })}: ${own.home.contestant} – ${own.away.contestant}`,
    ]),
  );
  const match = choice(matches.reverse(), "");
  const who = choice(
    contest.entries.map((entry) => [entry.contestant, `${entry.contestant} ${entry.name}`]),
    "",
  );
  const board = h("input", { type: "number", min: 1, max: 255 });
  const about = h("input", { maxlength: 200 });
  const late = tick(t("appeal_late"), false);
  const done = async () => {
    toast(t("done"));
    await draw();
  };
  const note = doing(t("appeal_note"), async () => {
    const [round, number] = match.value.split("/").map(Number);
    await post("contest/appeal", {
      section: contest.section,
      round,
      number,
      by: Number(who.value),
      about: about.value,
      despite_deadline: late.box.checked,
      ...(board.value === "" ? {} : { board: Number(board.value) }),
    });
    await done();
  });
  const known = contest.appeals.map((one) => {
    const outcome = h("input", { maxlength: 200, "aria-label": t("appeal_outcome") });
    const settle = doing(t("appeal_settle"), async () => {
      await post("contest/appeal/settle", {
        section: contest.section,
        appeal: one.appeal,
        outcome: outcome.value,
      });
      await done();
    });
    const until = one.until_ms && t("appeal_until", { time: timeOf(one.until_ms) });
    return [
      h("td", { class: "number" }, one.round + contest.rounds_before),
      h("td", { class: "number" }, one.by),
      h("td", {}, one.board ? `${t("board")} ${one.board}: ${one.about}` : one.about),
      h("td", {}, [timeOf(one.at_ms), until].filter(Boolean).join(", ")),
      one.outcome === null ? h("td", {}, outcome, " ", settle) : h("td", {}, one.outcome),
    ];
  });
  return [
    known.length > 0 &&
      tableOf(
        t("appeal_title"),
        [
          numeric(t("round")),
          numeric(t("appeal_who")),
          t("appeal_about"),
          t("appeal_noted"),
          t("appeal_outcome"),
        ],
        known,
      ),
    h(
      "div",
      { class: "fields" },
      field(t("appeal_match"), match),
      field(t("appeal_who"), who),
      field(t("board"), board),
      field(t("appeal_about"), about),
    ),
    late.label,
    h("div", { class: "buttons" }, note),
  ];
}

const timeOf = (ms) => new Date(ms).toLocaleTimeString([], { hour: "2-digit", minute: "2-digit" });

/** Others met than were drawn: whoever is chosen changes places with the one who was there. */
export function otherwise(contest, draw) {
  const rounds = contest.rounds.filter((round) => round.matches.length > 1);
  if (rounds.length === 0) return [];
  const round = choice(
    rounds.map((one) => [one.round, t("round_n", { n: one.round + contest.rounds_before })]),
    rounds[rounds.length - 1].round,
  );
  const why = h("input", { maxlength: 200 });
  const place = h("div", { class: "fields" });
  const chosen = () => rounds.find((one) => one.round === Number(round.value));
  let seats = [];
  const name = (number) => {
    const entry = contest.entries.find((one) => one.contestant === number);
    return `${number} ${entry?.name ?? ""}`;
  };
  const show = () => {
    const everybody = seats.flatMap((own) => [own.home, own.away]);
    fill(
      place,
      seats.flatMap((own) =>
        ["home", "away"].map((side) => {
          const select = choice(
            everybody.map((number) => [number, name(number)]),
            own[side],
          );
          select.addEventListener("change", () => {
            const wanted = Number(select.value);
            for (const one of seats)
              for (const at of ["home", "away"]) if (one[at] === wanted) one[at] = own[side];
            own[side] = wanted;
            show();
          });
          return field(`${t("match")} ${own.number}, ${t(side)}`, select);
        }),
      ),
    );
  };
  const shape = () => {
    seats = chosen().matches.map((own) => ({
      number: own.number,
      home: own.home.contestant,
      away: own.away.contestant,
    }));
    show();
  };
  round.addEventListener("change", shape);
  shape();
  const go = doing(t("otherwise_go"), async () => {
    await post("contest/otherwise", {
      section: contest.section,
      round: Number(round.value),
      matches: seats,
      why: why.value,
    });
    toast(t("done"));
    await draw();
  });
  return [
    h("p", { class: "hint" }, t("otherwise_hint")),
    h("div", { class: "fields" }, field(t("round"), round), field(t("why"), why)),
    place,
    h("div", { class: "buttons" }, go),
  ];
}
