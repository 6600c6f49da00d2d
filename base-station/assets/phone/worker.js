// Keeps the pad's page, so that it can be started again without network. Nothing else is kept.

const KEPT = "byestand-pad-page";
const FILES = [
  "/phone",
  "/phone/pad.wasm",
  "/phone/manifest.webmanifest",
  "/assets/css/phone.css",
  "/assets/icon.svg",
  "/assets/js/dom.js",
  ...["main", "machine", "keep", "line", "face", "notes", "second", "own", "words"].map((name) => `/assets/phone/${name}.js`),
];

self.addEventListener("install", (event) => {
  event.waitUntil(
    caches
      .open(KEPT)
      .then((kept) => kept.addAll(FILES))
      .then(() => self.skipWaiting()),
  );
});

self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

// What is there is asked for first: a page after an update is never made of two versions.
self.addEventListener("fetch", (event) => {
  const { pathname } = new URL(event.request.url);
  if (event.request.method !== "GET" || !FILES.includes(pathname)) return;
  event.respondWith(
    fetch(event.request)
      .then((answer) => {
        const copy = answer.clone();
        if (answer.ok) caches.open(KEPT).then((kept) => kept.put(pathname, copy));
        return answer;
      })
      .catch(() => caches.match(pathname)),
  );
});
