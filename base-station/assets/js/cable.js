// The club's pads: plugged in and made ready with one click, tested, listed; the club's key renewed.

import { get, post } from "./api.js";
import { doing } from "./dialog.js";
import { choice, field, fill, h, table as tableOf, toast, wide, wideHeading } from "./dom.js";
import { now } from "./live.js";
import { programCard, updateOf } from "./pad-program.js";
import { ago, currentLanguage, decimal, t } from "./text.js";

const LOOK_EVERY = 1000;
const PICTURES = ["black", "white", "chequers"];

/** Shows what is plugged in, and every pad of the club. */
export function show(main) {
  if (document.body.dataset.role !== "director") {
    fill(main, h("p", { class: "empty" }, t("director_only")));
    return null;
  }
  const plugged = h("section", { class: "card", id: "plugged" });
  const club = h("section", { class: "card", id: "club-pads" });
  const key = h("section", { class: "card", id: "club-key" });
  const program = programCard();
  const cards = new Map();
  const drawClub = async () => {
    const known = await get("club/pads");
    fill(club, h("h2", {}, t("club_pads")), clubTable(known.pads, drawClub));
    fill(key, keyCard(known, drawClub));
  };
  const look = async () => {
    try {
      const known = await get("cable");
      drawPlugged(plugged, cards, known, drawClub);
      program.update(known.program);
    } catch (refusal) {
      fill(plugged, h("h2", {}, t("cable_title")), h("p", { class: "quiet" }, refusal.message));
      clearInterval(timer);
    }
  };
  fill(
    main,
    h("h1", {}, t("page_cable")),
    h("p", { class: "quiet" }, t("cable_intro")),
    plugged,
    program.element,
    club,
    key,
  );
  const timer = setInterval(look, LOOK_EVERY);
  look();
  drawClub().catch((refusal) => toast(refusal.message));
  return { leave: () => clearInterval(timer) };
}

// A card stays as long as its pad does, so that nothing jumps while somebody types.
function drawPlugged(place, cards, known, drawClub) {
  const there = new Set(known.pads.map((pad) => pad.port));
  const same = cards.size === there.size && [...there].every((port) => cards.has(port));
  for (const port of [...cards.keys()]) if (!there.has(port)) cards.delete(port);
  for (const pad of known.pads) {
    const card = cards.get(pad.port) ?? padCard(known, drawClub);
    cards.set(pad.port, card);
    card.update(pad, known);
  }
  if (!same || !place.firstChild) {
    fill(
      place,
      h("h2", {}, t("cable_title")),
      cards.size === 0
        ? h("p", { class: "empty" }, t("cable_nothing"))
        : [...cards.values()].map((card) => card.element),
    );
  }
}

function padCard({ languages }, drawClub) {
  const head = h("p", { role: "status" });
  const number = h("input", { type: "number", min: 1, max: 255 });
  const channel = h("input", { type: "number", min: 0, max: 255 });
  const language = choice(
    languages.map((code) => [code, t(`pad_language_${code}`)]),
    currentLanguage(),
  );
  const steps = h("div");
  const updating = updateOf(() => pad);
  let pad = {};
  let testing = null;
  const give = doing(
    t("cable_give"),
    async () => {
      const given = await post(`cable/${pad.pad}/welcome`, {
        number: Number(number.value) || null,
        language: language.value,
        channel: channel.value === "" ? null : Number(channel.value),
      });
      toast(t("cable_given", { n: given.number }));
      await drawClub();
    },
    { class: "primary" },
  );
  const begin = h(
    "button",
    {
      type: "button",
      onclick: () => {
        testing = factoryTest(
          () => pad,
          steps,
          () => {
            testing = null;
            drawClub();
          },
        );
      },
    },
    t("test_begin"),
  );
  const form = h(
    "div",
    { class: "fields" },
    field(t("sticker"), number, t("sticker_hint")),
    field(t("pad_language"), language),
    field(t("pad_channel"), channel, t("pad_channel_hint")),
  );
  const element = h(
    "div",
    { class: "card" },
    head,
    form,
    h("div", { class: "buttons" }, give, begin, updating.button),
    updating.element,
    steps,
  );
  const update = (next, { free_number: free, usual_channel: usual, program }) => {
    if (next.pad !== pad.pad || pad.belongs === "Untold") {
      number.value = next.number || free || "";
      channel.value = ["Ours", "OldKey"].includes(next.belongs) ? next.channel : usual;
    }
    pad = next;
    const ready = pad.pad && !pad.revoked && pad.belongs !== "Untold";
    give.hidden = form.hidden = !ready;
    begin.hidden = !pad.pad || testing !== null;
    fill(
      head,
      tagOf(pad),
      " ",
      pad.number ? h("b", {}, t("pad_number", { n: pad.number }), " ") : "",
      pad.pad ? h("code", {}, pad.pad) : pad.port,
      " ",
      [
        pad.firmware && t("firmware_is", { version: pad.firmware }),
        typeof pad.channel === "number" && t("radio_on", { network: pad.network, channel: pad.channel }),
        pad.modem && t(`pad_modem_${pad.modem}`),
        pad.battery_mv ? `${decimal(pad.battery_mv / 1000, 1)} V` : "",
        pad.unsent ? t("cable_unsent", { n: pad.unsent }) : "",
      ]
        .filter(Boolean)
        .join(" · "),
    );
    updating.update(program);
    testing?.update();
  };
  return { element, update };
}

