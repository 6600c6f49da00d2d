// Brings in what is new on this page while it is open. Without it the page is read again by hand.

const { event, stamp } = document.body.dataset;

// Thousands of pages hear of the same moment: they don't all ask at once.
const SPREAD_MS = 2000;

// Asks for this page again and puts the part that lives in place of the one that is shown. The browser
// says which one it has, and is answered with nothing where that is still the one.
async function refresh() {
  const answer = await fetch(location.href, { cache: "no-cache" });
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const [now, later] = [document.getElementById("live"), page.getElementById("live")];
  if (!now || !later || now.contains(document.activeElement)) return;
  now.replaceWith(later);
}

if (event) {
  let waiting = null;
  const stream = new EventSource(`/event/${event}/events?after=${encodeURIComponent(stamp)}`);
  stream.onmessage = () => {
    waiting ??= setTimeout(async () => {
      waiting = null;
      await refresh().catch(() => {});
    }, Math.random() * SPREAD_MS);
  };
}
