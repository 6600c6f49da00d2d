// Who ends level: places that are shared, and a match in stanzas that is played on.

import { post } from "./api.js";
import { choice, field, fill, h } from "./dom.js";
import { doing } from "./dialog.js";
import { sayChange } from "./done.js";
import { t } from "./text.js";

/** Those who share a place, place by place. */
export function shared(contest) {
  const places = new Map();
  for (const line of contest.standing) places.set(line.place, [...(places.get(line.place) ?? []), line]);
  return [...places.values()].filter((lines) => lines.length > 1);
}

/** Separates those who share a place by a lot, or as they came out of a play-off. */
export function separating(contest, draw) {
  return [
    h("p", { class: "hint" }, t("tie_hint")),
    shared(contest).map((lines) => onePlace(contest, lines, draw)),
  ];
}

function onePlace(contest, lines, draw) {
  const order = lines.map((line) => line.contestant);
  const name = (number) => `${number} ${lines.find((line) => line.contestant === number)?.name ?? ""}`;
  const how = choice(
    [
      ["lot", t("tie_lot")],
      ["play-off", t("tie_play_off")],
    ],
    "lot",
  );
  const why = h("input", { maxlength: 200 });
  const place = h("div", { class: "fields" });
  // Whoever is chosen changes places with the one who was there.
  const show = () => {
    fill(
      place,
      how.value === "play-off" &&
        order.map((number, at) => {
          const select = choice(
            order.map((one) => [one, name(one)]),
            number,
          );
          select.addEventListener("change", () => {
            const chosen = Number(select.value);
            order[order.indexOf(chosen)] = number;
            order[at] = chosen;
            show();
          });
          return field(t("tie_who", { n: lines[0].place + at }), select);
        }),
    );
  };
  how.addEventListener("change", show);
  const go = doing(t("tie_go"), async () => {
    const did = await post("contest/tie", {
      section: contest.section,
      contestants: order,
      by: how.value,
      why: why.value,
    });
    await sayChange(did, t("done"));
    await draw();
  });
  return h(
    "fieldset",
    {},
    h("legend", {}, `${t("tie_who", { n: lines[0].place })}: ${order.map(name).join(", ")}`),
    h("div", { class: "fields" }, field(t("tie_how"), how), field(t("why"), why)),
    place,
    h("div", { class: "buttons" }, go),
  );
}

/** Adds a stanza to a match that is level. */
export function playingOn(contest, draw) {
  const boards = h("input", {
    type: "number",
    min: 1,
    max: 32,
    value: contest.play_off > 0 ? contest.play_off : "",
  });
  const why = h("input", { maxlength: 200 });
  const go = doing(t("play_off_go"), async () => {
    const did = await post("contest/play-off", {
      section: contest.section,
      ...(boards.value === "" ? {} : { boards: Number(boards.value) }),
      why: why.value,
    });
    await sayChange(did, t("done"));
    await draw();
  });
  return [
    h("div", { class: "fields" }, field(t("play_off_boards"), boards), field(t("why"), why)),
    h("div", { class: "buttons" }, go),
  ];
}
