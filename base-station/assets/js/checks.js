// The checks of the watchful base: how loudly each speaks, and how often it was wrong tonight.

import { get, put } from "./api.js";
import { choice, fill, h, numeric, table as tableOf, toast, wide } from "./dom.js";
import { refuse, unrefuse } from "./dialog.js";
import { sayPutBack } from "./done.js";
import { t } from "./text.js";

/** Shows every check with its setting. */
export function show(main) {
  if (document.body.dataset.role !== "director") {
    fill(main, h("p", { class: "empty" }, t("director_only")));
    return null;
  }
  const place = h("section", { class: "card" });
  const draw = async () => {
    const { checks, results, false_alarms: wrong } = await get("checks");
    const headings = [
      t("check"),
      t("check_speaks"),
      numeric(t("check_open")),
      wide(numeric(t("check_settled"))),
      numeric(t("check_false")),
    ];
    fill(
      place,
      h("p", {}, t("checks_tonight", { wrong, results })),
      tableOf(t("page_checks"), headings, checks.map(row)),
    );
  };
  fill(main, h("h1", {}, t("page_checks")), h("p", { class: "quiet" }, t("checks_intro")), place);
  draw().catch((refusal) => toast(refusal.message));
  return { update: (change) => change.all && draw() };
}

function row(check) {
  const what = check.what;
  const select = choice(
    ["on", "quiet", "off"].map((name) => [name, t(`attention_${name}`)]),
    check.attention,
    { "aria-label": t("check_setting", { check: what }) },
  );
  const set = async (attention) => {
    await put(`checks/${check.kind}`, { attention });
    check.attention = attention;
  };
  select.addEventListener("change", async () => {
    unrefuse(select);
    const before = check.attention;
    try {
      await set(select.value);
      sayPutBack(`${t("saved")} ${what}: ${t(`attention_${select.value}`)}`, async () => {
        await set(before);
        select.value = before;
      });
    } catch (refusal) {
      refuse(select, refusal);
    }
  });
  const count = (number, extra) => h("td", { class: `number ${extra ?? ""}` }, number || "–");
  return [
    h("th", { scope: "row" }, what),
    select,
    count(check.open),
    count(check.answered, "wide"),
    count(check.false_alarms),
  ];
}
