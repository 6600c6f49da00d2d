// Every pad: last heard, battery, signal, unsent.

import { get } from "./api.js";
import { fill, h, table as tableOf, wide, wideHeading } from "./dom.js";
import { now, room } from "./live.js";
import { notice, openTable } from "./table.js";
import { ago, decimal, t } from "./text.js";

/** Shows the list of pads and the tables that have none. */
export function show(main) {
  const list = h("div");
  const air = h("p", { class: "quiet", id: "radio-frames" });
  const draw = () => {
    fill(list, without(), padTable());
    // What the radio takes and refuses is no change of the room: it is asked for, not sent.
    get("radio").then(({ frames }) => fill(air, radio(frames)), () => fill(air));
  };
  fill(main, h("h1", {}, t("page_pads")), h("p", { class: "quiet" }, t("pads_intro")), list, air,
    document.body.dataset.role === "director" && notice([]));
  draw();
  const timer = setInterval(draw, 20000);
  return {
    update: (change) => (change.all || change.tables?.length || change.parts?.includes("pads")) && draw(),
    leave: () => clearInterval(timer),
  };
}

function without() {
  const missing = [...room.tables.values()].filter((table) => table.state === "NotLoggedOn");
  if (missing.length === 0) return null;
  return h("p", { class: "card" }, h("span", { class: "tag bad" }, "○"), " ", t("tables_without_pad", { tables: missing.map((table) => table.table).join(", ") }));
}

function radio(frames) {
  const { old_epoch: replaced, other_network: network, other_club: club, ...others } = frames;
  return t("radio_frames", { ...others, replaced, network, club });
}

function padTable() {
  const { pads } = room.view;
  if (pads.length === 0) return h("p", { class: "empty" }, t("no_pads"));
  const rows = pads.map((pad) => {
    const standing = pad.silent && pad.standing === "Holds" ? ["bad", t("table_Silent")] : pad.standing === "Holds" ? ["good", t("pad_Holds")] : ["", t(`pad_${pad.standing}`)];
    return [
      h("th", { scope: "row" }, h("button", { type: "button", onclick: () => openTable(pad.table) }, pad.table)),
      h("span", { class: `tag ${standing[0]}` }, standing[1]),
      pad.heard_ms ? ago(pad.heard_ms, now()) : t("not_since_start"),
      pad.battery_mv ? h("span", { class: pad.battery_low ? "tag bad" : "" }, `${decimal(pad.battery_mv / 1000, 1)} V`, pad.battery_low && ` ${t("battery_low")}`) : "–",
      wide(pad.signal_dbm ? `${pad.signal_dbm} dBm` : "–"),
      pad.unsent ? h("span", { class: "tag late" }, pad.unsent) : pad.unsent === 0 ? "0" : "–",
      wide(pad.firmware),
      wide(h("td", {}, h("code", {}, pad.pad))),
    ];
  });
  return tableOf(t("page_pads"), [t("table"), t("state"), t("last_heard"), t("battery"), wideHeading(t("signal")), t("unsent"), wideHeading(t("firmware")), wideHeading(t("pad"))], rows);
}
