// The club's list of players: what a file says is shown, and put right, before it counts.

import { post } from "./api.js";
import { choice, field, fill, h, heading, toast } from "./dom.js";
import { doing, refuse, unrefuse } from "./dialog.js";
import { base64 } from "./files.js";
import { t } from "./text.js";

const COLUMNS = ["number", "name", "first-name", "surname", "email", "nothing"];
const ENCODINGS = ["utf-8", "windows-1252", "windows-1250", "iso-8859-15", "utf-16le"];

// Lines in the preview; the rest is counted.
const SHOWN = 8;
const PROBLEMS_SHOWN = 20;

/** A place for the file, and below it what the file says. */
export function peoplePlace() {
  const input = h("input", { type: "file", accept: ".csv,.txt,.tsv,.xlsx,.xls,.ods,.bws" });
  const state = h("div", { role: "status", class: "people-preview" });
  const take = async (file) => {
    if (!file) return;
    unrefuse(state);
    fill(state, h("span", { class: "busy" }), " ", file.name);
    try {
      await show(state, { base64: await base64(file), columns: [], encoding: "" });
    } catch (refusal) {
      fill(state);
      refuse(state, refusal);
    }
    input.value = "";
  };
  input.addEventListener("change", () => take(input.files?.[0]));
  return {
    take,
    area: h("div", { class: "drop" }, field(t("member_file"), input, t("member_file_hint")), state),
  };
}

async function show(state, asked) {
  const list = await post("members/preview", asked);
  const again = (changed) => show(state, { ...asked, ...changed }).catch((refusal) => toast(refusal.message));
  const chosen = list.columns.map((column, at) => {
    const select = choice(
      COLUMNS.map((name) => [name, t(`column_${name.replace("-", "_")}`)]),
      column.column,
      { "aria-label": t("column_n", { n: at + 1 }) },
    );
    select.addEventListener("change", () =>
      again({ columns: list.columns.map((other, index) => (index === at ? select.value : other.column)) }),
    );
    return select;
  });
  const good = list.people.length - list.left_out;
  fill(
    state,
    h(
      "p",
      {},
      h("b", {}, t("people_found", { n: good, kind: list.kind })),
      " ",
      t("people_change", { fresh: list.new, renamed: list.renamed.length }),
    ),
    list.encoding &&
      field(
        t("people_encoding"),
        encodings(list.encoding, (encoding) => again({ encoding })),
      ),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "group", "aria-label": t("people_columns") },
      h(
        "table",
        {},
        h(
          "thead",
          {},
          h(
            "tr",
            {},
            list.columns.map((column, at) =>
              h("th", { scope: "col" }, h("div", {}, column.heading), chosen[at]),
            ),
          ),
        ),
        h("tbody", {}, samples(list)),
      ),
    ),
    h(
      "div",
      { class: "scroll", tabindex: 0, role: "group", "aria-label": t("people_taken") },
      h(
        "table",
        {},
        h("thead", {}, h("tr", {}, [t("player_number"), t("name")].map(heading))),
        h(
          "tbody",
          {},
          list.people
            .filter((person) => !person.problem)
            .slice(0, SHOWN)
            .map((person) => h("tr", {}, h("td", {}, person.written), h("td", {}, person.name))),
        ),
      ),
    ),
    good > SHOWN && h("p", { class: "quiet" }, t("people_more", { n: good - SHOWN })),
    problems(list),
    changes(list),
    good > 0 &&
      h(
        "div",
        { class: "buttons" },
        doing(
          t("people_take", { n: good }),
          async () => {
            const answer = await post("members", {
              ...asked,
              columns: list.columns.map((column) => column.column),
              without_problems: true,
            });
            fill(
              state,
              h(
                "p",
                {},
                h("span", { class: "tag good" }, "✓"),
                " ",
                t("members_read", { n: answer.members }),
              ),
            );
          },
          { class: "primary" },
        ),
      ),
  );
}

function encodings(found, change) {
  const names = [...new Set([found.toLowerCase(), ...ENCODINGS])];
  const select = choice(
    names.map((name) => [name, name]),
    found.toLowerCase(),
  );
  select.addEventListener("change", () => change(select.value));
  return select;
}

function samples(list) {
  const rows = Math.max(0, ...list.columns.map((column) => column.sample.length));
  return Array.from({ length: rows }, (_, row) =>
    h(
      "tr",
      {},
      list.columns.map((column) =>
        h(
          "td",
          { class: column.column === "nothing" || column.column === "email" ? "quiet" : "" },
          column.sample[row] ?? "",
        ),
      ),
    ),
  );
}

function problems(list) {
  const wrong = list.people.filter((person) => person.problem);
  if (!wrong.length) return null;
  return h(
    "details",
    { class: "flagged" },
    h("summary", {}, t("people_left_out", { n: wrong.length })),
    h(
      "ul",
      {},
      wrong
        .slice(0, PROBLEMS_SHOWN)
        .map((person) => h("li", {}, t("line_n", { n: person.line }), ": ", person.problem)),
    ),
  );
}

function changes(list) {
  if (!list.renamed.length) return null;
  return h(
    "details",
    {},
    h("summary", {}, t("people_renamed", { n: list.renamed.length })),
    h(
      "ul",
      {},
      list.renamed
        .slice(0, PROBLEMS_SHOWN)
        .map(([number, now, then]) => h("li", {}, `${number}: ${now} → ${then}`)),
    ),
  );
}
