// A phone as a pad: joins with the code of a table, then does what the pad's own program says.

import { byId, fill, h } from "../js/dom.js";
import * as machine from "./machine.js";
import * as keep from "./keep.js";
import * as line from "./line.js";
import * as notes from "./notes.js";
import * as own from "./own.js";
import * as second from "./second.js";
import { forget, meant, show } from "./face.js";
import { word } from "./words.js";

const main = byId("page");
const windows = "BroadcastChannel" in self ? new BroadcastChannel("byestand-pad") : null;

let pad = null;
let face = null;
let wake = null;
let stopped = false;
// Something lies over the pad's own screen.
let covered = false;
// Everything goes one after the other: nothing is shown or sent while something is being written.
let turn = Promise.resolve();

const now = () => performance.timeOrigin + performance.now();

/** Tells what is wrong, and what to do, in a sentence or in several. */
function say(title, sentences, ...more) {
  forget();
  main.dataset.screen = "notice";
  fill(
    main,
    h(
      "div",
      { class: "says", role: "status" },
      h("h1", {}, title),
      [sentences].flat().map((sentence) => h("p", { class: "normal more" }, sentence)),
    ),
    h("div", { class: "keypad" }, more),
  );
}

function stop(title, sentence) {
  stopped = true;
  line.stop();
  clearTimeout(wake);
  say(
    title,
    sentence,
    h(
      "div",
      { class: "keys foot" },
      h("button", { type: "button", class: "strong", onclick: () => location.reload() }, word("phone_here")),
    ),
  );
}

async function settle(request) {
  if (stopped) return;
  let reply = machine.ask(request);
  while (reply?.write) {
    let done = true;
    try {
      await keep.write(pad, reply.write);
    } catch (fault) {
      if (fault instanceof keep.Taken) return stop(word("phone_elsewhere"), word("phone_elsewhere_sentence"));
      done = false;
    }
    reply = machine.ask({ written: { now_ms: now(), done } });
  }
  if (reply?.settled) follow(reply.settled);
}

function follow({ frames, face: next, kept, wake_ms: at, sound }) {
  const full = byId("full");
  if ((full.textContent === "") !== kept) full.textContent = kept ? "" : word("phone_full");
  if (face?.unsent !== next.unsent) keep.remember(`unsent-${pad}`, next.unsent).catch(() => {});
  face = next;
  if (face.table) line.want();
  line.send(frames);
  second.follow(face);
  draw();
  clearTimeout(wake);
  if (at !== null)
    wake = setTimeout(() => ask({ tick: { now_ms: now() } }), Math.min(Math.max(at - now(), 0) + 1, 60000));
  if (sound === "refused") navigator.vibrate?.(60);
  if (sound === "attention") navigator.vibrate?.([200, 100, 200]);
}

/** Whether East-West can take their own phone now: between boards, not within one. */
const isBetween = ({ screen, keys }) =>
  screen === "RoundStart" || (screen === "Entry" && keys.some(({ label }) => label.startsWith("PASS")));

function draw() {
  if (!face || stopped || covered) return;
  const more = notes.isReady() && isBetween(face) && face.table;
  const code = { label: word("phone_own_button"), press: () => notes.say({ code: {} }) };
  show(main, second.adapted(face), press, more ? code : null);
}

function heard(note) {
  if (second.heard(note, draw)) {
    const accept = face.keys.find(({ label }) => label.startsWith("ACCEPT"));
    if (accept) press(accept.key);
  }
  if (!note.code) return;
  covered = true;
  second.showCode(main, note.code, () => {
    covered = false;
    forget();
    draw();
  });
}

function ask(request) {
  turn = turn.then(() => settle(request)).catch((fault) => stop(word("phone_fault"), String(fault)));
  return turn;
}

const press = (key) => ask({ press: { now_ms: now(), key } });

document.addEventListener("keydown", (event) => {
  if (!face || stopped || event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
  if (event.key === "Enter" && event.target instanceof HTMLButtonElement) return;
  const key = covered ? undefined : meant(second.adapted(face), event);
  if (key === undefined) return;
  event.preventDefault();
  press(key);
});

/** The code in the address: never sent, and taken out of it at once. */
function scanned() {
  const found = /^#(P?\d+-[A-Z]-?\d+(?:NS|EW)?-\d+)-([0-9a-f]{32})$/.exec(location.hash);
  if (!found) return null;
  return { code: found[1], secret: found[2] };
}

async function join({ code, secret }) {
  // Drawn once for each code, and kept before it is said: whoever asks again gets the same answer.
  const name = `device-${code}`;
  const device = (await keep.fact(name)) ?? machine.random(16);
  await keep.remember(name, device);
  const proof = machine.ask({ proof: { secret, device } });
  const answer = await fetch("/phone/join", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ code, device, proof }),
  });
  const said = await answer.json();
  if (!answer.ok) throw new Error(said.problem);
  const given = machine.ask({ joined: { secret, device, sealed: said.sealed } });
  if (!given) throw new Error(word("phone_forged"));
  return { ...given, section: said.section, table: said.table, pair: said.pair, code };
}

