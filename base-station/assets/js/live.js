import { currentLanguage } from "./text.js";

// Keeps one picture of the room and brings it up to date as the base station tells.
//
// The stream's ids are places in the journal: when the connection comes back, the browser says
// which it saw last, and the base sends a whole picture if anything happened meanwhile.

/** The room as the base last described it. Cells and tables are looked up by their key. */
/** @type {{ view: View, cells: Map<string, Cell>, tables: Map<string, Table>, connected: boolean, offset_ms: number }} */
export const room = {
  view: /** @type {any} */ (null),
  cells: new Map(),
  tables: new Map(),
  connected: false,
  offset_ms: 0,
};

/** @type {Set<(change: Change) => void>} */
const listeners = new Set();

/**
 * Calls back with what changed: { all } or { cells, tables, parts }.
 * @param {(change: Change) => void} listener
 */
export function watch(listener) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const cellKey = (table, round) => `${table}.${round}`;

/** The base station's clock, in milliseconds. */
export const now = () => Date.now() + room.offset_ms;

/** How many results of the evening are in, and how many there are to be. */
export function counted() {
  const cells = [...room.cells.values()].filter((cell) => cell.state !== "SitOut");
  return {
    arrived: cells.reduce((sum, cell) => sum + cell.in, 0),
    total: cells.reduce((sum, cell) => sum + cell.boards.length, 0),
  };
}

/** @type {EventSource | undefined} */
let source;

// A page that the browser keeps for "back" must not keep its stream: six of them, and no other page
// of this base station would load any more.
window.addEventListener("pagehide", () => {
  source?.close();
  source = undefined;
});
window.addEventListener("pageshow", ({ persisted }) => persisted && connect());

/** Opens the stream; the browser opens it again by itself when it breaks. */
export function connect() {
  source?.close();
  const stream = new EventSource(`/api/events?language=${currentLanguage()}&suits=symbols`);
  source = stream;
  stream.addEventListener("view", (message) => takeWhole(JSON.parse(message.data)));
  stream.addEventListener("change", (message) => takeChange(JSON.parse(message.data)));
  stream.addEventListener("open", () => setConnected(true));
  stream.addEventListener("error", () => {
    if (stream !== source) return;
    setConnected(false);
    // A refused stream (signed out, too many) is not tried again by the browser itself.
    if (stream.readyState === EventSource.CLOSED) setTimeout(connect, 3000);
  });
}

function setConnected(connected) {
  if (room.connected === connected) return;
  room.connected = connected;
  tell({ parts: ["connection"], cells: [], tables: [] });
}

/**
 * Replaces the picture.
 * @param {View} view
 */
export function takeWhole(view) {
  room.view = view;
  room.offset_ms = view.now_ms - Date.now();
  room.cells = new Map(view.cells.map((cell) => [cellKey(cell.table, cell.round), cell]));
  room.tables = new Map(view.tables.map((table) => [table.table, table]));
  tell({ all: true });
}

/** @param {Schema["Change"]} change */
function takeChange(change) {
  if (!room.view) return;
  room.offset_ms = change.now_ms - Date.now();
  room.view.seq = change.seq;
  for (const cell of change.cells) room.cells.set(cellKey(cell.table, cell.round), cell);
  for (const table of change.tables) room.tables.set(table.table, table);
  const parts = Object.keys(change.parts);
  Object.assign(room.view, change.parts);
  tell({ cells: change.cells, tables: change.tables, parts });
}

function tell(change) {
  for (const listener of listeners) listener(change);
}
