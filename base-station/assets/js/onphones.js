// What players read on their phones: a code, and the same address in letters, that lead there; or how
// phones get in, where this page is for its own laptop only.

import { get } from "./api.js";
import { fill, h } from "./dom.js";
import { t } from "./text.js";

/** The way for phones to a page of this base station; `code` is its picture. */
export function wayForPhones(page, code, width = 300) {
  const place = h("div", { class: "centred-text" });
  // Nothing below is pushed down by it.
  place.style.minHeight = `${width}px`;
  const shut = async () => {
    const { door } = await get("house").catch(() => ({ door: null }));
    place.style.minHeight = "";
    fill(
      place,
      door === null
        ? h("p", {}, t("phones_only_here"))
        : h("p", {}, t("door_shut"), " ", h("a", { class: "alone", href: "#/phones" }, t("door_open"))),
    );
  };
  // Whoever may not ask sees the code alone.
  const asked = get("phones").then(
    ({ address }) => address ?? null,
    () => "",
  );
  asked.then((address) => {
    // A code of this laptop's own address would lead every phone to itself.
    if (address === null) {
      shut();
      return;
    }
    const picture = h("img", { class: "qr", src: code, alt: t("qr_alt"), width, height: width });
    picture.addEventListener("error", shut);
    // Phones as pads begin at /phone; what everybody reads is beside it.
    const link = address && new URL(page, address).href;
    fill(place, picture, link && h("p", {}, h("a", { href: link, target: "_blank" }, h("b", {}, link))));
  });
  return place;
}