const TAGS = { New: "late", Ours: "good", OldKey: "late", Other: "bad", Untold: "" };

function tagOf(pad) {
  if (pad.revoked) return h("span", { class: "tag bad" }, "✕ ", t("revoked"));
  return h(
    "span",
    { class: `tag ${TAGS[pad.belongs]}` },
    pad.belongs === "Ours" ? "✓ " : "",
    t(`cable_${pad.belongs}`),
  );
}

// One step after the other; what only eyes and ears can tell is asked.
function factoryTest(padNow, place, ended) {
  const seen = {};
  let step = -1;
  const part = (name) => post(`cable/${padNow().pad}/test`, { part: name });
  const missing = h("p", { role: "status" });
  const answered = h("p", { role: "status" });
  const ask = (text, name) => [
    h("p", {}, t(text)),
    h(
      "div",
      { class: "buttons" },
      yes(() => note(name, true)),
      no(() => note(name, false)),
    ),
  ];
  const note = (name, good) => {
    seen[name] = good;
    return next();
  };
  const yes = (action) => doing(t("test_yes"), action, { class: "primary" });
  const no = (action) => doing(t("test_no"), action);
  const steps = [
    {
      part: "keys",
      show: () => [
        h("p", {}, t("test_keys")),
        missing,
        h("div", { class: "buttons" }, doing(t("test_on"), next, { class: "primary" })),
      ],
    },
    ...PICTURES.map((name) => ({ part: name, show: () => ask(`test_${name}`, name) })),
    { part: "sound", show: () => ask("test_sound", "sound") },
    {
      part: "radio",
      show: () => [
        h("p", {}, t("test_radio")),
        answered,
        h("div", { class: "buttons" }, doing(t("test_finish"), finish, { class: "primary" })),
      ],
    },
  ];
  async function next() {
    step += 1;
    await part(steps[step].part);
    fill(place, h("h3", {}, t("test_step", { n: step + 1, of: steps.length })), steps[step].show());
    place.querySelector("button")?.focus();
    update();
  }
  async function finish() {
    const pixels = PICTURES.every((name) => seen[name]);
    const found = await post(`cable/${padNow().pad}/protocol`, { pixels, sound: Boolean(seen.sound) });
    fill(place, protocol(found));
    ended();
  }
  function update() {
    const pad = padNow();
    fill(
      missing,
      pad.missing_keys.length === 0
        ? [h("span", { class: "tag good" }, "✓"), " ", t("test_keys_done")]
        : t("test_keys_missing", { n: pad.missing_keys.length, keys: pad.missing_keys.join("  ") }),
    );
    fill(
      answered,
      pad.answered
        ? [h("span", { class: "tag good" }, "✓"), " ", t("test_radio_done")]
        : [h("span", { class: "busy" }), " ", t("test_radio_waiting")],
    );
  }
  next().catch((refusal) => fill(place, h("p", { class: "refusal", role: "alert" }, refusal.message)));
  return { update };
}

function protocol(found) {
  const rows = ["keys", "pixels", "sound", "battery", "radio"].map((part) => [
    t(`test_part_${part}`),
    h(
      "span",
      { class: `tag ${found[part].passed ? "good" : "bad"}` },
      found[part].passed ? "✓ " : "✕ ",
      t(found[part].passed ? "test_good" : "test_bad"),
    ),
    part === "keys" || part === "battery" ? found[part].found : "",
  ]);
  const text = [
    `Byestand ${found.pad} ${found.number || ""} ${found.firmware} ${new Date(found.at_ms).toISOString()}`,
    ...["keys", "pixels", "sound", "battery", "radio"].map(
      (part) => `${found[part].passed ? "pass" : "FAIL"} ${part}: ${found[part].found}`,
    ),
  ].join("\n");
  const file = URL.createObjectURL(new Blob([`${text}\n`], { type: "text/plain" }));
  return [
    h("h3", {}, t("test_title", { pad: found.pad })),
    h("p", {}, t(found.passed ? "test_passed" : "test_failed")),
    tableOf(t("test_title", { pad: found.pad }), [t("test_part"), t("state"), t("test_found")], rows),
    h("a", { class: "button", href: file, download: `pad-${found.pad}.txt` }, t("test_keep")),
  ];
}

