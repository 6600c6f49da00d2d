// The first start: the club's name, language, the director's PIN, a password, and what to do now.

import { get, post, put } from "./api.js";
import { moveTo, wayIn } from "./door.js";
import { byId, choice, field, fill, h, tick, toast } from "./dom.js";
import { closeDialog, doing, openDialog } from "./dialog.js";
import { chooseLanguage, currentLanguage, languages, t } from "./text.js";

/** Shows the questions of the first start. */
export function show(main) {
  if (document.body.dataset.role !== "director") {
    fill(main, h("p", { class: "empty" }, t("director_only")));
    return null;
  }
  const draw = async () => {
    const [house, rules, access] = await Promise.all([get("house"), get("rules"), get("access")]);
    const language = choice(languages(), currentLanguage());
    language.addEventListener("change", () => chooseLanguage(language.value));
    const name = h("input", { value: house.club, maxlength: 60, autocomplete: "organization" });
    const pin = h("input", {
      inputmode: "numeric",
      maxlength: 4,
      autocomplete: "off",
      placeholder: rules.director_pin_chosen ? "••••" : "",
    });
    const password = h("input", {
      type: "password",
      autocomplete: "new-password",
      minlength: 8,
      maxlength: 200,
    });
    const phones = tick(t("welcome_phones"), false);
    const way = wayIn();
    const secret = h(
      "div",
      { hidden: true },
      field(t("new_password"), password, t("new_password_hint")),
      house.door !== null && field(t("door_way"), way, t("door_way_hint")),
    );
    phones.box.addEventListener("change", () => (secret.hidden = !phones.box.checked));
    const start = house.autostart !== null && tick(t("welcome_autostart"), house.autostart);
    const save = async () => {
      await put("house/club", { name: name.value });
      if (pin.value || !rules.director_pin_chosen) await put("rules/director-pin", { pin: pin.value });
      if (start && start.box.checked !== house.autostart)
        await put("house/autostart", { on: start.box.checked });
      // Last: with a password the page asks who is there. Without one the base station says what is
      // missing.
      if (!phones.box.checked) return "";
      if (house.door !== null) {
        const { page } = await put("house/door", { door: way.value, password: password.value });
        return page;
      }
      await post("access/password", { password: password.value });
      return "";
    };
    fill(
      main,
      h("h1", {}, t("welcome_title")),
      h("p", {}, t("welcome_intro")),
      h(
        "section",
        { class: "card" },
        field(t("language_of_page"), language),
        field(t("welcome_club"), name),
        field(t("welcome_pin"), pin, t("welcome_pin_hint")),
        !access.password_set && phones.label,
        !access.password_set && secret,
        start && start.label,
        h(
          "div",
          { class: "buttons" },
          doing(
            t("welcome_first_evening"),
            async () => {
              const page = await save();
              location.hash = "#/setup";
              if (page) await moveTo(main, page);
              else if (phones.box.checked) location.reload();
            },
            { class: "primary" },
          ),
        ),
      ),
      h(
        "section",
        { class: "card" },
        h("h2", {}, t("welcome_practice")),
        h("p", { class: "quiet" }, t("welcome_practice_hint")),
        practice(),
      ),
    );
  };
  draw().catch((refusal) => fill(main, h("p", { class: "refusal", role: "alert" }, refusal.message)));
  return null;
}

/** A button that begins a practice evening, and then leads to it. */
export function practice() {
  const place = h("p");
  fill(
    place,
    doing(t("welcome_practice_begin"), async () => {
      const { page } = await post("house/practice");
      fill(
        place,
        h("a", { class: "button primary", href: page, target: "_blank" }, t("welcome_practice_open")),
      );
      place.querySelector("a")?.focus();
    }),
  );
  return place;
}

// Whoever started it from a menu has no window to close.
function askToEnd() {
  openDialog(t("house_end"), [
    h("p", {}, t("house_end_sure")),
    doing(
      t("house_end_yes"),
      async () => {
        await post("house/end");
        closeDialog();
        fill(byId("page"), h("h1", {}, t("house_ended")), h("p", {}, t("house_ended_hint")));
      },
      { class: "primary" },
    ),
  ]);
}

/** The card with version, autostart, practice and what a helper asks for. */
export function houseCard() {
  const place = h("section", { class: "card", id: "house" });
  const draw = async () => {
    const house = await get("house");
    const start = house.autostart !== null && tick(t("welcome_autostart"), house.autostart);
    if (start)
      start.box.addEventListener("change", () =>
        put("house/autostart", { on: start.box.checked }).then(() => toast(t("saved"))),
      );
    fill(
      place,
      h("h2", {}, t("house_title")),
      h("p", {}, t("house_version", { version: house.version })),
      h("p", {}, h("a", { href: "#/welcome" }, t("house_again"))),
      start && start.label,
      practice(),
      doing(t("house_diagnostics"), async () => {
        const { text } = await get("house/diagnostics");
        fill(shown, text);
        shown.hidden = false;
        // Browsers copy for pages of this machine and for encrypted ones only.
        const copied = await navigator.clipboard?.writeText(text).then(
          () => true,
          () => false,
        );
        toast(t(copied ? "house_copied" : "house_copy_by_hand"));
      }),
      shown,
      h("button", { type: "button", onclick: askToEnd }, t("house_end")),
    );
  };
  const shown = h("pre", { class: "scroll", hidden: true, tabindex: 0 });
  draw().catch(() => place.remove());
  return place;
}
