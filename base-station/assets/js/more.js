// Everything that is needed once an evening or less: names, clock, printing, history, access.

import { get, post, put } from "./api.js";
import { isMuted, isNotifying, mute, notify } from "./bell.js";
import { fingerprint } from "./certificate.js";
import { choice, field, fill, h, icon, tick, toast } from "./dom.js";
import { doing, refuse, unrefuse } from "./dialog.js";
import { sayPutBack } from "./done.js";
import { houseCard } from "./welcome.js";
import { chooseLanguage, currentLanguage, languages, t, timeOfDay } from "./text.js";

/** Shows the list. */
export function show(main) {
  const director = document.body.dataset.role === "director";
  fill(
    main,
    h("h1", {}, t("page_more")),
    h(
      "div",
      { class: "columns" },
      h(
        "section",
        { class: "card" },
        h("h2", {}, t("go_to")),
        h(
          "ul",
          { class: "links" },
          link("#/guide", t("page_guide")),
          link("#/help", t("page_help")),
          link("#/names", t("page_names")),
          link("#/clock", t("page_clock")),
          link("/#/display", t("page_display")),
          link("#/replace", t("replace_pad")),
          director && link("#/pads", t("page_pads")),
          director && link("#/phones", t("page_phones")),
          director && link("#/cable", t("page_cable")),
          link("#/traveller", t("enter_by_hand")),
          link("#/matches", t("page_matches")),
          link("#/competitions", t("page_competitions")),
          link("#/players", t("page_players")),
          director && link("#/movement", t("page_movement")),
          link("#/history", t("page_history")),
          director && link("#/checks", t("page_checks")),
          director && link("#/calendar", t("page_calendar")),
          director && link("#/exchange", t("page_exchange")),
          director && link("#/centre", t("page_centre")),
          link("/api/docs", t("api_docs"), "api"),
        ),
      ),
      h("section", { class: "card" }, h("h2", {}, t("language")), language()),
      director && bell(),
      director && access(),
      director && rules(),
      director && houseCard(),
    ),
  );
}

const link = (href, label, drawn = href.replace(/^.*#\//, "")) =>
  h("li", {}, h("a", { href, target: href.startsWith("/") && "_blank" }, icon(drawn), label));

function language() {
  const select = choice(languages(), currentLanguage());
  select.addEventListener("change", () => chooseLanguage(select.value));
  return field(t("language_of_page"), select);
}

function bell() {
  const rings = tick(t("bell_rings"), !isMuted());
  rings.box.addEventListener("change", () => mute(!rings.box.checked));
  const shows = tick(t("notify_on"), isNotifying());
  shows.box.addEventListener("change", async () => {
    const wanted = shows.box.checked;
    shows.box.checked = await notify(wanted);
    if (wanted && !shows.box.checked) toast(t("notify_refused"));
  });
  return h(
    "section",
    { class: "card" },
    h("h2", {}, t("bell")),
    rings.label,
    shows.label,
    h("p", { class: "quiet" }, t("bell_hint")),
    h(
      "div",
      { class: "buttons" },
      h(
        "button",
        {
          type: "button",
          onclick: () => {
            rings.box.checked = true;
            mute(false);
          },
        },
        t("bell_try"),
      ),
    ),
  );
}

function access() {
  const place = h("section", { class: "card", id: "access" }, h("h2", {}, t("access")));
  const draw = async () => {
    const now = await get("access");
    const password = h("input", {
      type: "password",
      autocomplete: "new-password",
      minlength: 8,
      maxlength: 200,
    });
    const reading = tick(t("reading_without_password"), now.reading_without_password);
    const allow = (yes) => post("access/reading", { without_password: yes });
    reading.box.addEventListener("change", async () => {
      const { checked } = reading.box;
      await allow(checked);
      const said = `${t("reading_without_password")}: ${t(checked ? "set_is_on" : "set_is_off")}`;
      sayPutBack(`${t("saved")} ${said}`, async () => {
        await allow(!checked);
        reading.box.checked = !checked;
      });
    });
    fill(
      place,
      h("h2", {}, t("access")),
      h("p", {}, now.password_set ? t("password_is_set") : t("password_not_set")),
      h("p", { class: "quiet" }, t("addresses"), " ", now.addresses.join(", ")),
      fingerprint(now),
      h(
        "form",
        { onsubmit: (event) => event.preventDefault() },
        field(t("new_password"), password, t("new_password_hint")),
      ),
      h(
        "div",
        { class: "buttons" },
        doing(t("set_password"), async () => {
          await post("access/password", { password: password.value });
          toast(t("password_changed"));
          location.reload();
        }),
      ),
      now.password_set && reading.label,
      now.password_set && doing(t("sign_out"), () => post("logout").then(() => location.reload())),
    );
  };
  draw();
  return place;
}

function rules() {
  const place = h("section", { class: "card" }, h("h2", {}, t("rules")));
  const draw = async () => {
    const now = await get("rules");
    const hours = h("input", { type: "number", min: 0, max: 999, value: now.correction_hours });
    hours.addEventListener("change", async () => {
      unrefuse(hours);
      try {
        await put("rules/correction-period", { hours: Number(hours.value) });
        toast(t("saved"));
      } catch (refusal) {
        refuse(hours, refusal);
      }
    });
    const here = -new Date().getTimezoneOffset();
    const there = timeOfDay(Date.now() + (now.minutes_east - here) * 60000);
    fill(
      place,
      h("h2", {}, t("rules")),
      field(t("correction_hours"), hours, t("hours_hint")),
      h("h3", {}, t("local_time")),
      h("p", {}, t("local_time_is", { time: there })),
      now.minutes_east !== here &&
        doing(t("local_time_take", { time: timeOfDay(Date.now()) }), () =>
          put("rules/local-time", { minutes_east: here }).then(draw),
        ),
    );
  };
  draw().catch(() => place.remove());
  return place;
}
