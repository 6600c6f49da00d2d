// Files that the director drops on the page: deals, and the club's list of players.

import { post } from "./api.js";
import { field, fill, h } from "./dom.js";
import { refuse, unrefuse } from "./dialog.js";
import { t } from "./text.js";

/** Draws a place for each kind of file. A file may be dropped anywhere on the page. */
export function drawFiles(place, session) {
  const deals = dropPlace(t("deal_file"), t("deal_file_hint"), ".pbn", async (file) => {
    const answer = await post("deals", { file: file.name, pbn: await file.text() });
    return t("deals_read", { n: answer.boards, boards: answer.range });
  });
  const members = dropPlace(t("member_file"), t("member_file_hint"), ".csv,.txt", async (file) => {
    const answer = await post("members", { csv: await file.text() });
    return t("members_read", { n: answer.members });
  });
  if (session.deals > 0) deals.say(t("deals_there", { n: session.deals }));
  const progress = h("p", { class: "quiet", role: "status" });
  deals.area.append(progress);
  const update = (now) => (progress.textContent = now.deals > 0 && now.finds_tricks ? t("tricks_found", { n: now.deals_analysed, of: now.deals }) : "");
  update(session);
  fill(place, h("h2", {}, t("setup_files")), h("p", { class: "quiet" }, t("files_hint")),
    h("div", { class: "columns" }, deals.area, members.area),
    h("p", {}, h("a", { href: "#/names" }, t("names_by_hand"))));
  const take = (file) => (/\.pbn$/i.test(file?.name ?? "") ? deals : members).take(file);
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
  input.addEventListener("change", () => take(input.files[0]));
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
