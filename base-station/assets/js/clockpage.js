// The round clock: large enough for a projector, with the director's buttons below.

import { post } from "./api.js";
import { fill, h } from "./dom.js";
import { doing } from "./dialog.js";
import { clockFace } from "./frame.js";
import { room } from "./live.js";
import { redraw } from "./redraw.js";
import { t } from "./text.js";

/** Shows the clock and its controls. */
export function show(main) {
  const face = h("p", { class: "big-clock", role: "timer" });
  const say = h("p", { class: "big-say" });
  const controls = h("div", { class: "buttons centred" });
  fill(
    main,
    h("h1", { class: "visually-hidden" }, t("page_clock")),
    h("div", { class: "clock-page" }, face, say, controls),
    h(
      "div",
      { class: "buttons centred" },
      h(
        "button",
        { type: "button", onclick: () => document.documentElement.requestFullscreen().catch(() => {}) },
        t("display_full"),
      ),
      h("a", { class: "button", href: "/#/display", target: "_blank" }, t("display_open")),
    ),
    h("p", { class: "quiet centred-text" }, t("display_hint")),
  );
  const tick = () => {
    const { clock } = room.view;
    const { text, kind, noNewBoard } = clockFace(clock);
    face.className = `big-clock ${kind ?? ""}`;
    fill(face, h("small", {}, clock.round ? t("round_n", { n: clock.round }) : ""), text);
    const words =
      { over: t("clock_over_say"), soon: t("clock_soon_say") }[kind] ??
      { Held: t("clock_held"), Off: t("clock_not_running") }[clock.state] ??
      "";
    fill(say, [noNewBoard && t("clock_no_new_board"), words, clock.announce].filter(Boolean).join(" "));
  };
  const draw = () => {
    tick();
    redraw(controls, document.body.dataset.role === "director" && buttons());
  };
  draw();
  const timer = setInterval(tick, 500);
  return {
    update: (change) =>
      (change.all || change.parts?.some((part) => part === "clock" || part === "session")) && draw(),
    leave: () => clearInterval(timer),
  };
}

function buttons() {
  const { clock, session } = room.view;
  if (!session || session.sections.length === 0) return h("p", { class: "quiet" }, t("nothing_yet"));
  const last = Math.max(...session.sections.map((section) => section.rounds));
  // Whoever thinks of the clock in round 6 wants round 6.
  const next = clock.round
    ? clock.round + 1
    : Math.max(...session.sections.map((section) => section.room_round));
  const act = (label, body, attributes) => doing(label, () => post("clock", body), attributes);
  const begun = clock.state !== "Off";
  return [
    next <= last &&
      act(t("clock_start", { n: next }), { action: "start", round: next }, { class: "primary" }),
    clock.state === "Running" && act(t("clock_hold"), { action: "hold" }, { "data-key": "hold" }),
    clock.state === "Held" && act(t("clock_resume"), { action: "resume" }, { "data-key": "hold" }),
    begun && act(t("clock_more", { n: 1 }), { action: "add", minutes: 1 }),
    begun && act(t("clock_more", { n: 5 }), { action: "add", minutes: 5 }),
    begun && act(t("clock_less", { n: 1 }), { action: "add", minutes: -1 }),
  ];
}
