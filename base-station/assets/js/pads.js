// Every pad: last heard, battery, how many of its calls were answered, unsent.

import { answerButtons } from "./answers.js";
import { get, post, put } from "./api.js";
import { doing } from "./dialog.js";
import { fill, h, keyed, table as tableOf, toast, wide, wideHeading } from "./dom.js";
import { now, room } from "./live.js";
import { adviceTag, communications, roomAdvice } from "./radio.js";
import { redraw } from "./redraw.js";
import { notice, openTable } from "./table.js";
import { ago, decimal, t } from "./text.js";

/** Below this share of its calls answered, in percent, a table is worth a look. */
const FEW_ANSWERED = 80;

/** What the radio does is asked for so often: somebody who wires a modem waits for its word. */
const ASKED_EVERY_MS = 5000;

/** Shows the list of pads and the tables that have none. */
export function show(main) {
  const list = h("div");
  const air = h("section", { class: "card", id: "radio-frames" });
  const trust = h("div");
  const director = document.body.dataset.role === "director";
  doubted = "";
  let radios = [];
  const drawList = () => redraw(list, asking(), without(), padTable(director, draw, radios), picture(radios));
  const draw = () => {
    drawList();
    // What the radio takes and refuses is no change of the room: it is asked for, not sent.
    get("radio").then(
      (known) => {
        radios = known.pads;
        drawList();
        redraw(air, communications(known, director, draw), heard(known.frames));
        redraw(trust, director && trusted(known, draw));
      },
      () => fill(air),
    );
  };
  fill(
    main,
    h("h1", {}, t("page_pads")),
    h(
      "p",
      { class: "quiet" },
      t("pads_intro"),
      director && [" ", h("a", { href: "#/phones" }, t("page_phones"))],
    ),
    list,
    air,
    trust,
    director && notice([]),
  );
  draw();
  const timer = setInterval(draw, ASKED_EVERY_MS);
  return {
    update: (change) =>
      (change.all ||
        change.tables?.length ||
        change.parts?.includes("pads") ||
        change.parts?.includes("warnings")) &&
      draw(),
    leave: () => clearInterval(timer),
  };
}

function without() {
  const missing = [...room.tables.values()].filter((table) => table.state === "NotLoggedOn");
  if (missing.length === 0) return null;
  return h(
    "p",
    { class: "card" },
    h("span", { class: "tag bad" }, "○"),
    " ",
    t("tables_without_pad", { tables: missing.map((table) => table.table).join(", ") }),
  );
}

// What was refused is worth a look only where there is any.
function heard(frames) {
  const { accepted, old_epoch: replaced, other_network, other_club, old_version, other_base } = frames;
  const refused = [
    ["garbled", frames.garbled],
    ["forged", frames.forged],
    ["replayed", frames.replayed],
    ["replaced", replaced],
    ["revoked", frames.revoked],
    ["old", old_version],
    ["strange", other_network],
    ["club", other_club],
    ["base", other_base],
  ].filter(([, n]) => n > 0);
  return h(
    "p",
    { class: "quiet" },
    t("radio_taken", { n: accepted }),
    refused.length > 0 &&
      ` ${t("radio_refused")} ${refused.map(([why, n]) => t(`radio_${why}`, { n })).join(", ")}.`,
  );
}

/** Pads that want a table whose own pad works, with the director's answers. */
export function asking(name) {
  const asked = room.view.warnings.filter(
    (warning) => warning.kind === "ReplaceAsked" && !warning.answered && (!name || warning.table === name),
  );
  return asked.map((warning) =>
    h(
      "div",
      { class: "card warning", "data-key": warning.key },
      h("p", {}, h("span", { class: "tag late" }, "⚑ ", t("warning_ReplaceAsked")), " ", warning.text),
      h("div", { class: "buttons" }, answerButtons(warning)),
    ),
  );
}

function trusted({ revoked, old_pads: old }, draw) {
  const set = (path, said) => async () => {
    await post(path);
    toast(said);
    draw();
  };
  return h(
    "section",
    { class: "card", id: "trust" },
    h("h2", {}, t("trust")),
    revoked.length === 0
      ? h("p", { class: "quiet" }, t("no_revoked"))
      : h(
          "ul",
          { class: "plain" },
          revoked.map((pad) =>
            h(
              "li",
              {},
              h("code", {}, pad),
              " ",
              h("span", { class: "tag bad" }, "✕ ", t("revoked")),
              " ",
              doing(t("restore_pad"), set(`pads/${pad}/restore`, t("done"))),
            ),
          ),
        ),
    h(
      "p",
      {},
      t(old ? "old_pads_taken" : "old_pads_refused"),
      " ",
      doing(t(old ? "old_pads_refuse" : "old_pads_take"), async () => {
        await put("radio/old-pads", { allowed: !old });
        draw();
      }),
    ),
  );
}

