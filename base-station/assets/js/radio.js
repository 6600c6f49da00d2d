// The receivers on the page of pads: how each modem is, setting it again, listening to the channels, and
// what follows from what was counted.

import { post } from "./api.js";
import { doing, openDialog } from "./dialog.js";
import { choice, field, fill, h } from "./dom.js";
import { decimal, t } from "./text.js";

/** Advice that is about a table of its own; all other is about the whole room. */
const OF_A_TABLE = ["Hole", "Deaf"];

/** How many seconds a scan takes for each channel: going there, and listening. */
const SECONDS_A_CHANNEL = 6;

/**
 * Pads that are not heard: are they in the same network, and is a receiver there for their channel?
 * @param {{ receivers: any, network?: any, channels: number[], by_hand: boolean }} known
 */
export function communications(known, director, draw) {
  const { receivers, network } = known;
  return [
    h("h2", {}, t("radio_title")),
    h(
      "dl",
      { class: "facts" },
      typeof network === "number" && [h("dt", {}, t("radio_network")), h("dd", {}, network)],
      // A modem keeps its channel to itself; a pad shows the one that it was given.
      h("dt", {}, t("radio_channel_name")),
      h("dd", {}, t("radio_channel_where")),
      receivers.length === 0 && [h("dt", {}, t("receiver")), h("dd", {}, t("radio_no_receiver"))],
      receivers.map((receiver, at) => [
        h("dt", {}, t("radio_channel", { n: at + 1 })),
        h(
          "dd",
          {},
          h(
            "span",
            { class: `tag ${receiver.connected ? "good" : "bad"}` },
            t(receiver.connected ? "radio_connected" : "radio_gone"),
          ),
          ` ${receiver.name} `,
          modem(receiver.modem),
          share(receiver),
          director &&
            receiver.connected && [
              " ",
              h(
                "button",
                { type: "button", onclick: () => openModem(receiver, at + 1, known, draw) },
                t("modem_open", { n: at + 1 }),
              ),
            ],
        ),
      ]),
    ),
  ];
}

// Whether a receiver's modem is as it should be, where it was asked.
function modem(known) {
  if (!known) return "";
  const { state, channel, baud, dbm } = known;
  const good = state === "Set";
  return [
    h("span", { class: `tag ${good ? "good" : "bad"}` }, t(`modem_${state}`, { channel, baud, dbm })),
    " ",
  ];
}

// How much of the hour the base was on the air, and what the law says to that.
function share({ share_permille, limit_permille, held_back }) {
  const share = decimal(share_permille / 10, 1);
  const limited = typeof limit_permille === "number";
  const limit = limited && decimal(limit_permille / 10, 1);
  return [
    h(
      "span",
      { class: "quiet" },
      limited ? t("receiver_share_of", { share, limit }) : t("receiver_share", { share }),
    ),
    held_back > 0 && [" ", h("span", { class: "tag bad" }, t("receiver_held_back", { n: held_back }))],
  ];
}

// Sets a receiver's modem, and listens with it.
function openModem(receiver, n, { channels, by_hand: byHand }, draw) {
  const title = t("modem_dialog", { n });
  if (channels.length === 0) {
    openDialog(title, h("p", {}, t("modem_needs_country")));
    return;
  }
  const own = receiver.modem?.channel;
  const channel = choice(
    channels.map((one) => [String(one), String(one)]),
    String(channels.includes(own) ? own : channels[0]),
  );
  const said = h("div", { role: "status" });
  const path = (what) => `radio/receivers/${receiver.id}/${what}`;
  const wanted = () => ({ channel: Number(channel.value) });
  const set = doing(
    t("modem_set"),
    async () => {
      const known = await post(path("set"), wanted());
      fill(
        said,
        h("p", {}, modem(known), pinOf(known)),
        byHand && known.state === "Set" && h("p", {}, t("modem_take_off")),
      );
      draw();
    },
    { class: "primary" },
  );
  const scan = doing(t("modem_scan"), async () => {
    const { channels: heard, modem: known } = await post(path("scan"), wanted());
    fill(said, heardOn(heard), h("p", {}, modem(known)));
    draw();
  });
  openDialog(title, [
    h("p", {}, t("modem_hint")),
    byHand && h("p", {}, t("modem_by_hand")),
    h("div", { class: "fields" }, field(t("radio_channel_name"), channel)),
    h("div", { class: "buttons" }, set, !byHand && scan),
    !byHand &&
      h("p", { class: "quiet" }, t("modem_scan_hint", { seconds: channels.length * SECONDS_A_CHANNEL })),
    said,
  ]);
}

const pinOf = ({ pin }) => (pin === "Rts" || pin === "Dtr") && t("modem_pin", { pin: pin.toUpperCase() });

// How crowded each channel is, by what the modem handed out there.
function heardOn(channels) {
  if (channels.length === 0) return h("p", {}, t("modem_heard_none"));
  const quietest = channels.reduce((least, one) => (one.busy_permille < least.busy_permille ? one : least));
  return [
    h(
      "ul",
      { class: "plain" },
      channels.map(({ channel, busy_permille }) =>
        h("li", {}, t("modem_heard", { channel, share: decimal(busy_permille / 10, 1) })),
      ),
    ),
    h("p", {}, t("modem_quietest", { channel: quietest.channel })),
  ];
}

/** What to do about a pad, with the figure behind it. */
export const adviceTag = ({ advice, advice_figure: figure }) =>
  h("span", { class: "tag late" }, t(`radio_${advice}`, { figure }));

/** What to do about the tables, once for each advice. */
export function roomAdvice(known) {
  const kinds = [...new Set(known.map(({ advice }) => advice).filter(Boolean))];
  return kinds.map((advice) => {
    const those = known.filter((table) => table.advice === advice);
    const tables = those.map(({ table }) => table).join(", ");
    const figure = Math.max(...those.map((table) => table.advice_figure));
    return h(
      "p",
      {},
      OF_A_TABLE.includes(advice) && `${t("radio_tables", { tables })} `,
      t(`radio_${advice}_tables`, { figure }),
    );
  });
}
