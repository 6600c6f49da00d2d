// The bell for a table that calls the director. Browsers allow no sound before somebody has
// touched the page, so the page also says what it would ring for, and that it is silent.

/** A call that nobody sees to is rung for again after this, in milliseconds. */
const AGAIN = 30000;
const TONES = [
  [880, 0],
  [660, 0.25],
  [880, 0.9],
  [660, 1.15],
];

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

/** Rings for tables that were not calling before, and now and then for those that still do. */
export function ring(tables) {
  if (tables.join() === ringing.join()) return;
  const fresh = tables.some((table) => !ringing.includes(table));
  ringing = tables;
  if (fresh) sound();
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
