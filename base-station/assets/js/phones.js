// Phones as pads: how they get in, the code of each table, and every phone that has joined.

import { get, post } from "./api.js";
import { doing } from "./dialog.js";
import { doorCard } from "./door.js";
import { fill, h, table as tableOf } from "./dom.js";
import { revokeButton } from "./pads.js";
import { pairCalled } from "./pairs.js";
import { redraw } from "./redraw.js";
import { t } from "./text.js";

/** Shows the codes and the phones. */
export function show(main) {
  const place = h("div");
  fill(main, h("h1", {}, t("page_phones")), h("p", { class: "quiet" }, t("phones_intro")), place);
  let chosen = null;
  const draw = async () => {
    const [known, house, access] = await Promise.all([
      get("phones"),
      get("house").catch(() => ({ door: null })),
      get("access"),
    ]);
    redraw(
      place,
      known.missing && h("p", { class: "card refusal" }, t("phones_missing", { missing: known.missing })),
      h(
        "div",
        { class: "columns" },
        way(known.address, known.encrypted, house.door !== null),
        codes(known, chosen, (table) => {
          chosen = table;
          draw();
        }),
      ),
      house.door !== null && doorCard(house, access.password_set),
      joined(known, draw),
      owned(known, draw),
    );
  };
  const look = () => draw().catch((refusal) => fill(place, h("p", { class: "refusal" }, refusal.message)));
  look();
  return {
    update: (change) => (change.all || change.parts?.includes("pads") || change.tables?.length) && look(),
  };
}

function way(address, encrypted, byPage) {
  return h(
    "section",
    { class: "card", id: "way-in" },
    h("h2", {}, t("phones_way")),
    h(
      "p",
      {},
      address
        ? h("strong", {}, t("phones_address", { address }))
        : t(byPage ? "door_shut" : "phones_only_here"),
    ),
    h("p", {}, t("phones_wifi")),
    h("p", {}, t("phones_password")),
    h("p", {}, t(encrypted ? "phones_tls_on" : "phones_tls_off")),
  );
}

/**
 * @param {{ tables: any[], address?: string | null }} known
 * @param {string | null} chosen
 * @param {(table: string) => void} choose
 */
function codes({ tables, address }, chosen, choose) {
  if (tables.length === 0)
    return h("section", { class: "card" }, h("p", { class: "empty" }, t("phones_no_session")));
  const shown = tables.find(({ table }) => table === chosen) ?? tables[0];
  return h(
    "section",
    { class: "card", id: "codes" },
    h("h2", {}, t("phones_code", { table: shown.table })),
    // The number of the code in the address: a used code is never shown again from a cache.
    // A code of this machine's own address would lead every phone to itself.
    address
      ? h("img", {
          src: `/api/phones/${shown.table}/code.svg?${shown.used}`,
          alt: t("phones_code", { table: shown.table }),
          width: 260,
          height: 260,
          class: "code",
        })
      : h("p", {}, t("phones_try_here")),
    h("p", {}, h("a", { href: shown.link, target: "_blank", rel: "noreferrer" }, shown.link.split("#")[0])),
    h(
      "div",
      { class: "buttons", role: "group", "aria-label": t("page_phones") },
      tables.map(({ table, used }) =>
        h(
          "button",
          {
            type: "button",
            "aria-pressed": String(table === shown.table),
            "aria-label": t("phones_code", { table }),
            onclick: () => choose(table),
          },
          table,
          used > 0 && [" ", h("span", { class: "device" })],
        ),
      ),
    ),
  );
}

function joined({ phones }, draw) {
  if (phones.length === 0) return h("p", { class: "empty" }, t("phones_none"));
  const rows = phones.map((phone) => [
    h("th", { scope: "row" }, phone.table),
    t(`device_${phone.kind}`),
    h("code", {}, phone.pad),
    trusted(phone, draw),
  ]);
  return tableOf(t("phones_joined"), [t("table"), t("phones_kind"), t("pad"), t("stolen_or_lost")], rows);
}

function owned({ own }, draw) {
  if (own.length === 0) return h("p", { class: "empty" }, t("phones_own_none"));
  const rows = own.map((phone) => [
    h("th", { scope: "row" }, pairCalled(phone.pair)),
    t(`device_${phone.kind}`),
    h("code", {}, phone.pad),
    trusted(phone, draw),
  ]);
  return tableOf(t("phones_own"), [t("phones_pair"), t("phones_kind"), t("pad"), t("stolen_or_lost")], rows);
}

function trusted(phone, draw) {
  if (!phone.revoked) return revokeButton(phone, draw);
  return h(
    "span",
    {},
    h("span", { class: "tag bad" }, "✕ ", t("revoked")),
    " ",
    doing(t("restore_pad"), () => post(`pads/${phone.pad}/restore`).then(draw)),
  );
}
