// Replace a pad, step by step: which table, what is there, what to press, done.

import { get } from "./api.js";
import { choice, field, fill, h, table as tableOf } from "./dom.js";
import { room } from "./live.js";
import { asking } from "./pads.js";
import { pairShort } from "./pairs.js";
import { redraw } from "./redraw.js";
import { t } from "./text.js";

/** Shows the guide for a table. */
export function show(main, [wanted]) {
  let name = wanted;
  let before = null;
  const tables = [...room.tables.keys()];
  const select = choice([["", "…"], ...tables.map((table) => [table, table])], name ?? "");
  select.addEventListener("change", () => {
    name = select.value;
    before = null;
    history.replaceState(null, "", `#/replace/${name}`);
    draw();
  });
  const steps = h("ol", { class: "steps" });
  fill(
    main,
    h("h1", {}, t("replace_title")),
    h("p", { class: "quiet" }, t("replace_intro")),
    h("div", { class: "card" }, field(t("replace_which"), select)),
    steps,
  );
  const draw = async () => {
    const table = name && room.tables.get(name);
    if (!table) {
      fill(steps);
      return;
    }
    before ??= table.pad ?? "";
    const done = table.pad && table.pad !== before;
    const asked = name;
    const sheet = await get(`tables/${asked}`);
    // Another table was chosen meanwhile.
    if (asked !== name) return;
    redraw(
      steps,
      h("li", {}, h("h2", {}, t("replace_step_take")), h("p", {}, t("replace_step_take_text"))),
      h(
        "li",
        {},
        h("h2", {}, t("replace_step_press")),
        h("p", {}, t("replace_step_press_text")),
        h(
          "p",
          { class: "keys" },
          h("kbd", {}, t("key_director")),
          " → ",
          h("kbd", {}, t("key_replace")),
          " → ",
          h("kbd", {}, name[0]),
          " → ",
          h("kbd", {}, name.slice(1)),
          " → ",
          h("kbd", {}, "OK"),
        ),
      ),
      h(
        "li",
        { class: done ? "done" : "" },
        h("h2", {}, t("replace_step_wait")),
        done
          ? h("p", {}, h("span", { class: "tag good" }, "✓"), " ", t("replace_done", { table: name }))
          : [asking(name), h("p", {}, h("span", { class: "busy" }), " ", t("replace_waiting"))],
      ),
      h("li", {}, h("h2", {}, t("replace_step_ask")), missing(sheet, name)),
    );
  };
  draw();
  return {
    update: (change) =>
      (change.all ||
        change.tables?.some((table) => table.table === name) ||
        change.cells?.some((cell) => cell.table === name) ||
        change.parts?.includes("warnings")) &&
      draw(),
  };
}

function missing(sheet, name) {
  const absent = sheet.lines.filter((line) => line.result.kind === "Nothing");
  const received = sheet.lines.length - absent.length;
  return [
    h("p", {}, t("replace_received", { n: received })),
    absent.length === 0
      ? h("p", {}, h("span", { class: "tag good" }, "✓"), " ", t("replace_nothing_missing"))
      : tableOf(
          t("replace_missing"),
          [t("round"), t("board"), t("ns"), t("ew")],
          absent.map((line) => [line.round, line.board, pairShort(line.ns), pairShort(line.ew)]),
        ),
    absent.length > 0 &&
      h("p", {}, t("replace_ask"), " ", h("a", { href: `#/traveller/${name}` }, t("enter_by_hand"))),
  ];
}
