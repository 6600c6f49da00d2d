// What the director can do with one line of a score sheet. Each action is a small form.

import { get, post } from "./api.js";
import { choice, field, fill, h } from "./dom.js";
import { askedChoice } from "./answers.js";
import { doing } from "./dialog.js";
import { contractWritten, resultText } from "./resulttext.js";
import { sayChange, sayDone } from "./done.js";
import { room } from "./live.js";
import { pairCalled, pairTyped } from "./pairs.js";
import { penaltyForm } from "./penalty.js";
import { t } from "./text.js";
import { contractOnPads } from "./typed.js";

/** What is done every evening; the rest is in a menu. */
const MAIN = ["correct", "adjust", "not_played"];

/** Three actions and a menu of the others; the chosen one opens its form below. */
export function actionsFor(detail, line) {
  const place = h("div", { class: "action" });
  const where = { table: line.table, round: line.round, board: line.board };
  const actions = {
    correct: () => correctForm(where, line),
    adjust: () => adjustForm(where, line),
    not_played: () => plainForm(where, line, "NotPlayed", t("not_played_hint")),
    late_play: () => plainForm(where, line, "LatePlay", t("late_play_hint")),
    passed_out: () => plainForm(where, line, "PassedOut", ""),
    penalty: () => penaltyForm(detail, line, formOf),
    pairs: () => pairsForm(where, line),
    move: () => moveForm(where),
    allow: () => allowForm(where),
    fouled: () => fouledForm(where, line),
    take_away: () => plainForm(where, line, "TakenAway", t("take_away_hint")),
  };
  const open = (name, button) => {
    for (const other of buttons) other.setAttribute("aria-expanded", String(other === button));
    fill(place, actions[name]());
    menu.open = false;
    /** @type {HTMLElement} */ (place.querySelector("input, select, button"))?.focus();
  };
  const buttons = Object.keys(actions).map((name) => {
    const label =
      name === "correct" && line.result.kind === "Nothing" ? t("action_enter") : t(`action_${name}`);
    const button = h("button", { type: "button", "aria-expanded": "false", "data-action": name }, label);
    button.addEventListener("click", () => open(name, button));
    return button;
  });
  const isMain = (button) => MAIN.includes(button.dataset.action);
  const menu = h(
    "details",
    { class: "action-menu" },
    h("summary", { class: "button" }, t("action_more")),
    h(
      "div",
      { class: "menu" },
      buttons.filter((button) => !isMain(button)),
    ),
  );
  menu.addEventListener("toggle", () => {
    if (!menu.open) menu.dispatchEvent(new CustomEvent("menu-closed", { bubbles: true }));
    // At the foot of a dialog it would open out of sight.
    else menu.querySelector(".menu")?.scrollIntoView({ block: "nearest" });
  });
  return [h("div", { class: "buttons actions" }, buttons.filter(isMain), menu), place];
}

// What stands there now, in words, and the way back beside it.
async function told({ table, round, board }, done) {
  const { lines } = await get(`tables/${table}/rounds/${round}`);
  const line = lines.find((candidate) => candidate.board === board);
  const what = line ? h("span", {}, resultText(line)).textContent : "";
  sayDone(`${t("saved")} ${t("saved_line", { table, board, what })}`, done?.seq);
}

function formOf(label, parts, submit, where) {
  const form = h("form", { class: "card open" });
  // Whoever shows the line draws it anew when the form has gone: changes waited meanwhile.
  const closeForm = () => {
    const place = form.parentElement;
    form.remove();
    place?.dispatchEvent(new CustomEvent("form-closed", { bubbles: true }));
  };
  const send = doing(
    label,
    async () => {
      // The browser says beside the field what is missing.
      if (!form.reportValidity()) return;
      const done = await submit();
      closeForm();
      await (where ? told(where, done) : sayChange(done));
    },
    { class: "primary", type: "submit" },
  );
  form.addEventListener("submit", (event) => event.preventDefault());
  form.append(
    ...parts.flat(),
    h(
      "div",
      { class: "buttons" },
      send,
      h("button", { type: "button", class: "cancel", onclick: closeForm }, t("cancel")),
    ),
  );
  return form;
}

