// The club's certificate, where the page is encrypted: what to compare when a browser warns.

import { h } from "./dom.js";
import { t } from "./text.js";

/**
 * The fingerprint in two lines that can be compared pair by pair; nothing without TLS.
 * @param {{ fingerprint?: string | null }} certificate
 */
export function fingerprint({ fingerprint: pairs }) {
  if (!pairs) return null;
  const halves = [pairs.slice(0, 47), pairs.slice(48)];
  return h(
    "div",
    { class: "certificate" },
    h("p", {}, t("fingerprint")),
    h(
      "p",
      {},
      halves.map((half) => [h("code", {}, half), h("br", {})]),
    ),
    h("p", { class: "quiet" }, t("fingerprint_why")),
  );
}
