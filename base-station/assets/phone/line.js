// The pad's radio: a WebSocket to the base. It is there or it is not; the pad's own link says again
// what was not answered.

import { fromHex, toHex } from "./machine.js";

// A frame that is not answered for this long went into a network that is not there, in milliseconds.
const ANSWER_MAX = 3500;
const PAUSES = [300, 1000, 2000, 4000, 8000];

let socket = null;
let failures = 0;
let retry = null;
let unanswered = null;
let wanted = false;
let says = null;

/** Tells what happens: up(), frame(hex), note(text), and state("up" | "down"). */
export function begin(listener) {
  says = listener;
  addEventListener("online", connectNow);
  document.addEventListener("visibilitychange", () => document.visibilityState === "visible" && connectNow());
}

/** Keeps a line to the base from now on. */
export function want() {
  wanted = true;
  connect();
}

/** Waits for the line, but no longer than so many milliseconds: a pad goes on without it. */
export function opened(longest) {
  const until = Date.now() + longest;
  return new Promise((resolve) => {
    const look = () =>
      socket?.readyState === WebSocket.OPEN || Date.now() > until ? resolve(undefined) : setTimeout(look, 20);
    look();
  });
}

/** No line any more: this window is not the pad. */
export function stop() {
  wanted = false;
  clearTimeout(retry);
  socket?.close();
}

/** Sends frames, if there is a line; if there is none, the pad will say it again. */
export function send(frames) {
  if (frames.length === 0) return;
  if (socket?.readyState !== WebSocket.OPEN) {
    want();
    return;
  }
  for (const frame of frames) socket.send(fromHex(frame));
  unanswered ??= setTimeout(renew, ANSWER_MAX);
}

/** Sends a word beside the frames; false where there is no line. */
export function note(text) {
  if (socket?.readyState !== WebSocket.OPEN) return false;
  socket.send(text);
  return true;
}

function connectNow() {
  if (!wanted || socket?.readyState === WebSocket.OPEN) return;
  failures = 0;
  clearTimeout(retry);
  retry = null;
  connect();
}

function connect() {
  if (socket || retry) return;
  const scheme = location.protocol === "https:" ? "wss" : "ws";
  const mine = new WebSocket(`${scheme}://${location.host}/phone/line`);
  mine.binaryType = "arraybuffer";
  socket = mine;
  mine.onopen = () => {
    failures = 0;
    says.state("up");
    says.up();
  };
  mine.onmessage = ({ data }) => {
    if (typeof data === "string") return says.note(data);
    heard();
    // Nothing in it: the base has something for us, and we may call for it.
    if (data.byteLength === 0) says.up();
    else says.frame(toHex(new Uint8Array(data)));
  };
  mine.onclose = () => {
    if (socket !== mine) return;
    socket = null;
    heard();
    // A window that is not the pad any more has no network to miss.
    if (!wanted) return;
    says.state("down");
    const pause = PAUSES[Math.min(failures, PAUSES.length - 1)];
    failures += 1;
    retry = setTimeout(
      () => {
        retry = null;
        connect();
      },
      pause * (0.75 + Math.random() / 2),
    );
  };
}

function heard() {
  clearTimeout(unanswered);
  unanswered = null;
}

// A network that went away without a word leaves a line that looks open.
function renew() {
  unanswered = null;
  const old = socket;
  if (!old) return;
  old.onclose = null;
  old.close();
  socket = null;
  says.state("down");
  if (wanted) connect();
}
