// Keeps the pad's page, so that it can be started again without network. Nothing else is kept.

/** @type {any} What runs this is no window. */
const worker = self;
const KEPT = "byestand-pad-page";
const FILES = [
  "/phone",
  "/phone/pad.wasm",
  "/phone/manifest.webmanifest",
  "/assets/css/phone.css",
  "/assets/icon.svg",
  "/assets/js/dom.js",
  "/assets/js/edges.js",
  "/assets/js/text.js",
  ...["main", "machine", "keep", "line", "face", "notes", "second", "own", "words"].map(
    (name) => `/assets/phone/${name}.js`,
  ),
];

worker.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(KEPT)
      .then((kept) => kept.addAll(FILES))
      .then(() => worker.skipWaiting()),
  );
});

worker.addEventListener("activate", (event) => event.waitUntil(worker.clients.claim()));

// A network that does not answer is away for a while: nobody waits for it file by file.
const PATIENCE = 2500;
const AWAY = 30000;
let awayUntil = 0;

function fetched(request) {
  if (Date.now() < awayUntil) return Promise.reject(new Error("away"));
  const late = new Promise((_, reject) => setTimeout(() => reject(new Error("late")), PATIENCE));
  return Promise.race([fetch(request), late]).catch((fault) => {
    awayUntil = Date.now() + AWAY;
    throw fault;
  });
}

// What is there is asked for first: a page after an update is never made of two versions.
worker.addEventListener("fetch", (event) => {
  const { pathname } = new URL(event.request.url);
  if (event.request.method !== "GET" || !FILES.includes(pathname)) return;
  event.respondWith(
    fetched(event.request)
      .then((answer) => {
        const copy = answer.clone();
        if (answer.ok) caches.open(KEPT).then((kept) => kept.put(pathname, copy));
        return answer;
      })
      .catch(async () => (await caches.match(pathname, { ignoreVary: true })) ?? Response.error()),
  );
});
