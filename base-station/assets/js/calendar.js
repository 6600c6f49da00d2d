// The club's sessions: choosing, renaming, saving and taking in, and a backup of everything.

import { get, post, sendFile } from "./api.js";
import { field, fill, h, toast } from "./dom.js";
import { closeDialog, doing, openDialog, refuse, unrefuse } from "./dialog.js";
import { sayPutBack } from "./done.js";
import { redraw } from "./redraw.js";
import { day, t } from "./text.js";

/** A file that is shorter is the club's key: no copy is that short. */
const KEY_LEN_MAX = 200;

/** Shows all sessions, the latest first. */
export function show(main) {
  if (document.body.dataset.role !== "director") {
    fill(main, h("p", { class: "empty" }, t("director_only")));
    return null;
  }
  const list = h("section", { class: "card" });
  const draw = async () => {
    const { sessions } = await get("calendar");
    redraw(
      list,
      h("h2", {}, t("sessions")),
      sessions.length ? sessionList(sessions, draw) : h("p", { class: "quiet" }, t("no_session")),
    );
  };
  fill(main, h("h1", {}, t("page_calendar")), list);
  // Below the list, once that is there: nothing is pushed down under the finger.
  draw()
    .catch((refusal) => toast(refusal.message))
    .then(() => list.isConnected && main.append(h("div", { class: "columns" }, takeIn(draw), backup())));
  return { update: (change) => (change.all || change.parts?.includes("session")) && draw() };
}

function sessionList(sessions, draw) {
  return h(
    "ul",
    { class: "plain sessions" },
    sessions.map((one) =>
      h(
        "li",
        { class: "section-line", "data-key": one.id },
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
          const call = async (names) => {
            await post("calendar/rename", { session: one.id, ...names });
            await done();
          };
          const now = { event: event.value, date: date.value, title: title.value };
          await call(now);
          closeDialog();
          sayPutBack(
            `${t("saved")} ${[day(now.date), now.event, now.title].filter(Boolean).join(" · ")}`,
            () => call({ event: one.event, date: one.date, title: one.title }),
          );
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
    const [file] = input.files ?? [];
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
    { class: "card", id: "backup" },
    h("h2", {}, t("backup")),
    h("p", { class: "quiet" }, t("backup_hint")),
    h(
      "div",
      { class: "buttons" },
      h("a", { class: "button primary", href: "/api/backup", download: "" }, t("save_backup")),
      h("a", { class: "button", href: "/api/club/key/file", download: "club.key" }, t("save_key")),
    ),
    h("p", { class: "quiet" }, t("save_key_hint")),
    h("h3", {}, t("bring_back")),
    h("p", { class: "quiet" }, t("bring_back_hint")),
    bringBack(),
    h(
      "p",
      { class: "quiet" },
      t("rescue_hint"),
      " ",
      h("a", { href: "/print/rescue", target: "_blank" }, t("print_rescue")),
    ),
  );
}

// Asked twice: what is there now gives way to it.
function bringBack() {
  const place = h("div");
  const draw = async () => {
    const { copies } = await get("backups");
    const file = h("input", { type: "file", accept: ".db,.sqlite,.key" });
    const centre = h("input", { type: "url", placeholder: "https://", autocomplete: "off" });
    file.addEventListener("change", async () => {
      const [chosen] = file.files ?? [];
      if (!chosen) return;
      unrefuse(file);
      if (chosen.size > KEY_LEN_MAX) {
        sure(chosen.name, () => sendFile("backups/upload", chosen));
        return;
      }
      // The key comes first, then the copy.
      try {
        await post("club/key/take", { key: await chosen.text() });
        toast(t("key_taken"));
        file.value = "";
      } catch (refusal) {
        refuse(file, refusal);
      }
    });
    fill(
      place,
      copies.length > 0 &&
        h(
          "ul",
          { class: "plain" },
          copies.map((copy) =>
            h(
              "li",
              { class: "section-line" },
              new Date(copy.made_ms).toLocaleString(),
              h(
                "button",
                {
                  type: "button",
                  onclick: () =>
                    sure(new Date(copy.made_ms).toLocaleString(), () =>
                      post("backups/restore", { name: copy.name }),
                    ),
                },
                t("bring_back"),
              ),
            ),
          ),
        ),
      field(t("bring_back_file"), file),
      field(t("bring_back_centre"), centre),
      h(
        "button",
        {
          type: "button",
          onclick: () => sure(centre.value, () => post("centre/restore", { address: centre.value })),
        },
        t("bring_back_from_centre"),
      ),
    );
  };
  const sure = (what, action) => {
    fill(
      place,
      h("p", {}, t("bring_back_sure", { what })),
      h(
        "div",
        { class: "buttons" },
        doing(
          t("bring_back_yes"),
          async () => {
            await action();
            fill(
              place,
              h("p", { role: "status" }, h("span", { class: "busy" }), " ", t("bring_back_restarts")),
            );
            await untilBack();
            location.hash = "";
            location.reload();
          },
          { class: "primary" },
        ),
        h("button", { type: "button", onclick: draw }, t("cancel")),
      ),
    );
    place.querySelector("button")?.focus();
  };
  draw().catch(() => place.remove());
  return place;
}

async function untilBack() {
  for (;;) {
    await new Promise((done) => setTimeout(done, 700));
    // A base station that asks something before it starts has a page, and no answers yet.
    const there = await fetch("/api/login").then(
      (answer) => answer.ok || answer.status === 503,
      () => false,
    );
    if (there) return;
  }
}
