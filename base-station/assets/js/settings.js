// How pads behave, how it is scored and timed. Every choice is saved at once.

import { get, put } from "./api.js";
import { choice, field, fill, h, tick, toast } from "./dom.js";
import { refuse, unrefuse } from "./dialog.js";
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
  const save = async (near) => {
    unrefuse(near);
    try {
      Object.assign(settings, await put("settings", settings));
      toast(t("saved"));
    } catch (refusal) {
      refuse(near, refusal);
    }
  };
  const select = (part, name, options) => {
    const control = choice(
      options.map((option) => [option, t(`set_${name}_${option}`)]),
      settings[part][name],
    );
    control.addEventListener("change", () => {
      settings[part][name] = control.value;
      save(control);
    });
    return field(t(`set_${name}`), control);
  };
  const box = (part, name) => {
    const { box: control, label } = tick(t(`set_${name}`), settings[part][name]);
    control.addEventListener("change", () => {
      settings[part][name] = control.checked;
      save(control);
    });
    return label;
  };
  const number = (part, name, [min, max], hint) => {
    const control = h("input", { type: "number", min, max, value: settings[part][name] });
    control.addEventListener("change", () => {
      settings[part][name] = Number(control.value);
      save(control);
    });
    return field(t(`set_${name}`), control, hint);
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
    settings.scoring = { ...chosen.scoring, across_sections, single, method };
    await save(preset);
    await settingsCard(place);
    place.querySelector("details").open = true;
  });
  const pin = h("input", {
    inputmode: "numeric",
    maxlength: 4,
    value: settings.pads.director_pin > 9999 ? "" : String(settings.pads.director_pin).padStart(4, "0"),
  });
  pin.addEventListener("change", () => {
    settings.pads.director_pin = Number(pin.value);
    save(pin);
  });
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
