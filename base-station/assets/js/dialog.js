// One dialog at a time, closed by its button, by Escape and by going to another page.

import { byId, h, fill, icon } from "./dom.js";
import { t } from "./text.js";

const dialog = () => /** @type {HTMLDialogElement} */ (byId("dialog"));
let onClose = null;

/** Opens the dialog with a title and content. */
export function openDialog(title, content, closed) {
  const place = dialog();
  onClose?.();
  onClose = closed ?? null;
  saveToast();
  fill(
    place,
    h(
      "div",
      { class: "dialog-head" },
      h("h2", { id: "dialog-title" }, title),
      h("button", { type: "button", onclick: closeDialog, class: "close" }, icon("close"), t("close")),
    ),
    h("div", { class: "dialog-body" }, content),
  );
  if (!place.open) place.showModal();
  place.scrollTop = 0;
  place.onclose = () => {
    // Closed and opened again before the browser told of it: the new content stays.
    if (place.open) return;
    onClose?.();
    onClose = null;
    saveToast();
    fill(place);
  };
}

// What was said in a dialog is still said when the dialog has gone.
function saveToast() {
  const said = byId("toast");
  if (said.parentElement !== document.body) document.body.append(said);
}

/** Closes it, if it is open. */
export function closeDialog() {
  if (dialog().open) dialog().close();
}

/** A button that does something at the base, shows that it is at it, and says why not if refused. */
export function doing(label, action, attributes) {
  const button = h("button", { type: "button", ...attributes }, label);
  button.addEventListener("click", async () => {
    // Not disabled meanwhile: the keyboard would be nowhere.
    if (button.hasAttribute("aria-busy")) return;
    button.setAttribute("aria-busy", "true");
    const slow = setTimeout(() => button.append(" ", h("span", { class: "busy" })), 400);
    try {
      await action(button);
    } catch (refusal) {
      refuse(button, refusal);
    } finally {
      clearTimeout(slow);
      button.querySelector(".busy")?.remove();
      button.removeAttribute("aria-busy");
    }
  });
  return button;
}

/** Shows a refusal near the control that caused it. */
export function refuse(near, refusal) {
  const place = near.closest(".dialog-body, .card, form, main") ?? byId("page");
  let box = place.querySelector(":scope > .refusal");
  if (!box) {
    box = h("p", { class: "refusal", role: "alert" });
    place.append(box);
  }
  box.textContent = refusal.message;
  box.scrollIntoView({ block: "nearest" });
}

/** Takes a shown refusal away. */
export function unrefuse(near) {
  near.closest(".dialog-body, .card, form, main")?.querySelector(":scope > .refusal")?.remove();
}
