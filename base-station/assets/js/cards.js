// Pages of cards that follow the base station while somebody is busy in them.

import { fill, h } from "./dom.js";
import { done, redraw } from "./redraw.js";

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