/** The pad of which somebody is being asked whether it is to be revoked. */
let doubted = "";

/** Asks twice, then revokes; the question stays while pads come and go. */
export function revokeButton(pad, draw) {
  // Asked twice: at once it would be a slip of the finger that stops a table.
  const place = h("span");
  const show = () =>
    doubted === pad.pad
      ? fill(place, sure(), " ", h("button", { type: "button", onclick: () => doubt("") }, t("cancel")))
      : fill(place, h("button", { type: "button", onclick: () => doubt(pad.pad) }, t("revoke_pad")));
  const doubt = (now) => {
    doubted = now;
    show();
    place.querySelector("button")?.focus();
  };
  const sure = () =>
    doing(
      t("revoke_yes", { pad: pad.pad }),
      async () => {
        await post(`pads/${pad.pad}/revoke`);
        doubted = "";
        toast(t("pad_revoked"));
        draw();
      },
      { class: "primary" },
    );
  return show();
}

/** How many of a pad's calls were answered, and what to do about it. */
function calls(known) {
  const last = known?.quarters.at(-1);
  if (!last) return "–";
  return h(
    "span",
    { title: known.quarters.map((quarter) => `${quarter.answered_percent} %`).join(" · ") },
    t("calls_answered", { percent: last.answered_percent, calls: last.calls }),
    known.advice && [" ", adviceTag(known)],
  );
}

// The room as the receiver hears it: every table with the share of its calls that were answered.
function picture(radios) {
  const known = room.view.pads.flatMap((pad) => {
    const radio = radios.find((radio) => radio.pad === pad.pad);
    const last = radio?.quarters.at(-1);
    if (!pad.table || !last) return [];
    const { advice, advice_figure } = radio;
    return [{ table: pad.table, percent: last.answered_percent, advice, advice_figure }];
  });
  if (known.length === 0) return null;
  const tone = ({ percent, advice }) => (advice ? "bad" : percent < FEW_ANSWERED ? "late" : "good");
  return h(
    "section",
    { class: "card", id: "radio-room" },
    h("h2", {}, t("radio_room")),
    h("p", { class: "quiet" }, t("radio_room_says")),
    h(
      "p",
      {},
      known.map((table) => [
        h("span", { class: `tag ${tone(table)}` }, `${table.table}: ${table.percent} %`),
        " ",
      ]),
    ),
    roomAdvice(known),
  );
}

function padTable(director, draw, radios) {
  const { pads } = room.view;
  if (pads.length === 0) return h("p", { class: "empty" }, t("no_pads"));
  const rows = pads.map((pad) => {
    const standing =
      pad.silent && pad.standing === "Holds"
        ? ["bad", t("table_Silent")]
        : pad.standing === "Holds"
          ? ["good", t("pad_Holds")]
          : ["", t(`pad_${pad.standing}`)];
    return [
      h(
        "th",
        { scope: "row" },
        h("button", { type: "button", onclick: () => openTable(pad.table) }, pad.table),
      ),
      h(
        "span",
        {},
        h("span", { class: `tag ${standing[0]}` }, standing[1]),
        pad.device && [
          " ",
          h("span", { class: "tag" }, h("span", { class: "device" }), " ", t(`device_${pad.device}`)),
        ],
      ),
      pad.heard_ms ? ago(pad.heard_ms, now()) : t("not_since_start"),
      pad.battery_mv
        ? h(
            "span",
            { class: pad.battery_low ? "tag bad" : "" },
            `${decimal(pad.battery_mv / 1000, 1)} V`,
            pad.battery_low && ` ${t("battery_low")}`,
          )
        : "–",
      wide(calls(radios.find((known) => known.pad === pad.pad))),
      pad.unsent ? h("span", { class: "tag late" }, pad.unsent) : pad.unsent === 0 ? "0" : "–",
      wide(pad.device ? t(`device_${pad.device}`) : pad.firmware),
      wide(h("td", {}, h("code", {}, pad.pad))),
      ...(director ? [revokeButton(pad, draw)] : []),
    ];
  });
  const made = tableOf(
    t("page_pads"),
    [
      t("table"),
      t("state"),
      t("last_heard"),
      t("battery"),
      wideHeading(t("radio_calls")),
      t("unsent"),
      wideHeading(t("firmware")),
      wideHeading(t("pad")),
      ...(director ? [t("stolen_or_lost")] : []),
    ],
    rows,
  );
  return keyed(
    made,
    pads.map(({ pad }) => pad),
  );
}
