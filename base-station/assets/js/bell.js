// The bell for a table that calls the director. Browsers allow no sound before somebody has
// touched the page, so the page also says what it would ring for, and that it is silent.

import { t } from "./text.js";

/** A call that nobody sees to is rung for again after this, in milliseconds. */
const AGAIN = 30000;
const TONES = [
  [880, 0],
  [660, 0.25],
  [880, 0.9],
  [660, 1.15],
];

/** The name that notifications of calls share. */
const NOTE = "byestand-call";

let audio = null;
let ringing = [];
let timer = null;
const listeners = new Set();

/** Whether the director wants no sound; kept in the browser. */
export const isMuted = () => localStorage.getItem("bell") === "off";

/** Whether the browser does not allow a sound yet. */
export const isBlocked = () => !isMuted() && audio?.state !== "running";

/** Calls back when one of the two has changed. */
export const onBell = (listener) => listeners.add(listener);

/** Turns the sound off or on; turning it on rings once, so that it is known how it sounds. */
export async function mute(off) {
  localStorage.setItem("bell", off ? "off" : "on");
  if (!off) {
    await wake();
    sound();
  }
  tell();
}

/** Whether calls are shown as notifications of the machine; kept in the browser. */
export const isNotifying = () =>
  localStorage.getItem("notify") === "on" && window.Notification?.permission === "granted";

/** Turns them on or off; answers whether they are on then. */
export async function notify(on) {
  localStorage.setItem("notify", "off");
  if (!on || !window.Notification) return false;
  if ((await Notification.requestPermission()) !== "granted") return false;
  // A browser that allows them and shows none would leave a call unheard: one is shown at once.
  if (!(await showNote(t("notify_like_this")))) return false;
  localStorage.setItem("notify", "on");
  return true;
}

// Phones show notifications of a worker only; where none can be had (a certificate that the browser
// does not know), a page's own will do on a laptop.
async function worker() {
  const known = await navigator.serviceWorker.register("/assets/js/notified.js");
  const coming = known.installing ?? known.waiting;
  if (!known.active && coming)
    await new Promise((done) => {
      coming.addEventListener("statechange", () => coming.state === "activated" && done(null));
    });
  return known;
}

// One at a time: the latest names all tables that wait. Answers whether it is shown.
async function showNote(text) {
  const options = { tag: NOTE, requireInteraction: true };
  try {
    await (await worker()).showNotification(text, options);
    return true;
  } catch {
    // Then the page's own.
  }
  try {
    const shown = new Notification(text, options);
    shown.onclick = () => {
      window.focus();
      shown.close();
    };
    return true;
  } catch {
    return false;
  }
}

// A call that was seen to is not shown any longer.
async function takeNotes() {
  const known = await navigator.serviceWorker?.getRegistration("/assets/js/");
  for (const shown of (await known?.getNotifications({ tag: NOTE })) ?? []) shown.close();
}

/** Rings for tables that were not calling before, and now and then for those that still do. */
export function ring(tables) {
  if (tables.join() === ringing.join()) return;
  const fresh = tables.some((table) => !ringing.includes(table));
  ringing = tables;
  if (fresh) {
    sound();
    if (isNotifying()) showNote(t("notify_call", { tables: tables.join(", ") }));
  }
  if (tables.length === 0) takeNotes().catch(() => {});
  clearInterval(timer);
  timer = tables.length > 0 ? setInterval(sound, AGAIN) : null;
}

// What a touch allows stays allowed as long as the page is open.
async function wake() {
  audio ??= new AudioContext();
  if (audio.state !== "running") await audio.resume();
  tell();
}

function tell() {
  for (const listener of listeners) listener();
}

function sound() {
  if (isMuted()) return;
  navigator.vibrate?.([300, 150, 300]);
  if (audio?.state !== "running") return;
  for (const [pitch, after] of TONES) tone(pitch, audio.currentTime + after);
}

function tone(pitch, at) {
  const [source, loudness] = [audio.createOscillator(), audio.createGain()];
  source.frequency.value = pitch;
  loudness.gain.setValueAtTime(0.4, at);
  loudness.gain.exponentialRampToValueAtTime(0.001, at + 0.6);
  source.connect(loudness).connect(audio.destination);
  source.start(at);
  source.stop(at + 0.6);
}

/** Begins to listen for touches. */
export function startBell() {
  for (const kind of ["pointerdown", "keydown"])
    document.addEventListener(kind, () => audio?.state !== "running" && wake().catch(() => {}));
}
