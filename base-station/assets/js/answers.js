// The one-click answers to a warning, wherever it is shown.

import { post } from "./api.js";
import { doing } from "./dialog.js";
import { choice, h } from "./dom.js";
import { sayDone } from "./done.js";
import { openPreview } from "./movement.js";
import { t } from "./text.js";

/** Who was asked before a score was changed, or why nobody had to be. */
export const askedChoice = (usual = "", attributes = {}) =>
  choice(
    [
      ["", t("asked_unsaid")],
      ...["both", "impossible", "vulnerable", "ruling"].map((name) => [name, t(`asked_${name}`)]),
    ],
    usual,
    attributes,
  );

/** A button for each answer, the likeliest first; `done` is called when one was given. */
export function answerButtons(warning, done) {
  if (document.body.dataset.role !== "director" || warning.answered) return [];
  const asked = warning.answers.some((answer) => answer.changes_score) && askedChoice();
  const buttons = warning.answers.map((answer, at) =>
    doing(
      answer.label,
      async () => {
        const said = answer.changes_score && asked && asked.value;
        const body = { key: warning.key, answer: answer.answer, asked: said || null };
        // A change of the movement is looked at before it is made.
        if (answer.changes_movement)
          return openPreview(
            await post("warnings/preview", body),
            () => post("warnings/answer", body),
            false,
          );
        const { seq } = await post("warnings/answer", body);
        const { table, board } = warning;
        const what = table && board ? t("saved_line", { table, board, what: answer.label }) : answer.label;
        // A pad that has got its table does not give it back.
        sayDone(`${t("saved")} ${what}`, warning.kind !== "ReplaceAsked" && seq);
        return done?.();
      },
      { class: at === 0 && "primary" },
    ),
  );
  return asked ? [...buttons, h("label", { class: "asked" }, t("asked_who"), asked)] : buttons;
}
