// What a browser gives the page, as far as its logic needs it.

const { Window } = await import(
  new URL("../../target/page/node_modules/happy-dom/lib/index.js", import.meta.url).href
);

const window = new Window({ url: "http://127.0.0.1/" });
const { document, localStorage, sessionStorage, location, navigator, Element, Node } = window;
Object.assign(globalThis, { window, document, localStorage, sessionStorage, location, Element, Node });
Object.defineProperty(globalThis, "navigator", { value: navigator, configurable: true });
document.body.innerHTML = '<main id="page"></main><div id="toast"></div>';

/** A stream that the test speaks for. */
export class Stream {
  static CLOSED = 2;
  static last = null;
  readyState = 1;
  listeners = new Map();

  constructor(address) {
    this.address = address;
    Stream.last = this;
  }

  addEventListener(kind, listener) {
    this.listeners.set(kind, listener);
  }

  say(kind, what) {
    this.listeners.get(kind)({ data: JSON.stringify(what) });
  }

  close() {
    this.readyState = Stream.CLOSED;
  }
}

globalThis.EventSource = Stream;

/** The script of the page with this name. */
export const script = (name) => import(new URL(`../../base-station/assets/js/${name}`, import.meta.url).href);
