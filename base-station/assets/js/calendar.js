// The club's sessions: choosing, renaming, saving and taking in, and a backup of everything.

import { get, post } from "./api.js";
import { field, fill, h, toast } from "./dom.js";
import { closeDialog, doing, openDialog, refuse, unrefuse } from "./dialog.js";
import { day, t } from "./text.js";

/** Shows all sessions, the latest first. */
export function show(main) {
  if (document.body.dataset.role !== "director") {
    fill(main, h("p", { class: "empty" }, t("director_only")));
    return null;
  }
  const list = h("section", { class: "card" });
  const draw = async () => {
    const { sessions } = await get("calendar");
    fill(
      list,
      h("h2", {}, t("sessions")),
      sessions.length ? sessionList(sessions, draw) : h("p", { class: "quiet" }, t("no_session")),
    );
  };
  fill(main, h("h1", {}, t("page_calendar")), list, h("div", { class: "columns" }, takeIn(draw), backup()));
  draw().catch((refusal) => toast(refusal.message));
  return { update: (change) => (change.all || change.parts?.includes("session")) && draw() };
}

function sessionList(sessions, draw) {
  return h(
    "ul",
    { class: "plain sessions" },
    sessions.map((one) =>
      h(
        "li",
        { class: "section-line" },
        h(
          "span",
          {},
          h("b", {}, one.event),
          ` · ${[day(one.date), one.title].filter(Boolean).join(" · ")}`,
          " ",
          one.chosen && h("span", { class: "tag good" }, "✓ ", t("chosen")),
        ),
        h(
          "span",
          { class: "buttons" },
          !one.chosen && doing(t("choose"), () => post("calendar/choose", { session: one.id }).then(draw)),
          h("button", { type: "button", onclick: () => rename(one, draw) }, t("rename")),
          h(
            "a",
            { class: "button", href: `/api/calendar/sessions/${one.id}/file`, download: "" },
            t("save_session"),
          ),
        ),
      ),
    ),
  );
}

function rename(one, done) {
  const event = h("input", { value: one.event, maxlength: 60 });
  const date = h("input", { type: "date", value: one.date });
  const title = h("input", { value: one.title, maxlength: 60 });
  openDialog(t("rename"), [
    h(
      "div",
      { class: "fields" },
      field(t("event_name"), event),
      field(t("date"), date),
      field(t("session_title"), title, t("session_title_hint")),
    ),
    h(
      "div",
      { class: "buttons" },
      doing(
        t("save"),
        async () => {
          await post("calendar/rename", {
            session: one.id,
            event: event.value,
            date: date.value,
            title: title.value,
          });
          closeDialog();
          toast(t("saved"));
          await done();
        },
        { class: "primary" },
      ),
    ),
  ]);
}

function takeIn(done) {
  const input = h("input", { type: "file", accept: ".jsonl" });
  const place = h(
    "section",
    { class: "card" },
    h("h2", {}, t("import_session")),
    h("p", { class: "quiet" }, t("import_hint")),
    field(t("session_file"), input),
  );
  input.addEventListener("change", async () => {
    const [file] = input.files;
    if (!file) return;
    unrefuse(input);
    try {
      await post("calendar/import", { text: await file.text() });
      toast(t("imported"));
      await done();
    } catch (refusal) {
      refuse(input, refusal);
    }
    input.value = "";
  });
  return place;
}

function backup() {
  return h(
    "section",
    { class: "card" },
    h("h2", {}, t("backup")),
    h("p", { class: "quiet" }, t("backup_hint")),
    h("a", { class: "button primary", href: "/api/backup", download: "" }, t("save_backup")),
    h(
      "p",
      { class: "quiet" },
      t("rescue_hint"),
      " ",
      h("a", { href: "/print/rescue", target: "_blank" }, t("print_rescue")),
    ),
  );
}
