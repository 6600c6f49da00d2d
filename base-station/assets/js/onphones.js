// What players read on their phones: a code, and the same address in letters, that lead there; or how
// phones get in, where this page is for its own laptop only.

import { get } from "./api.js";
import { h } from "./dom.js";
import { t } from "./text.js";

/** The way for phones to a page of this base station; `code` is its picture. */
export function wayForPhones(page, code, width = 300) {
  const picture = h("img", { class: "qr", src: code, alt: t("qr_alt"), width, height: width });
  const place = h("div", { class: "centred-text" }, picture);
  // A code of this laptop's own address would lead every phone to itself.
  picture.addEventListener("error", async () => {
    const { door } = await get("house").catch(() => ({ door: null }));
    picture.replaceWith(
      door === null
        ? h("p", {}, t("phones_only_here"))
        : h("p", {}, t("door_shut"), " ", h("a", { class: "alone", href: "#/phones" }, t("door_open"))),
    );
  });
  get("phones")
    .then(({ address }) => {
      // Phones as pads begin at /phone; what everybody reads is beside it.
      const link = address && new URL(page, address).href;
      if (link) place.append(h("p", {}, h("a", { href: link, target: "_blank" }, h("b", {}, link))));
    })
    .catch(() => {});
  return place;
}
