// Brings in what is new on this page while it is open. Without it the page is read again by hand.

const event = document.body.dataset.event;

// Asks for this page again and puts the part that lives in place of the one that is shown.
async function refresh() {
  const answer = await fetch(location.href);
  if (!answer.ok) return;
  const page = new DOMParser().parseFromString(await answer.text(), "text/html");
  const [now, later] = [document.getElementById("live"), page.getElementById("live")];
  if (!now || !later || now.contains(document.activeElement)) return;
  now.replaceWith(later);
}

if (event) {
  let busy = false;
  const stream = new EventSource(`/event/${event}/events`);
  stream.onmessage = async () => {
    if (busy) return;
    busy = true;
    await refresh().catch(() => {});
    busy = false;
  };
}
