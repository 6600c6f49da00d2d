// Files that the director drops on the page: deals, and the club's list of players.

import { post } from "./api.js";
import { field, fill, h } from "./dom.js";
import { refuse, unrefuse } from "./dialog.js";
import { peoplePlace } from "./people.js";
import { t } from "./text.js";

// What a file picker offers first; a CSV of deals is found among all files, or dropped.
const DEAL_FILES = ".pbn,.lin,.rbn,.dup,.dlm,.bri,.dge,.ber,.bhg,.cds,.rzd";

/** The bytes of a file, as the interface takes them. */
export async function base64(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const parts = [];
  for (let at = 0; at < bytes.length; at += 8192)
    parts.push(String.fromCharCode(...bytes.subarray(at, at + 8192)));
  return btoa(parts.join(""));
}

/** A place for a deal file of the chosen session. */
export function dealPlace() {
  return dropPlace(t("deal_file"), t("deal_file_hint"), DEAL_FILES, async (file) => {
    const answer = await post("deals", { file: file.name, base64: await base64(file) });
    return t("deals_read", { n: answer.boards, boards: answer.range });
  });
}

/** Draws a place for each kind of file. A file may be dropped anywhere on the page. */
export function drawFiles(place, session) {
  const deals = dealPlace();
  const members = peoplePlace();
  if (session.deals > 0) deals.say(t("deals_there", { n: session.deals }));
  const progress = h("p", { class: "quiet", role: "status" });
  deals.area.append(progress);
  const update = (now) =>
    (progress.textContent =
      now.deals > 0 && now.finds_tricks ? t("tricks_found", { n: now.deals_analysed, of: now.deals }) : "");
  update(session);
  fill(
    place,
    h("h2", {}, t("setup_files")),
    h("p", { class: "quiet" }, t("files_hint")),
    h("div", { class: "columns" }, deals.area, members.area),
    h("p", {}, h("a", { href: "#/names" }, t("names_by_hand"))),
  );
  // Names lie: what is in the file says whether it is one of deals.
  const take = async (file) => {
    if (!file) return;
    /** @type {{ format?: string | null }} */
    const looked = await post("deals/look", { file: file.name, base64: await base64(file) }).catch(
      () => ({}),
    );
    (looked.format || DEAL_FILES.split(",").some((end) => file.name.toLowerCase().endsWith(end))
      ? deals
      : members
    ).take(file);
  };
  return { update, leave: catchDrops(place, take) };
}

function dropPlace(label, hint, accept, upload) {
  const input = h("input", { type: "file", accept });
  const state = h("p", { role: "status" });
  const say = (text) => fill(state, h("span", { class: "tag good" }, "✓"), " ", text);
  const take = async (file) => {
    if (!file) return;
    unrefuse(state);
    fill(state, h("span", { class: "busy" }), " ", file.name);
    try {
      say(await upload(file));
    } catch (refusal) {
      fill(state);
      refuse(state, refusal);
    }
  };
  input.addEventListener("change", () => take(input.files?.[0]));
  return { take, say, area: h("div", { class: "drop" }, field(label, input, hint), state) };
}

/** Whoever misses the dashed box must not lose the page to the browser's own view of the file. */
function catchDrops(place, take) {
  const over = (event) => {
    event.preventDefault();
    place.classList.add("dragged");
  };
  const out = () => place.classList.remove("dragged");
  const drop = (event) => {
    event.preventDefault();
    out();
    take(event.dataTransfer.files[0]);
    place.scrollIntoView({ block: "nearest" });
  };
  const all = { dragover: over, dragleave: out, drop };
  for (const [name, listener] of Object.entries(all)) document.addEventListener(name, listener);
  return () => {
    for (const [name, listener] of Object.entries(all)) document.removeEventListener(name, listener);
  };
}
