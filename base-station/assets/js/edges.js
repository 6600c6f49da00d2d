// Shows where a box that scrolls sideways has more than can be seen: its edge fades there.

/** How far a box may be from its edge to be at it, in pixels: sizes are not whole numbers. */
const NEAR = 2;

/** Marks the sides behind which there is more. */
export function markEdges(box) {
  const behind = box.scrollWidth - box.clientWidth - box.scrollLeft;
  box.classList.toggle("more-left", box.scrollLeft > NEAR);
  box.classList.toggle("more-right", behind > NEAR);
}

const sizes =
  typeof ResizeObserver === "undefined"
    ? null
    : new ResizeObserver((changes) => {
        for (const { target } of changes) {
          const box = target.closest(".scroll, .grid-box");
          if (box) markEdges(box);
        }
      });

/**
 * Watches a box and what is in it for as long as both are there.
 * @template {HTMLElement} E
 * @param {E} box
 * @returns {E}
 */
export function withEdges(box) {
  box.addEventListener("scroll", () => markEdges(box), { passive: true });
  sizes?.observe(box);
  if (box.firstElementChild) sizes?.observe(box.firstElementChild);
  return box;
}
