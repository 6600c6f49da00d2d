// Pages of cards that follow the base station while somebody is busy in them.

import { put } from "./api.js";
import { doing } from "./dialog.js";
import { fill, h } from "./dom.js";
import { sayPutBack } from "./done.js";
import { done, redraw } from "./redraw.js";
import { t } from "./text.js";

/** Whether the evening itself has changed: it ended, was released or taken back. */
export const eveningChanged = (change) => change.all || Boolean(change.parts?.includes("session"));

/**
 * Shows what `cards` makes of what `read` brings, and answers with what shows it again. What is done
 * through `acted` is shown as the base has it then; `draw` and what somebody else changes leave forms
 * alone.
 * @template View
 * @param {HTMLElement} main
 * @param {() => Promise<View>} read
 * @param {(view: View, acted: () => Promise<void>, draw: () => Promise<void>) => any[]} cards
 */
export function showCards(main, read, cards) {
  const place = h("div");
  fill(main, place);
  const draw = async () => {
    const { scrollY } = window;
    redraw(place, cards(await read(), acted, draw));
    window.scrollTo({ top: scrollY });
  };
  const acted = () => {
    done(place);
    return draw();
  };
  const again = () => draw().catch((refusal) => fill(place, h("p", { class: "empty" }, refusal.message)));
  again();
  return again;
}

/** Puts a competition of any kind away or brings it back, with the way back beside what is said. */
export function putAway(view, address, draw) {
  const set = async (away) => {
    await put(`${address}/away`, { away });
    await draw();
  };
  const label = t(view.away ? "comp_bring_back" : "comp_put_away");
  return doing(label, async () => {
    await set(!view.away);
    sayPutBack(`${t("done")} ${view.name}: ${label}`, () => set(view.away));
  });
}

/**
 * Draws again when results come in: sixty-four tables sending at once must not ask for sixty-four
 * rankings.
 */
export function afterResults(draw) {
  let waiting = null;
  const later = () => {
    waiting ??= setTimeout(() => {
      waiting = null;
      draw();
    }, 700);
  };
  return {
    later,
    update: (change) => (eveningChanged(change) || change.cells?.length) && later(),
    leave: () => clearTimeout(waiting),
  };
}
