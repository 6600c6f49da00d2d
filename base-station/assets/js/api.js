// Talks to the base station. A refusal is a sentence for people and arrives as an Error.

import { currentLanguage } from "./text.js";

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

/**
 * @template {string} P
 * @param {P} path
 * @returns {Promise<Answer<"get", P>>}
 */
export const get = (path) => send("GET", path);

/**
 * @template {string} P
 * @param {P} path
 * @param {object} [body]
 * @returns {Promise<Answer<"post", P>>}
 */
export const post = (path, body) => send("POST", path, body ?? {});

/**
 * @template {string} P
 * @param {P} path
 * @param {object} body
 * @returns {Promise<Answer<"put", P>>}
 */
export const put = (path, body) => send("PUT", path, body);

/**
 * @template {string} P
 * @param {P} path
 * @param {object} [body]
 * @returns {Promise<Answer<"delete", P>>}
 */
export const remove = (path, body) => send("DELETE", path, body);

/** What the base station refused, in words for people. */
class Refusal extends Error {
  /**
   * @param {string} words
   * @param {number} status
   */
  constructor(words, status) {
    super(words);
    this.status = status;
  }
}

/**
 * @param {string} method
 * @param {string} path
 * @param {object} [body]
 * @returns {Promise<any>}
 */
async function send(method, path, body) {
  // The base station answers in the page's language, for people: with symbols for suits.
  /** @type {Record<string, string>} */
  const headers = {
    accept: "application/json",
    "accept-language": currentLanguage(),
    "x-byestand-suits": "symbols",
  };
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
    throw new Refusal(said?.problem ?? `${answer.status}`, answer.status);
  } finally {
    busy(-1);
  }
}

/** Sends a file as it is. */
export async function sendFile(path, file) {
  const headers = {
    accept: "application/json",
    "x-byestand-csrf": csrf,
    "content-type": "application/octet-stream",
  };
  const answer = await fetch(`/api/${path}`, {
    method: "POST",
    headers,
    body: file,
    credentials: "same-origin",
  });
  const said = await answer.json();
  if (!answer.ok) throw new Error(said?.problem ?? `${answer.status}`);
  return said;
}

// The style sheet shows a bar at the top of the page when this lasts for half a second.
function busy(step) {
  waiting += step;
  document.body.toggleAttribute("data-busy", waiting > 0);
}