async function startPad(current, given) {
  pad = current.pad;
  // Nobody touches a key before the pad is at its table: it would be another one's.
  covered = true;
  await ask({
    start: {
      now_ms: now(),
      pad,
      seed: machine.random(8),
      stored: await keep.read(pad),
      given: given && [given.keys, given.network],
    },
  });
  // Whoever asks for the table before the line is there hears only that nobody answers. A pad that
  // has its game goes on without.
  line.want();
  if (!face?.table) await line.opened(8000);
  // The table of the code; the pad does nothing with it where it has a game already.
  await ask({ log_on: { now_ms: now(), section: current.section, table: current.table } });
  covered = false;
  forget();
  draw();
}

/** What this browser can't do here, before anybody relies on it. */
function limits() {
  const missing = [];
  if (!isSecureContext) missing.push(word("phone_plain"));
  if (!("wakeLock" in navigator)) missing.push(word("phone_sleeps"));
  return missing;
}

async function welcome(first) {
  const missing = limits();
  if (missing.length === 0 || (await keep.fact("warned")) === missing.join(" ")) return;
  await new Promise((resolve) => {
    say(
      word("phone_before_play"),
      missing,
      h(
        "div",
        { class: "keys foot" },
        h(
          "button",
          { type: "button", class: "strong", id: "understood", onclick: resolve },
          word(first ? "phone_join_now" : "phone_go_on"),
        ),
      ),
    );
  });
  await keep.remember("warned", missing.join(" "));
}

async function stayAwake() {
  const request = () =>
    document.visibilityState === "visible" && navigator.wakeLock?.request("screen").catch(() => {});
  document.addEventListener("visibilitychange", request);
  await request();
}

function largerType() {
  const button = byId("larger");
  const set = (large) => {
    document.documentElement.classList.toggle("large", large);
    button.setAttribute("aria-pressed", String(large));
    button.setAttribute("aria-label", word("phone_larger"));
  };
  set(localStorage.getItem("large") === "yes");
  button.addEventListener("click", () => {
    const large = !document.documentElement.classList.contains("large");
    localStorage.setItem("large", large ? "yes" : "no");
    set(large);
  });
}

async function begin() {
  const { missing } = document.body.dataset;
  if (missing) return say(word("phone_not_here"), missing);
  try {
    await keep.open();
    largerType();
  } catch {
    return say(word("phone_no_storage"), word("phone_no_storage_sentence"));
  }
  await machine.load();
  const code = scanned();
  let current = await keep.fact("current");
  let given = null;
  if (code && code.code !== current?.code) {
    if (current && ((await keep.fact(`unsent-${current.pad}`)) ?? 0) > 0 && !(await leaveBehind(current))) {
      // The results that are still here go first.
    } else {
      await welcome(true);
      try {
        given = await join(code);
      } catch (refusal) {
        return say(
          word("phone_refused"),
          refusal.message,
          h(
            "div",
            { class: "keys foot" },
            h(
              "button",
              { type: "button", class: "strong", onclick: () => location.reload() },
              word("phone_again"),
            ),
          ),
        );
      }
      if (given.pair) {
        // No pad: what it shows is at the base, and nothing is lost with it.
        current = { pad: given.pad, pair: given.pair, keys: given.keys, code: given.code };
        await keep.remember("current", current);
      } else {
        current = { pad: given.pad, section: given.section, table: given.table, code: given.code };
      }
    }
  }
  if (!current) return say(word("phone_scan"), word("phone_scan_sentence"));
  if (!given) await welcome(false);
  await keep.own();
  windows?.postMessage("mine");
  windows?.addEventListener("message", async () => {
    if (!stopped && !(await keep.isMine())) stop(word("phone_elsewhere"), word("phone_elsewhere_sentence"));
  });
  if (current.pair) {
    history.replaceState(null, "", "/phone");
    own.begin(main, current);
    return stayAwake();
  }
  notes.begin({
    pad: current.pad.toString(16).padStart(8, "0"),
    keys: null,
    heard,
    there: () => {
      second.ready();
      draw();
    },
    gone: () => second.gone(draw),
  });
  line.begin({
    up: () => ask({ line_is_up: { now_ms: now() } }),
    frame: (frame) => ask({ receive: { now_ms: now(), frame } }),
    note: notes.hear,
    state: notes.lineIs,
  });
  await startPad(current, given);
  // The pad has its keys in its flash: from here on a reload needs no code.
  await keep.remember("current", current);
  history.replaceState(null, "", "/phone");
  line.want();
  await stayAwake();
  if ("serviceWorker" in navigator)
    navigator.serviceWorker.register("/phone/worker.js", { scope: "/phone" }).catch(() => {});
}

/** A phone that still holds results of another table says so; true if they may wait on this phone. */
function leaveBehind(current) {
  return new Promise((resolve) => {
    say(
      word("phone_unsent"),
      word("phone_unsent_sentence", { table: `${current.section}${current.table}` }),
      h(
        "div",
        { class: "keys foot" },
        h("button", { type: "button", onclick: () => resolve(true) }, word("phone_unsent_leave")),
        h(
          "button",
          { type: "button", class: "strong", onclick: () => resolve(false) },
          word("phone_unsent_send"),
        ),
      ),
    );
  });
}

begin().catch((fault) => say(word("phone_fault"), String(fault?.message ?? fault)));
