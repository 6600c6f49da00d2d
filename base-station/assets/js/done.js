// Every change says what it did, and how to take it back.

import { get, post } from "./api.js";
import { toast } from "./dom.js";
import { t } from "./text.js";

/** Says what was done, with an undo for the change of this number. */
export function sayDone(text, seq) {
  toast(
    text,
    seq && {
      label: t("undo"),
      act: async () => {
        await post("undo", { change: seq, why: "" });
        toast(t("undone"));
      },
    },
  );
}

/**
 * Says what was saved where the history keeps no undo of it (settings, competitions): the button puts
 * back what stood there before.
 * @param {string} text
 * @param {() => Promise<any>} putBack
 */
export function sayPutBack(text, putBack) {
  toast(text, {
    label: t("undo"),
    act: async () => {
      await putBack();
      toast(t("undone"));
    },
  });
}

/** Says what the change of this number did as the history tells it, with an undo where there is one. */
export async function sayChange(did, word = t("saved")) {
  const { seq } = did;
  const { changes } = await get(`history?before=${seq + 1}&most=1`).catch(() => ({ changes: [] }));
  const change = changes.find((one) => one.seq === seq);
  if (!change) return toast(word);
  // A sentence of its own; in the list it stands behind the time.
  const what = change.text.charAt(0).toLocaleUpperCase() + change.text.slice(1);
  return sayDone(`${word} ${what}`, change.can_undo && seq);
}
