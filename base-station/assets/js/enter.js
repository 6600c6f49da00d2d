// Enter in a field does what the button below it does, as in every form.

const QUIET = ["checkbox", "radio", "file", "button", "submit", "search"];

/** Which button Enter presses for a field: the main one of its group, or the only one. */
export function buttonFor(input) {
  // What is folded away, or belongs to a card or a fold beside the field, is not meant.
  const isMeant = (button) => {
    const around = button.closest("details, fieldset, .card, section");
    return (
      !button.disabled &&
      !button.closest("[hidden], .hidden, details:not([open])") &&
      (!around || around.contains(input))
    );
  };
  for (const kind of ["fieldset", "details", "section, .card", ".dialog-body", "main"]) {
    const group = input.closest(kind);
    const buttons = [...(group?.querySelectorAll("button:not(.link)") ?? [])].filter(isMeant);
    const main = buttons.filter((button) => button.classList.contains("primary"));
    if (main.length === 1) return main[0];
    if (buttons.length === 1) return buttons[0];
    if (buttons.length > 1) return null;
  }
  return null;
}

/** Begins to listen. */
export function startEnter() {
  document.addEventListener("keydown", (event) => {
    const { target } = event;
    if (event.key !== "Enter" || event.defaultPrevented || !(target instanceof HTMLInputElement)) return;
    if (target.form || QUIET.includes(target.type) || target.closest(".entry")) return;
    const button = buttonFor(target);
    if (!button) return;
    event.preventDefault();
    // What a field saves when it is left is saved first.
    target.dispatchEvent(new Event("change", { bubbles: true }));
    button.click();
  });
}