function clubTable(pads, draw) {
  if (pads.length === 0) return h("p", { class: "empty" }, t("club_pads_none"));
  const rows = pads.map((pad) => [
    h("th", { scope: "row" }, pad.number || "–"),
    h("code", {}, pad.pad),
    pad.revoked
      ? h("span", { class: "tag bad" }, "✕ ", t("revoked"))
      : pad.new_key === false
        ? h("span", { class: "tag late" }, t("key_old"))
        : pad.new_key
          ? h("span", { class: "tag good" }, "✓ ", t("key_new"))
          : "",
    pad.seen_ms ? ago(pad.seen_ms, now()) : t("never"),
    wide(pad.firmware ?? "–"),
    cells(pad.batteries),
    wide(
      pad.tested_ms
        ? h(
            "td",
            {},
            h(
              "span",
              { class: `tag ${pad.test_passed ? "good" : "bad"}` },
              t(pad.test_passed ? "test_good" : "test_bad"),
            ),
            ` ${ago(pad.tested_ms, now())}`,
          )
        : "–",
    ),
    revokeOrRestore(pad, draw),
  ]);
  return tableOf(
    t("club_pads"),
    [
      t("sticker"),
      t("pad"),
      t("state"),
      t("last_heard"),
      wideHeading(t("firmware")),
      t("battery"),
      wideHeading(t("test_part")),
      t("stolen_or_lost"),
    ],
    rows,
  );
}

/** The last voltage, and how it came to it. */
function cells(batteries) {
  if (batteries.length === 0) return "–";
  const volts = batteries.map((one) => one.battery_mv / 1000);
  const last = `${decimal(volts.at(-1), 1)} V`;
  if (volts.length === 1) return last;
  const low = Math.min(...volts, 2.0);
  const span = Math.max(...volts, 3.2) - low;
  const points = volts
    .map((volt, at) => `${(at * 60) / (volts.length - 1)},${18 - ((volt - low) * 16) / span}`)
    .join(" ");
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("viewBox", "0 0 60 20");
  svg.setAttribute("width", "60");
  svg.setAttribute("height", "20");
  svg.setAttribute("role", "img");
  svg.setAttribute(
    "aria-label",
    t("battery_history", { volts: volts.map((volt) => decimal(volt, 1)).join(", ") }),
  );
  const line = document.createElementNS("http://www.w3.org/2000/svg", "polyline");
  line.setAttribute("points", points);
  line.setAttribute("fill", "none");
  line.setAttribute("stroke", "currentColor");
  svg.append(line);
  return h("span", {}, last, " ", svg);
}

function revokeOrRestore(pad, draw) {
  if (pad.revoked) return doing(t("restore_pad"), () => post(`pads/${pad.pad}/restore`).then(draw));
  const place = h("span");
  // Asked twice: at once it would be a slip of the finger that stops a table.
  const ask = h(
    "button",
    {
      type: "button",
      onclick: () => {
        fill(
          place,
          doing(
            t("revoke_yes", { pad: pad.number || pad.pad }),
            async () => {
              await post(`pads/${pad.pad}/revoke`);
              toast(t("pad_revoked"));
              await draw();
            },
            { class: "primary" },
          ),
          " ",
          h("button", { type: "button", onclick: () => fill(place, ask) }, t("cancel")),
        );
        place.querySelector("button")?.focus();
      },
    },
    t("revoke_pad"),
  );
  return fill(place, ask);
}

function keyCard(known, draw) {
  const since = known.renewing_since_ms;
  const left = known.pads.filter((pad) => pad.new_key === false && !pad.revoked);
  const head = [
    h("h2", {}, t("key_title")),
    known.key_check && h("p", {}, t("key_check", { check: known.key_check })),
  ];
  if (!since) {
    return [
      head,
      h("p", { class: "quiet" }, t("key_renew_hint")),
      doing(t("key_renew"), () => post("club/key/renew").then(draw)),
    ];
  }
  return [
    head,
    h(
      "p",
      {},
      t("key_renewing", {
        ago: ago(since, now()),
        n: known.pads.length - left.length,
        of: known.pads.length,
      }),
    ),
    left.length > 0 &&
      h("p", {}, t("key_left", { pads: left.map((pad) => pad.number || pad.pad).join(", ") })),
    doing(t("key_end_old"), () => post("club/key/end-old").then(draw)),
    h("p", { class: "quiet" }, t("key_end_hint")),
  ];
}
