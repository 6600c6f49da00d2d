// The pad's own program in WebAssembly: one question, one answer, both JSON.

let exports = null;
const into = new TextEncoder();
const from = new TextDecoder();

/** Loads the program; says why where that can't be. */
export async function load() {
  const answer = await fetch("/phone/pad.wasm");
  if (!answer.ok) throw new Error((await answer.json().catch(() => null))?.problem ?? `${answer.status}`);
  const loaded = await WebAssembly.instantiate(await answer.arrayBuffer(), {});
  exports = loaded.instance.exports;
}

/** Asks the program; null where it does not understand. */
export function ask(request) {
  const bytes = into.encode(JSON.stringify(request));
  const room = exports.byestand_room(bytes.length);
  new Uint8Array(exports.memory.buffer, room, bytes.length).set(bytes);
  const length = exports.byestand_ask();
  const place = exports.byestand_answer();
  return JSON.parse(from.decode(new Uint8Array(exports.memory.buffer, place, length)));
}

/** Random bytes as hexadecimal digits. */
export function random(count) {
  return toHex(crypto.getRandomValues(new Uint8Array(count)));
}

export const toHex = (bytes) => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export const fromHex = (text) => Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
