// Who comes in: this machine alone, or phones and other machines too.

import { put } from "./api.js";
import { doing } from "./dialog.js";
import { choice, field, fill, h } from "./dom.js";
import { t } from "./text.js";

const AWAY = 2500;

/** How other machines come in. */
export function wayIn() {
  return choice([
    ["encrypted", t("door_encrypted")],
    ["plain", t("door_plain")],
  ]);
}

/** Waits for the base station, which starts again, and goes to its page. */
export async function moveTo(place, page) {
  fill(place, h("p", { role: "status" }, h("span", { class: "busy" }), " ", t("door_restarts", { page })));
  // A page that the browser does not trust yet can't be asked whether it is there.
  await new Promise((done) => setTimeout(done, AWAY));
  location.href = `${page}${location.hash}`;
  if (new URL(page).origin === location.origin) location.reload();
}

/** The card with which the director lets phones in, or shuts the door again. */
export function doorCard(house, passwordSet) {
  const way = wayIn();
  const password = h("input", {
    type: "password",
    autocomplete: "new-password",
    minlength: 8,
    maxlength: 200,
  });
  const place = h("section", { class: "card", id: "door" }, h("h2", {}, t("door_title")));
  const set = async (door) => {
    const wish = { door, password: passwordSet || !password.value ? null : password.value };
    const { page } = await put("house/door", wish);
    await moveTo(place, page);
  };
  if (house.door === "shut")
    place.append(
      h("p", {}, t("door_shut")),
      passwordSet ? "" : field(t("new_password"), password, t("new_password_hint")),
      field(t("door_way"), way, t("door_way_hint")),
      doing(t("door_open"), () => set(way.value), { class: "primary" }),
    );
  else
    place.append(
      h("p", {}, t("door_is_open")),
      doing(t("door_close"), () => set("shut")),
    );
  return place;
}
