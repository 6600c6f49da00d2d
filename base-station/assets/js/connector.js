// Exchange: scoring programs that work with a Bridgemate Data Connector, and what waits for them.

import { get, put } from "./api.js";
import { refuse, unrefuse } from "./dialog.js";
import { fill, h, tick } from "./dom.js";
import { redraw } from "./redraw.js";
import { ago, t } from "./text.js";

// More often than a program asks, so that what waits is seen to go.
const LOOK_EVERY_MS = 2000;

/** A card with the switch and how things stand; it looks again while it is shown. */
export function programsCard() {
  const place = h("div", { id: "data-connector" });
  const { box, label } = tick(t("connector_switch"), false, { disabled: true });
  box.addEventListener("change", async () => {
    unrefuse(box);
    try {
      await put("data-connector", { on: box.checked });
    } catch (refusal) {
      refuse(box, refusal);
    }
    await look().catch(() => {});
  });
  const look = async () => {
    const state = await get("data-connector");
    box.checked = state.on;
    box.disabled = false;
    redraw(place, ...standing(state));
  };
  const again = setInterval(
    () => (place.isConnected ? look().catch(() => {}) : clearInterval(again)),
    LOOK_EVERY_MS,
  );
  look().catch((refusal) => fill(place, h("p", { class: "refusal" }, refusal.message)));
  return h(
    "section",
    { class: "card" },
    h("h2", {}, t("connector_title")),
    h("p", { class: "quiet" }, t("connector_hint")),
    label,
    place,
  );
}

function standing(state) {
  const list = (title, sentences) =>
    sentences.length > 0 &&
    h(
      "details",
      { "data-key": title, "data-group": true },
      h("summary", {}, `${title} (${sentences.length})`),
      h(
        "ul",
        {},
        sentences.map((sentence) => h("li", {}, sentence)),
      ),
    );
  const waiting = state.waiting
    .filter((one) => one.items > 0)
    .map((one) => `${t(`queue_${one.queue}`)}: ${one.items}`);
  return [
    h(
      "p",
      { role: "status", "data-key": "state" },
      h(
        "span",
        { class: `tag ${state.on && !state.fault ? "good" : ""}` },
        t(state.on ? "connector_on" : "connector_off"),
      ),
      " ",
      state.on &&
        (state.fault
          ? h("span", { class: "refusal" }, state.fault)
          : t("connector_at", { address: state.address })),
    ),
    state.on &&
      h(
        "p",
        {},
        t("connector_contact"),
        " ",
        state.contact_ms ? [ago(state.contact_ms, Date.now()), state.club && ` · ${state.club}`] : t("never"),
      ),
    state.on &&
      h(
        "p",
        {},
        state.linked
          ? [t("connector_waiting"), " ", waiting.join(", ") || t("connector_nothing_waits")]
          : t("connector_not_linked"),
      ),
    list(t("connector_notes"), state.notes),
    list(t("connector_losses"), state.losses),
  ];
}
