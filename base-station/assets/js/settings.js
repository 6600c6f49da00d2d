// How pads behave, how it is scored and timed. Every choice is saved at once.

import { get, put } from "./api.js";
import { choice, field, fill, h, tick } from "./dom.js";
import { refuse, unrefuse } from "./dialog.js";
import { sayPutBack } from "./done.js";
import { t } from "./text.js";

const PAD = {
  board_choice: ["Proposed", "Typed"],
  lead: ["Off", "Optional", "Required"],
  result_style: ["OverUnder", "TotalTricks", "American"],
  acceptance: ["Plain", "Pin"],
  pair_check: ["Off", "Confirm", "Typed"],
  feedback: ["None", "Percentage", "Traveller", "TravellerAtRoundEnd"],
  player_numbers: ["Off", "Once", "EveryRound"],
  language: ["English", "German", "French", "Dutch"],
};
const SCORING = {
  method: ["Matchpoints", "CrossImps", "Butler"],
  adjusted_rows: ["Neuberg", "Manual"],
  short_boards: ["CommonTop", "OwnTop"],
  rounding: ["Tenth", "Hundredth", "TenThousandth"],
};
/** @type {Record<string, [number, number]>} */
const TIMING = { minutes_a_board: [4, 15], minutes_to_move: [0, 10], warning_minutes: [0, 10] };

/** Fills a card with all settings of the session. */
export async function settingsCard(place) {
  /** @type {any} */
  const settings = await get("settings");
  const send = async (part, changed) => {
    const all = { ...settings, [part]: { ...settings[part], ...changed } };
    Object.assign(settings, await put("settings", all));
  };
  // What is refused stays as it was typed, and the settings as they were.
  const save = async (near, part, changed, said, show) => {
    unrefuse(near);
    const before = Object.fromEntries(Object.keys(changed).map((name) => [name, settings[part][name]]));
    try {
      await send(part, changed);
      sayPutBack(`${t("saved")} ${said}`, async () => {
        await send(part, before);
        await show(before);
      });
    } catch (refusal) {
      refuse(near, refusal);
    }
  };
  const select = (part, name, options) => {
    const called = (option) => t(`set_${name}_${option}`);
    const control = choice(
      options.map((option) => [option, called(option)]),
      settings[part][name],
    );
    control.addEventListener("change", () =>
      save(
        control,
        part,
        { [name]: control.value },
        `${t(`set_${name}`)}: ${called(control.value)}`,
        (before) => (control.value = before[name]),
      ),
    );
    return field(t(`set_${name}`), control);
  };
  const box = (part, name) => {
    const { box: control, label } = tick(t(`set_${name}`), settings[part][name]);
    control.addEventListener("change", () =>
      save(
        control,
        part,
        { [name]: control.checked },
        `${t(`set_${name}`)}: ${t(control.checked ? "set_is_on" : "set_is_off")}`,
        (before) => (control.checked = before[name]),
      ),
    );
    return label;
  };
  const number = (part, name, [min, max], hint) => {
    const control = h("input", { type: "number", min, max, value: settings[part][name] });
    control.addEventListener("change", () =>
      save(
        control,
        part,
        { [name]: Number(control.value) },
        `${t(`set_${name}`)}: ${control.value}`,
        (before) => (control.value = before[name]),
      ),
    );
    return field(t(`set_${name}`), control, hint);
  };
  const again = async () => {
    await settingsCard(place);
    place.querySelector("details").open = true;
  };
  // Choosing a whole way of scoring changes the choices below, so the card is drawn anew.
  const { presets } = await get("settings/presets");
  const preset = choice(
    [["", t("scoring_preset_none")], ...presets.map(({ name }) => [name, t(`scoring_preset_${name}`)])],
    "",
  );
  preset.addEventListener("change", async () => {
    const chosen = presets.find(({ name }) => name === preset.value);
    if (!chosen) return;
    const { across_sections, single, method } = settings.scoring;
    const scoring = { ...chosen.scoring, across_sections, single, method };
    const said = `${t("scoring_preset")}: ${t(`scoring_preset_${chosen.name}`)}`;
    await save(preset, "scoring", scoring, said, again);
    await again();
  });
  const digits = (chosen) => (chosen > 9999 ? "" : String(chosen).padStart(4, "0"));
  const pin = h("input", {
    inputmode: "numeric",
    maxlength: 4,
    value: digits(settings.pads.director_pin),
  });
  pin.addEventListener("change", () =>
    save(
      pin,
      "pads",
      { director_pin: Number(pin.value) },
      t("set_director_pin"),
      (before) => (pin.value = digits(before.director_pin)),
    ),
  );
  fill(
    place,
    h(
      "details",
      {},
      h("summary", {}, h("h2", { class: "inline" }, t("setup_settings"))),
      h("p", { class: "quiet" }, t("settings_hint")),
      h("h3", {}, t("settings_pads")),
      h(
        "div",
        { class: "fields" },
        Object.entries(PAD).map(([name, options]) => select("pads", name, options)),
        field(t("set_director_pin"), pin, t("set_director_pin_hint")),
      ),
      box("pads", "hand_record"),
      box("pads", "ranking"),
      h("h3", {}, t("settings_scoring")),
      h(
        "div",
        { class: "fields" },
        field(t("scoring_preset"), preset),
        Object.entries(SCORING).map(([name, options]) => select("scoring", name, options)),
        number("scoring", "least_share_percent", [0, 100], t("set_least_share_percent_hint")),
      ),
      box("scoring", "across_sections"),
      box("scoring", "single"),
      h("h3", {}, t("settings_timing")),
      h(
        "div",
        { class: "fields" },
        Object.entries(TIMING).map(([name, range]) => number("timing", name, range)),
      ),
    ),
  );
}
