// Exchange: this session as files for other programs, and what each of them can't say.

import { get, post } from "./api.js";
import { coupled } from "./bws.js";
import { programsCard } from "./connector.js";
import { refuse, unrefuse } from "./dialog.js";
import { choice, field, fill, h, toast } from "./dom.js";
import { base64, dealPlace } from "./files.js";
import { peoplePlace } from "./people.js";
import { currentLanguage, day, t } from "./text.js";

// More would hide the button behind them; the rest opens.
const LOSSES_SHOWN = 3;

/** Shows every format with its losses, and a button that saves it. */
export function show(main) {
  if (document.body.dataset.role !== "director") {
    fill(main, h("p", { class: "empty" }, t("director_only")));
    return null;
  }
  const club = remembered("club");
  const number = remembered("club_number");
  const session = choice([], "");
  const list = h("div", { id: "exchange-formats" });
  const draw = async () => {
    const asked = new URLSearchParams({ session: session.value });
    const { formats } = await get(`exchange?${asked}`);
    fill(
      list,
      formats.map((one) => format(one, () => address(one, session.value, club.value, number.value))),
    );
  };
  fill(
    main,
    h("h1", {}, t("page_exchange")),
    h("p", { class: "quiet" }, t("exchange_hint")),
    h(
      "section",
      { class: "card" },
      h(
        "div",
        { class: "fields" },
        field(t("exchange_session"), session),
        field(t("club_name"), club, t("club_name_hint")),
        field(t("club_number"), number),
      ),
    ),
    h("section", { class: "card" }, h("h2", {}, t("exchange_out")), list),
  );
  const below = () => [
    coupled(),
    programsCard(),
    h(
      "section",
      { class: "card" },
      h("h2", {}, t("exchange_in")),
      takeIn(() => start(session, list, draw)),
      dealPlace().area,
      peoplePlace().area,
      h("p", {}, h("a", { href: "#/calendar" }, t("exchange_session_in"))),
    ),
  ];
  session.addEventListener("change", () => draw().catch((refusal) => toast(refusal.message)));
  // The rest once the list is there: nothing is pushed down under the finger.
  start(session, list, draw)
    .catch((refusal) => fill(list, h("p", { class: "refusal" }, refusal.message)))
    .then(() => list.isConnected && main.append(...below()));
  return null;
}

async function start(session, list, draw) {
  const { sessions } = await get("calendar");
  const chosen = sessions.find((one) => one.chosen);
  fill(
    session,
    sessions.map((one) =>
      h(
        "option",
        { value: one.id, selected: one === chosen },
        [one.event, day(one.date), one.title].filter(Boolean).join(" · "),
      ),
    ),
  );
  if (sessions.length) await draw();
  else fill(list, h("p", { class: "quiet" }, t("no_session")));
}

/** A session of another program becomes one of the calendar; the one being played stays chosen. */
function takeIn(done) {
  const input = h("input", { type: "file", accept: ".xml,.pbn,.bws" });
  const state = h("div", { role: "status" });
  input.addEventListener("change", async () => {
    const [file] = input.files ?? [];
    if (!file) return;
    unrefuse(input);
    fill(state, h("span", { class: "busy" }), " ", file.name);
    try {
      const taken = await post("exchange/import", { base64: await base64(file) });
      fill(
        state,
        h(
          "p",
          {},
          h("span", { class: "tag good" }, "✓"),
          " ",
          t("session_taken", { n: taken.results, session: taken.session }),
        ),
        taken.notes.length > 0 &&
          h(
            "ul",
            {},
            taken.notes.map((note) => h("li", {}, note)),
          ),
      );
      await done();
    } catch (refusal) {
      fill(state);
      refuse(input, refusal);
    }
    input.value = "";
  });
  return h("div", {}, field(t("foreign_session"), input, t("foreign_session_hint")), state);
}

/** What the club is called stays in this browser. */
function remembered(name) {
  const input = h("input", { maxlength: 60, value: localStorage.getItem(`byestand-${name}`) ?? "" });
  input.addEventListener("change", () => localStorage.setItem(`byestand-${name}`, input.value));
  return input;
}

function address(one, session, club, number) {
  const asked = new URLSearchParams({
    session,
    club,
    club_number: number,
    language: currentLanguage(),
    paper: localStorage.getItem("paper") ?? "a4",
  });
  return `/api/exchange/${one.format}?${asked}`;
}

function format(one, where) {
  const save = h("a", { class: "button", download: one.file, href: where() }, t("save_file"));
  // The names above may have been typed since.
  save.addEventListener("click", () => (save.href = where()));
  const line = (loss) => h("li", {}, loss);
  const more = one.losses.slice(LOSSES_SHOWN);
  const losses =
    one.losses.length > 0 &&
    h(
      "div",
      { class: "quiet" },
      t("not_in_file"),
      h("ul", {}, one.losses.slice(0, LOSSES_SHOWN).map(line)),
      more.length > 0 &&
        h("details", {}, h("summary", {}, t("more_losses", { n: more.length })), h("ul", {}, more.map(line))),
    );
  return h(
    "div",
    { class: "section-line", "data-format": one.format },
    h(
      "div",
      {},
      h("b", {}, t(`format_${one.format.replaceAll("-", "_")}`)),
      h("p", { class: "quiet" }, one.file),
      losses,
    ),
    h("span", { class: "buttons" }, save),
  );
}
