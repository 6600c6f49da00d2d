// Setting up an evening, top to bottom: event, sections and movement, deals and names, settings,
// open.

import { get, post, remove } from "./api.js";
import { field, fill, h, table as tableOf, toast } from "./dom.js";
import { doing, refuse, unrefuse } from "./dialog.js";
import { room } from "./live.js";
import { settingsCard } from "./settings.js";
import { t } from "./text.js";

/** Shows the steps that are open for this session. */
export function show(main) {
  if (document.body.dataset.role !== "director") {
    fill(main, h("p", { class: "empty" }, t("director_only")));
    return null;
  }
  const parts = { event: h("section", { class: "card" }), sections: h("section", { class: "card" }), files: h("section", { class: "card" }), settings: h("section", { class: "card" }), open: h("section", { class: "card" }) };
  fill(main, h("h1", {}, t("page_setup")), Object.values(parts));
  let shown = null;
  const draw = () => {
    const { session } = room.view;
    const state = JSON.stringify([session?.id, session?.phase, session?.sections, session?.deals]);
    if (state === shown) return;
    const other = JSON.parse(shown ?? "[]")[0] !== session?.id || shown === null;
    shown = state;
    if (other) drawEvent(parts.event, session);
    for (const name of ["sections", "files", "settings", "open"]) parts[name].hidden = !session;
    if (!session) return;
    drawSections(parts.sections, session, other);
    if (other) {
      drawFiles(parts.files);
      settingsCard(parts.settings);
    }
    drawOpen(parts.open, session);
  };
  draw();
  return { update: (change) => (change.all || change.parts?.includes("session")) && draw() };
}

async function drawEvent(place, session) {
  const name = h("input", { maxlength: 60, value: t("event_example") });
  const date = h("input", { type: "date", value: new Date().toLocaleDateString("sv") });
  const title = h("input", { maxlength: 60 });
  const { sessions } = await get("calendar");
  const create = doing(t("create_event"), async () => {
    await post("calendar/events", { name: name.value, date: date.value, title: title.value });
    toast(t("saved"));
  }, { class: session ? "" : "primary" });
  const fresh = [h("div", { class: "fields" }, field(t("event_name"), name), field(t("date"), date), field(t("session_title"), title, t("session_title_hint"))), h("div", { class: "buttons" }, create)];
  fill(place, h("h2", {}, t("setup_event")),
    session ? [h("p", {}, h("b", {}, session.event), ` · ${session.date} ${session.title}`), h("details", {}, h("summary", {}, t("another_event")), fresh)] : fresh,
    sessions.length > 1 && h("details", {}, h("summary", {}, t("earlier_sessions")), tableOf(t("earlier_sessions"), [t("date"), t("event_name"), t("session_title"), ""], sessions.map((one) => [
      one.date, one.event, one.title, one.chosen ? h("span", { class: "tag good" }, t("chosen")) : doing(t("choose"), () => post("calendar/choose", { session: one.id })),
    ]))));
}

function drawSections(place, session, fresh) {
  const list = session.sections.map((section) => h("li", {}, h("b", {}, `${section.letter} ${section.colour}`), ` ${section.movement} · `, t("section_size", { tables: section.tables, rounds: section.rounds }), " ",
    h("a", { href: `/print/cards/${section.letter}`, target: "_blank" }, t("print_cards")), " ",
    session.phase === "SettingUp" && doing(t("remove"), () => remove(`setup/sections/${section.letter}`))));
  if (!fresh && place.querySelector(".section-list")) {
    fill(place.querySelector(".section-list"), list);
    return;
  }
  fill(place, h("h2", {}, t("setup_sections")), h("ul", { class: "plain section-list" }, list), adviser(session));
}

