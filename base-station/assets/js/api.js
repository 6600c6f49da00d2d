// Talks to the base station. A refusal is a sentence for people and arrives as an Error.

import { said as inOwnWords } from "./text.js";

let csrf = "";
let waiting = 0;

/** Who is signed in, and the token that every change must carry. */
export async function whoAmI() {
  const answer = await get("login");
  csrf = answer.csrf;
  return answer;
}

/** Signs in as director. */
export async function signIn(name, password) {
  const answer = await send("POST", "login", { name, password });
  csrf = answer.csrf;
  return answer;
}

export const get = (path) => send("GET", path);
export const post = (path, body) => send("POST", path, body ?? {});
export const put = (path, body) => send("PUT", path, body);
export const remove = (path, body) => send("DELETE", path, body);

async function send(method, path, body) {
  const headers = { accept: "application/json" };
  if (method !== "GET") headers["x-byestand-csrf"] = csrf;
  if (body !== undefined) headers["content-type"] = "application/json";
  busy(1);
  try {
    const answer = await fetch(`/api/${path}`, {
      method,
      headers,
      body: body && JSON.stringify(body),
      credentials: "same-origin",
    });
    const text = await answer.text();
    const said = text ? JSON.parse(text) : null;
    if (answer.ok) return said;
    const refusal = new Error(inOwnWords(said?.problem ?? `${answer.status}`));
    refusal.status = answer.status;
    throw refusal;
  } finally {
    busy(-1);
  }
}

// The style sheet shows a bar at the top of the page when this lasts for half a second.
function busy(step) {
  waiting += step;
  document.body.toggleAttribute("data-busy", waiting > 0);
}
