// Setting up an evening, top to bottom: event, sections and movement, deals and names, settings,
// open.

import { get, post, put } from "./api.js";
import { field, fill, h, icon, toast } from "./dom.js";
import { doing } from "./dialog.js";
import { sayChange } from "./done.js";
import { drawFiles } from "./files.js";
import { room } from "./live.js";
import { drawSections } from "./sections.js";
import { settingsCard } from "./settings.js";
import { day, t } from "./text.js";

/** Shows the steps that are open for this session. */
export function show(main) {
  if (document.body.dataset.role !== "director") {
    fill(main, h("p", { class: "empty" }, t("director_only")));
    return null;
  }
  const parts = Object.fromEntries(
    ["pin", "event", "sections", "way", "files", "settings", "open"].map((name) => [
      name,
      h("section", { class: "card", id: `setup-${name}` }),
    ]),
  );
  fill(
    main,
    h("h1", {}, t("page_setup")),
    h("p", {}, h("a", { href: "#/guide" }, icon("guide"), " ", t("page_guide"))),
    Object.values(parts),
  );
  drawPin(parts.pin, () => room.view.session && settingsCard(parts.settings));
  let shown = null;
  let files = null;
  const draw = () => {
    const { session } = room.view;
    const state = JSON.stringify([
      session?.id,
      session?.phase,
      session?.sections,
      session?.event,
      session?.title,
      session?.date,
      session?.on_paper,
    ]);
    if (session) files?.update(session);
    if (state === shown) return;
    const other = shown === null || JSON.parse(shown)[0] !== session?.id;
    shown = state;
    if (other) drawEvent(parts.event, session);
    for (const name of ["sections", "way", "files", "settings", "open"]) parts[name].hidden = !session;
    parts.pin.classList.toggle("hidden", Boolean(session?.on_paper));
    if (!session) return;
    drawWay(parts.way, session);
    drawSections(parts.sections, session, other);
    if (!parts.sections.querySelector(".to-matches"))
      parts.sections.append(
        h(
          "p",
          { class: "to-matches" },
          h("a", { class: "alone", href: "#/matches" }, t("matches_setup_first")),
        ),
      );
    if (other) {
      files?.leave();
      files = drawFiles(parts.files, session);
      settingsCard(parts.settings);
    }
    drawOpen(parts.open, session);
  };
  draw();
  return {
    update: (change) => (change.all || change.parts?.includes("session")) && draw(),
    leave: () => files?.leave(),
  };
}

// The first question of a new club: what opens the director's menu on its pads. No session opens
// without an answer.
async function drawPin(place, done) {
  place.hidden = true;
  const { director_pin_chosen: chosen } = await get("rules");
  if (chosen) return;
  const pin = h("input", { inputmode: "numeric", autocomplete: "off", maxlength: 4, pattern: "[0-9]{4}" });
  const save = doing(
    t("pin_choose"),
    async () => {
      await put("rules/director-pin", { pin: pin.value });
      toast(t("saved"));
      place.hidden = true;
      // The settings show the PIN too.
      await done();
    },
    { class: "primary" },
  );
  place.hidden = false;
  fill(
    place,
    h("h2", {}, t("pin_title")),
    h("p", {}, t("pin_why")),
    h("div", { class: "fields" }, field(t("set_director_pin"), pin, t("set_director_pin_hint"))),
    h("div", { class: "buttons" }, save),
  );
}

function drawEvent(place, session) {
  const name = h("input", { maxlength: 60, value: t("event_example") });
  const date = h("input", { type: "date", value: new Date().toLocaleDateString("sv") });
  const title = h("input", { maxlength: 60 });
  const sure = h("div", { class: "sure" });
  const create = doing(
    t("create_event"),
    async () => {
      // Whoever begins another event leaves the room that plays.
      const open = room.view.session?.phase === "Open" && room.view.session;
      if (open && !sure.hasChildNodes()) {
        fill(
          sure,
          h("p", { class: "refusal", role: "alert" }, t("leave_event_sure", { event: open.event })),
          doing(t("leave_event_yes"), begin, { class: "danger" }),
        );
        return;
      }
      if (!open) await begin();
    },
    { class: session ? "" : "primary" },
  );
  const begin = async () => {
    await post("calendar/events", { name: name.value, date: date.value, title: title.value });
    toast(t("saved"));
  };
  const fresh = [
    h(
      "div",
      { class: "fields" },
      field(t("event_name"), name),
      field(t("date"), date),
      field(t("session_title"), title, t("session_title_hint")),
    ),
    h("div", { class: "buttons" }, create),
    sure,
  ];
  fill(
    place,
    h("h2", {}, t("setup_event")),
    session
      ? [
          h(
            "p",
            {},
            h("b", {}, session.event),
            ` · ${[day(session.date), session.title].filter(Boolean).join(" · ")}`,
          ),
          h("details", {}, h("summary", {}, t("another_event")), fresh),
        ]
      : fresh,
    h("p", {}, h("a", { class: "alone", href: "#/calendar" }, t("all_sessions"))),
  );
}

// Pads or paper: the page speaks of what is in the room.
function drawWay(place, session) {
  const option = (way, isChosen) => {
    const box = h("input", { type: "radio", name: "way", value: way, checked: isChosen });
    box.addEventListener("change", async () => {
      await sayChange(await put("settings/way", { way }));
    });
    return h("label", { class: "choice" }, box, t(`way_${way.toLowerCase()}`));
  };
  const chosen = place.querySelector("input:checked")?.getAttribute("value");
  if (chosen === (session.on_paper ? "Paper" : "Pads")) return;
  fill(
    place,
    h("h2", { id: "way-title" }, t("way_title")),
    h(
      "div",
      { role: "radiogroup", "aria-labelledby": "way-title" },
      option("Pads", !session.on_paper),
      option("Paper", session.on_paper),
    ),
    h("p", { class: "quiet" }, t("way_paper_hint")),
  );
}

function drawOpen(place, session) {
  const ready = session.sections.length > 0;
  const hint = session.on_paper ? t("open_hint_paper") : t("open_hint");
  const label = session.on_paper ? t("open_on_paper") : t("open_for_log_on");
  const then = session.on_paper ? "#/traveller" : "#/room";
  fill(
    place,
    h("h2", {}, t("setup_open")),
    session.phase !== "SettingUp"
      ? h(
          "p",
          {},
          h("span", { class: "tag good" }, "✓ ", t(`phase_${session.phase}`)),
          " ",
          h("a", { href: "#/room" }, t("go_to_room")),
        )
      : [
          h("p", { class: "quiet" }, ready ? hint : t("open_needs_section")),
          doing(label, () => post("open").then(() => (location.hash = then)), {
            class: "primary",
            disabled: !ready,
          }),
        ],
  );
}