function adviser(session) {
  const letter = h("input", { value: String.fromCharCode(65 + session.sections.length), maxlength: 1 });
  const colour = h("input", { value: t("colour_example"), maxlength: 20 });
  const pairs = h("input", { type: "number", min: 5, max: 400, value: 24 });
  const fewest = h("input", { type: "number", min: 1, max: 60, value: 24 });
  const most = h("input", { type: "number", min: 1, max: 60, value: 27 });
  const choices = h("div", { "aria-live": "polite" });
  const tables = h("p", { class: "quiet" });
  const count = () => {
    const number = Number(pairs.value);
    tables.textContent = t(number % 2 ? "tables_and_half" : "tables_full", { n: Math.floor(number / 2) });
  };
  pairs.addEventListener("input", count);
  count();
  const ask = doing(t("suggest"), async (button) => {
    unrefuse(button);
    const answer = await post("setup/suggest", { pairs: Number(pairs.value), boards_min: Number(fewest.value), boards_max: Number(most.value) });
    const use = (choice) => async () => {
      await post("setup/sections", { section: letter.value, colour: colour.value, pairs: Number(pairs.value), boards_min: Number(fewest.value), boards_max: Number(most.value), movement: choice.name });
      fill(choices);
      letter.value = String.fromCharCode(letter.value.charCodeAt(0) + 1);
      toast(t("saved"));
    };
    fill(choices, h("ol", { class: "plain choices" }, answer.choices.slice(0, 6).map((choice, at) => h("li", { class: "card" },
      h("h3", {}, choice.name, at === 0 && [" ", h("span", { class: "tag good" }, t("best"))]),
      h("p", {}, t("choice_size", { tables: choice.tables, rounds: choice.rounds, per_round: choice.per_round, boards: choice.boards_played, hours: `${Math.floor(choice.minutes / 60)}:${String(Math.round(choice.minutes % 60)).padStart(2, "0")}` }), choice.phantom && ` · ${t("phantom_sits", { place: choice.phantom })}`),
      h("ul", { class: "reasons" }, choice.reasons.map((reason) => h("li", { class: "for" }, reason)), choice.drawbacks.map((reason) => h("li", { class: "against" }, reason))),
      doing(t("use_this"), use(choice), { class: at === 0 && "primary" })))));
  }, { class: "primary" });
  return h("div", {}, h("h3", {}, t("add_section")),
    h("div", { class: "fields" }, field(t("pairs_in_room"), pairs, t("pairs_hint_setup")), field(t("boards_from"), fewest), field(t("boards_to"), most), field(t("section"), letter), field(t("colour"), colour)),
    tables, h("div", { class: "buttons" }, ask), choices);
}

function drawFiles(place) {
  const box = (label, hint, accept, upload) => {
    const input = h("input", { type: "file", accept });
    const state = h("p", { role: "status" });
    const take = async (file) => {
      if (!file) return;
      unrefuse(state);
      fill(state, h("span", { class: "busy" }), " ", file.name);
      try {
        fill(state, h("span", { class: "tag good" }, "✓"), " ", await upload(file));
      } catch (refusal) {
        fill(state);
        refuse(state, refusal);
      }
    };
    input.addEventListener("change", () => take(input.files[0]));
    const area = h("div", { class: "drop" }, field(label, input, hint), state);
    area.addEventListener("dragover", (event) => event.preventDefault());
    area.addEventListener("drop", (event) => {
      event.preventDefault();
      take(event.dataTransfer.files[0]);
    });
    return area;
  };
  fill(place, h("h2", {}, t("setup_files")), h("div", { class: "columns" },
    box(t("deal_file"), t("deal_file_hint"), ".pbn", async (file) => {
      const answer = await post("deals", { file: file.name, pbn: await file.text() });
      return t("deals_read", { n: answer.boards, boards: answer.range });
    }),
    box(t("member_file"), t("member_file_hint"), ".csv,.txt", async (file) => {
      const answer = await post("members", { csv: await file.text() });
      return t("members_read", { n: answer.members });
    })));
}

function drawOpen(place, session) {
  const ready = session.sections.length > 0;
  fill(place, h("h2", {}, t("setup_open")),
    session.phase !== "SettingUp" ? h("p", {}, h("span", { class: "tag good" }, "✓ ", t(`phase_${session.phase}`)), " ", h("a", { href: "#/room" }, t("page_room")))
      : [h("p", { class: "quiet" }, ready ? t("open_hint") : t("open_needs_section")),
         doing(t("open_for_log_on"), () => post("open").then(() => (location.hash = "#/room")), { class: "primary", disabled: !ready })]);
}