function whyField(required = false) {
  return h("input", { maxlength: 200, required, placeholder: t("why_example") });
}

// A score that stands there is changed by both sides, because it can't have been, or by a ruling.
function askedField(line, usual = "") {
  if (line.result.kind === "Nothing") return { part: null, said: () => "" };
  const asked = askedChoice(usual);
  return { part: field(t("asked_who"), asked), said: () => asked.value };
}

function correctForm(where, line) {
  const { result } = line;
  const contract = h("input", {
    value: contractWritten(result.contract ?? ""),
    autocomplete: "off",
    autocapitalize: "characters",
    maxlength: 5,
    required: true,
  });
  const declarer = choice(
    ["N", "E", "S", "W"].map((seat) => [seat, t(`seat_${seat}`)]),
    result.declarer ?? "N",
  );
  const made = h("input", { value: result.made ?? "=", autocomplete: "off", maxlength: 3 });
  const lead = h("input", {
    value: result.lead ?? "",
    autocomplete: "off",
    autocapitalize: "characters",
    maxlength: 3,
  });
  const why = whyField();
  const asked = askedField(line);
  return formOf(
    t("save"),
    [
      h(
        "div",
        { class: "fields" },
        field(t("contract"), contract, t("contract_hint")),
        field(t("declarer"), declarer),
        field(t("result"), made, t("result_hint")),
        field(t("lead"), lead, t("lead_hint")),
        asked.part,
        field(t("why"), why),
      ),
    ],
    () =>
      rule(
        where,
        {
          kind: "Played",
          contract: contractOnPads(contract.value),
          declarer: declarer.value,
          result: made.value,
          lead: lead.value || null,
        },
        why.value,
        asked.said(),
      ),
    where,
  );
}

function adjustForm(where, line) {
  const kinds = ["Percent", "AveragePlus", "Average", "AverageMinus", "Score", "Weighted"].map((kind) => [
    kind,
    t(`award_${kind}`),
  ]);
  const side = (name, kind, value) => {
    const select = choice(kinds, kind);
    const input = h("input", { value, autocomplete: "off", maxlength: 60 });
    const hint = () =>
      ({
        Percent: t("award_percent_hint"),
        Score: t("award_score_hint"),
        Weighted: t("award_weighted_hint"),
      })[select.value];
    const box = field(t("award_value"), input, hint() ?? " ");
    const redraw = () => {
      box.classList.toggle("hidden", !hint());
      box.querySelector(".hint")?.replaceChildren(hint() ?? "");
    };
    select.addEventListener("change", redraw);
    redraw();
    return {
      parts: h("fieldset", {}, h("legend", {}, name), field(t("award"), select), box),
      read: () => ({ kind: select.value, value: input.value }),
    };
  };
  const ns = side(t("ns"), "Percent", "60");
  const ew = side(t("ew"), "Percent", "40");
  const why = whyField(true);
  const asked = askedField(line, "ruling");
  return formOf(
    t("save"),
    [
      h("div", { class: "columns" }, ns.parts, ew.parts),
      h("div", { class: "fields" }, field(t("why"), why), asked.part),
    ],
    () => rule(where, { kind: "Adjusted", ns: ns.read(), ew: ew.read() }, why.value, asked.said()),
    where,
  );
}

function plainForm(where, line, kind, hint) {
  const why = whyField();
  const asked = askedField(line);
  return formOf(
    t("save"),
    [
      hint && h("p", { class: "quiet" }, hint),
      h("div", { class: "fields" }, asked.part, field(t("why"), why)),
    ],
    () => rule(where, { kind }, why.value, asked.said()),
    where,
  );
}

const rule = (where, result, why, asked = "") =>
  post("lines/rule", { ...where, result, why, asked: asked || null });

