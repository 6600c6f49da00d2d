// The one-click answers to a warning, wherever it is shown.

import { post } from "./api.js";
import { toast } from "./dom.js";
import { doing } from "./dialog.js";
import { openPreview } from "./movement.js";
import { saidWithCards, t } from "./text.js";

/** A button for each answer, the likeliest first; `done` is called when one was given. */
export function answerButtons(warning, done) {
  if (document.body.dataset.role !== "director" || warning.answered) return [];
  return warning.answers.map((answer, at) =>
    doing(
      saidWithCards(answer.label),
      async () => {
        const body = { key: warning.key, answer: answer.answer };
        // A change of the movement is looked at before it is made.
        if (answer.changes_movement)
          return openPreview(
            await post("warnings/preview", body),
            () => post("warnings/answer", body),
            false,
          );
        await post("warnings/answer", body);
        toast(t("saved"));
        return done?.();
      },
      { class: at === 0 && "primary" },
    ),
  );
}
