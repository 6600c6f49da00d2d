// The director's password.

import { signIn } from "./api.js";
import { h, fill, field } from "./dom.js";
import { t } from "./text.js";

/** Asks for name and password; calls back when they are right. */
export function showLogin(main, done) {
  const name = h("input", {
    autocomplete: "username",
    value: localStorage.getItem("director") ?? "",
    maxlength: 40,
    required: true,
  });
  const password = h("input", { type: "password", autocomplete: "current-password", required: true });
  const refusal = h("p", { class: "refusal", role: "alert" });
  const submit = async (event) => {
    event.preventDefault();
    refusal.textContent = "";
    try {
      await signIn(name.value.trim(), password.value);
      localStorage.setItem("director", name.value.trim());
      done();
    } catch (problem) {
      refusal.textContent = problem.message;
      password.select();
    }
  };
  fill(
    main,
    h(
      "form",
      { class: "card login", onsubmit: submit },
      h("h1", {}, t("sign_in_title")),
      h("p", { class: "quiet" }, t("sign_in_why")),
      field(t("your_name"), name, t("your_name_hint")),
      field(t("password"), password, t("password_forgotten")),
      refusal,
      h("div", { class: "buttons" }, h("button", { class: "primary" }, t("sign_in"))),
    ),
  );
  (name.value ? password : name).focus();
}
