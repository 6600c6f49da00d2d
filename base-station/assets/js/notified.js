// Shows calls to the director as notifications of the machine, which phones allow a worker only.
// It keeps nothing and answers no request of the page.

/** @type {any} */
const self_ = self;

self_.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const windows = self_.clients.matchAll({ type: "window", includeUncontrolled: true });
  event.waitUntil(windows.then((open) => open[0]?.focus() ?? self_.clients.openWindow("/")));
});
