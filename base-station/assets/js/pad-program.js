// The program of the pads: the file of a release, and the update of a pad at the cable.

import { post, sendFile } from "./api.js";
import { field, fill, h, toast } from "./dom.js";
import { t } from "./text.js";

const UNDER_WAY = ["Sending", "Starting", "Proving"];

/** The file with the program that pads are given. */
export function programCard() {
  const file = h("input", { type: "file", accept: ".update" });
  const said = h("p", { role: "status" });
  file.addEventListener("change", async () => {
    const chosen = file.files?.[0];
    if (!chosen) return;
    try {
      update(await sendFile("cable/program", chosen));
    } catch (refusal) {
      toast(refusal.message);
    }
  });
  const element = h(
    "section",
    { class: "card", id: "pad-program" },
    h("h2", {}, t("program_title")),
    h("p", { class: "quiet" }, t("program_hint")),
    field(t("program_choose"), file),
    said,
  );
  const update = (program) => {
    const words = program ? t("program_chosen", { version: program.version }) : "";
    if (said.textContent !== words) said.textContent = words;
  };
  return { element, update };
}

/** The update of one pad: its button, and how far it is. */
export function updateOf(padNow) {
  const button = h("button", { type: "button", hidden: true });
  const bar = h("progress", { max: 100 });
  const words = h("p", { role: "status" });
  const element = h("div", { class: "pad-update" });
  let older = false;
  button.addEventListener("click", async () => {
    button.disabled = true;
    try {
      await post(`cable/${padNow().pad}/update`, { older });
    } catch (refusal) {
      toast(refusal.message);
    }
    button.disabled = false;
  });
  const update = (program) => {
    const pad = padNow();
    const underWay = UNDER_WAY.includes(pad.update?.step);
    const fits = program && pad.updatable && pad.belongs === "Ours" && !pad.revoked;
    older = Boolean(fits && isOlder(program.version, pad.firmware));
    button.hidden = !fits || underWay || pad.firmware === program.version;
    if (!button.hidden) {
      button.textContent = t(older ? "program_older" : "program_update", { version: program.version });
    }
    const said = pad.update ? t(`update_${pad.update.step}`, pad.update) : "";
    if (words.textContent !== said) words.textContent = said;
    bar.setAttribute("aria-label", said);
    if (pad.update?.step === "Sending") bar.value = pad.update.percent;
    else bar.removeAttribute("value");
    fill(element, pad.update && [words, underWay && bar]);
  };
  return { button, element, update };
}

/** Whether a version comes before another. */
export function isOlder(version, other) {
  const parts = (/** @type {string} */ text) => (text ?? "0").split(".").map(Number);
  const [mine, theirs] = [parts(version), parts(other)];
  const at = mine.findIndex((part, place) => part !== theirs[place]);
  return at >= 0 && mine[at] < theirs[at];
}
