// Everything that was changed, by whom, with a way to take it back.

import { get, post } from "./api.js";
import { fill, h, keyed, table as tableOf, tick, toast } from "./dom.js";
import { doing } from "./dialog.js";
import { redraw } from "./redraw.js";
import { t, timeOfDay } from "./text.js";

/** So many changes come in one answer. */
const PAGE = 200;
const PAGES_MAX = 20;
const ENOUGH = 10;

/** Shows the latest changes first; results that pads sent only where they are asked for. */
export function show(main) {
  const list = h("div");
  const pads = tick(t("history_pads"), false);
  const older = doing(t("history_older"), () => load(changes.at(-1)?.seq));
  let changes = [];
  const visible = () => changes.filter((change) => pads.box.checked || !change.by_machine);
  const draw = () => {
    const shown = visible();
    redraw(
      list,
      shown.length ? changesTable(shown, () => load()) : h("p", { class: "empty" }, t("history_none")),
    );
  };
  const load = async (before) => {
    const answer = await (before ? get(`history?before=${before}`) : get("history"));
    changes = before ? [...changes, ...answer.changes] : answer.changes;
    const more = answer.changes.length === PAGE;
    older.hidden = !more;
    // A busy evening: what directors did lies far below what pads sent.
    if (more && !pads.box.checked && visible().length < ENOUGH && changes.length < PAGES_MAX * PAGE)
      return load(changes.at(-1).seq);
    draw();
    return undefined;
  };
  pads.box.addEventListener("change", draw);
  fill(
    main,
    h("h1", {}, t("page_history")),
    h("p", { class: "quiet" }, t("history_intro")),
    h("section", { class: "card" }, pads.label, list, h("div", { class: "buttons" }, older)),
  );
  load().catch((refusal) => toast(refusal.message));
  return { update: (change) => change.all && load() };
}

/** A table of changes with their undo; `done` is called when one was taken back. */
export function changesTable(changes, done) {
  const director = document.body.dataset.role === "director";
  const undo = (change) =>
    doing(t("undo"), async () => {
      await post("undo", { change: change.seq, why: "" });
      toast(t("undone"));
      await done?.();
    });
  const made = tableOf(
    t("history"),
    [t("when"), t("what"), ""],
    // On a phone the button has to be in sight: who did it stands below what was done.
    changes.map((change) => [
      h("td", { class: "nowrap" }, timeOfDay(change.at_ms)),
      [
        change.undone ? h("s", {}, change.text) : change.text,
        change.why && h("div", { class: "quiet" }, change.why),
        h("div", { class: "quiet" }, change.who),
      ],
      change.undone
        ? h("span", { class: "tag" }, t("undone"))
        : director && change.can_undo
          ? undo(change)
          : "",
    ]),
  );
  return keyed(
    made,
    changes.map(({ seq }) => seq),
  );
}