function pairsForm(where, line) {
  const section = room.view.session?.sections.find(({ letter }) => letter === where.table[0]);
  const called = (pair) => h("input", { value: pair ? pairCalled(pair) : "", autocomplete: "off" });
  const [ns, ew] = [called(line.ns), called(line.ew)];
  const why = whyField();
  return formOf(
    t("save"),
    [
      h("p", { class: "quiet" }, t("pairs_hint")),
      h("div", { class: "fields" }, field(t("ns"), ns), field(t("ew"), ew), field(t("why"), why)),
      h(
        "div",
        { class: "buttons" },
        doing(t("turn"), async (button) => {
          const done = await post("lines/turn", { ...where, why: why.value });
          button.closest("form").querySelector(".cancel").click();
          await sayChange(done);
        }),
      ),
    ],
    () =>
      post("lines/pairs", {
        ...where,
        ns: pairTyped(ns.value, section, "NS"),
        ew: pairTyped(ew.value, section, "EW"),
        why: why.value,
      }),
    where,
  );
}

function moveForm(where) {
  const tables = [...room.tables.keys()].map((name) => [name, name]);
  const table = choice(tables, where.table);
  const round = h("input", { type: "number", min: 1, max: 99, value: where.round });
  const board = h("input", { type: "number", min: 1, max: 255, value: where.board });
  const why = whyField();
  return formOf(
    t("save"),
    [
      h("p", { class: "quiet" }, t("move_hint")),
      h(
        "div",
        { class: "fields" },
        field(t("table"), table),
        field(t("round"), round),
        field(t("board"), board),
        field(t("why"), why),
      ),
    ],
    () =>
      post("lines/move", {
        from: where,
        to: { table: table.value, round: Number(round.value), board: Number(board.value) },
        why: why.value,
      }),
  );
}

function allowForm({ table, round }) {
  const board = h("input", { type: "number", min: 1, max: 255, required: true });
  return formOf(
    t("save"),
    [h("p", { class: "quiet" }, t("allow_hint")), h("div", { class: "fields" }, field(t("board"), board))],
    () => post("lines/allow", { table, round, board: Number(board.value) }),
  );
}

function fouledForm(where, line) {
  const form = h("input", { value: line.form === "A" ? "B" : line.form, maxlength: 1 });
  // Tables that play this board tonight, those that have yet to play it too.
  const plays = new Set(
    [...room.cells.values()].filter((cell) => cell.boards.includes(where.board)).map((cell) => cell.table),
  );
  const others = [...room.tables.keys()].filter(
    (name) => name[0] === where.table[0] && (plays.has(name) || name === where.table),
  );
  const faults = ["Nobody", "NorthSouth", "EastWest", "Both"].map((name) => [name, t(`fault_${name}`)]);
  const boxes = others.map((name) => {
    const box = h("input", { type: "checkbox", checked: name === where.table });
    const fault = choice(faults, "Nobody");
    fault.setAttribute("aria-label", t("fault_of", { table: name }));
    const redraw = () => (fault.disabled = !box.checked);
    box.addEventListener("change", redraw);
    redraw();
    return { name, box, fault };
  });
  const why = whyField(true);
  return formOf(
    t("save"),
    [
      h("p", { class: "quiet" }, t("fouled_hint")),
      field(t("fouled_letter"), form),
      h(
        "fieldset",
        {},
        h("legend", {}, t("fouled_tables")),
        boxes.map(({ name, box, fault }) =>
          h("div", { class: "fouled-table" }, h("label", { class: "choice inline" }, box, name), fault),
        ),
      ),
      field(t("why"), why),
    ],
    () =>
      post("boards/fouled", {
        section: where.table[0],
        board: where.board,
        form: form.value,
        tables: boxes.filter(({ box }) => box.checked).map(({ name }) => name),
        faults: Object.fromEntries(
          boxes.filter(({ box }) => box.checked).map(({ name, fault }) => [name, fault.value]),
        ),
        why: why.value,
      }),
  );
}
