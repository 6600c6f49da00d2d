// The pad's flash: pages in the browser's storage. What is written here has survived a closed tab,
// a reload and an empty battery.

const NAME = "byestand-pad";
let db = null;

// This window's name for itself. The last window that was opened owns the pads; an older one finds
// that out before it writes anything.
const me = crypto.getRandomValues(new Uint32Array(2)).join("-");

/** Somebody opened this pad in another window. */
export class Taken extends Error {}

function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

function transaction(mode, work) {
  return new Promise((resolve, reject) => {
    // The disk has it when this is complete, as far as the browser can promise that.
    const all = db.transaction(["facts", "pages"], mode, { durability: "strict" });
    let result;
    all.oncomplete = () => resolve(result);
    all.onabort = () => reject(all.reason ?? all.error ?? new Error("aborted"));
    Promise.resolve(work(all))
      .then((value) => (result = value))
      .catch((reason) => {
        all.reason = reason;
        try {
          all.abort();
        } catch {
          reject(reason);
        }
      });
  });
}

/** Opens the storage and tries it out, before anybody relies on it. */
export async function open() {
  const opening = indexedDB.open(NAME, 1);
  opening.onupgradeneeded = () => {
    opening.result.createObjectStore("facts");
    opening.result.createObjectStore("pages");
  };
  db = await done(opening);
  db.onversionchange = () => db.close();
  // As much as a pad's flash, and back again.
  const probe = crypto.getRandomValues(new Uint8Array(32768));
  await transaction("readwrite", (all) => done(all.objectStore("facts").put(probe, "probe")));
  const read = await fact("probe");
  if (read?.length !== probe.length || read.some((byte, at) => byte !== probe[at]))
    throw new Error("storage");
  await transaction("readwrite", (all) => done(all.objectStore("facts").delete("probe")));
  // Where the browser asks or knows, it does not throw this away when space runs low.
  navigator.storage?.persist?.().catch(() => {});
}

/** Something that is remembered by name. */
export const fact = (name) => transaction("readonly", (all) => done(all.objectStore("facts").get(name)));

/** Remembers something by name. */
export const remember = (name, value) =>
  transaction("readwrite", (all) => done(all.objectStore("facts").put(value, name)));

/** This window owns the pads from now on. */
export const own = () => remember("owner", me);

/** Whether it still does. */
export const isMine = async () => (await fact("owner")) === me;

/** Writes pages of a pad, all of them or none. */
export function write(pad, pages) {
  return transaction("readwrite", async (all) => {
    const owner = await done(all.objectStore("facts").get("owner"));
    if (owner !== me) throw new Taken();
    const store = all.objectStore("pages");
    await Promise.all(pages.map(({ page, bytes }) => done(store.put(bytes, [pad, page]))));
  });
}

/** All pages of a pad that were written. */
export function read(pad) {
  return transaction("readonly", async (all) => {
    const store = all.objectStore("pages");
    const range = IDBKeyRange.bound([pad, 0], [pad, 1000]);
    const [keys, values] = await Promise.all([done(store.getAllKeys(range)), done(store.getAll(range))]);
    return keys.map(([, page], at) => [page, values[at]]);
  });
}
