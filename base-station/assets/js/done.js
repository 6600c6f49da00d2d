// Every change says what it did, and how to take it back.

import { post } from "./api.js";
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
