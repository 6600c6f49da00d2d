// A table's heading opened: who sits there, its pad, and what the director can do for the table.

import { post } from "./api.js";
import { choice, field, h, toast } from "./dom.js";
import { closeDialog, doing, openDialog } from "./dialog.js";
import { sayChange, sayPutBack } from "./done.js";
import { now, room } from "./live.js";
import { ago, currentLanguage, decimal, t } from "./text.js";

/** Opens a table. */
export function openTable(name) {
  const table = room.tables.get(name);
  if (!table) return;
  const pad = room.view.pads.find((candidate) => candidate.table === name && candidate.standing === "Holds");
  const director = document.body.dataset.role === "director";
  openDialog(t("table_n", { table: name }), [
    h("p", {}, h("b", {}, t(`table_${table.state}`)), ` · ${t("round_n", { n: table.round })}`),
    document.body.dataset.pads &&
      h(
        "p",
        {},
        h(
          "a",
          {
            class: "button primary",
            href: `${document.body.dataset.pads}/${name.slice(1)}?language=${currentLanguage()}`,
            target: "_blank",
          },
          t("hold_pad"),
        ),
      ),
    pad ? padFacts(pad) : table.state !== "OnPaper" && h("p", { class: "quiet" }, t("no_pad_here")),
    director &&
      h(
        "div",
        { class: "buttons" },
        table.state !== "OnPaper" && h("a", { class: "button", href: `#/replace/${name}` }, t("replace_pad")),
        h("a", { class: "button", href: `#/traveller/${name}` }, t("enter_by_hand")),
        table.calling_since_ms &&
          doing(t("call_settled", { table: name }), () =>
            post(`tables/${name}/call-settled`).then(closeDialog),
          ),
        pad &&
          doing(t("free_table"), () =>
            post(`tables/${name}/free`).then(() => {
              closeDialog();
              toast(t("table_freed"));
            }),
          ),
      ),
    director &&
      (pad || table.state !== "OnPaper") &&
      h("div", { class: "columns" }, endRound(name, table), notice([name]), pad && swap(name)),
  ]);
}

/** What is known of a pad, as a list. */
export function padFacts(pad) {
  const facts = [
    [t("pad"), pad.pad],
    [t("last_heard"), pad.heard_ms ? ago(pad.heard_ms, now()) : t("not_since_start")],
    [
      t("battery"),
      pad.battery_mv
        ? `${decimal(pad.battery_mv / 1000, 1)} V${pad.battery_low ? ` · ${t("battery_low")}` : ""}`
        : t("unknown"),
    ],
    [t("unsent"), pad.unsent ?? t("unknown")],
    [t("firmware"), pad.firmware],
  ];
  return h(
    "dl",
    { class: "facts" },
    facts.map(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]),
  );
}

function endRound(name, table) {
  return h(
    "section",
    { class: "card" },
    h("h3", {}, t("end_round")),
    h("p", { class: "quiet" }, t("end_round_hint")),
    doing(t("end_round_n", { n: table.round }), async () => {
      const did = await post("rounds/end", { section: name[0], table: name, round: table.round });
      closeDialog();
      await sayChange(did, t("done"));
    }),
  );
}

/** A message to the pads of tables; an empty list means all. */
export function notice(tables) {
  const text = h("input", { maxlength: 96 });
  return h(
    "section",
    { class: "card" },
    h("h2", {}, tables.length ? t("notice_table") : t("notice_all")),
    field(t("notice_text"), text, t("notice_hint")),
    doing(t("send"), async () => {
      await post("notices", { tables, text: text.value });
      text.value = "";
      toast(t("notice_sent"));
    }),
  );
}

function swap(name) {
  const others = [...room.tables.keys()].filter((other) => other !== name).map((other) => [other, other]);
  const other = choice(others, others[0]?.[0]);
  return h(
    "section",
    { class: "card" },
    h("h3", {}, t("wrong_table")),
    h("p", { class: "quiet" }, t("wrong_table_hint")),
    field(t("other_table"), other),
    h(
      "div",
      { class: "buttons" },
      doing(t("swap_pads"), async () => {
        const tables = { one: name, other: other.value };
        await post("pads/swap", tables);
        closeDialog();
        sayPutBack(`${t("done")} ${t("swap_pads")}: ${name}, ${other.value}`, () =>
          post("pads/swap", tables),
        );
      }),
      doing(t("move_pad"), async () => {
        const to = other.value;
        await post("pads/move", { from: name, to });
        closeDialog();
        sayPutBack(`${t("done")} ${t("move_pad")}: ${name} → ${to}`, () =>
          post("pads/move", { from: to, to: name }),
        );
      }),
    ),
  );
}
