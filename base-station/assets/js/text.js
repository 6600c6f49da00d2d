// The page's texts are data: one file a language, chosen by the director and kept in the browser.

const LANGUAGES = { en: "English", de: "Deutsch" };
let texts = {};
let fallback = {};
let language = "en";
let phrases = [];
const known = new Map();

// Days and numbers as people write them where this browser is, if that is the page's language.
const locale = () =>
  navigator.languages.find((name) => name.startsWith(`${language}-`)) ??
  { en: "en-GB", de: "de-DE" }[language];

/** Loads the texts of the language that was chosen last, or the browser's. */
export async function loadTexts() {
  const wanted = localStorage.getItem("language") ?? navigator.language.slice(0, 2);
  language = wanted in LANGUAGES ? wanted : "en";
  fallback = await load("en");
  texts = language === "en" ? fallback : await load(language);
  if (language !== "en")
    phrases = Object.entries(await load(`${language}.said`))
      .map(([english, own]) => phrase(english, own))
      .sort((one, other) => other.fixed - one.fixed);
  document.documentElement.lang = language;
  for (const element of document.querySelectorAll("[data-text]"))
    element.textContent = t(element.dataset.text);
}

async function load(name) {
  const answer = await fetch(`/assets/lang/${name}.json`);
  return answer.json();
}

/** The text of a key, with {names} filled in. */
export function t(key, values = {}) {
  const text = texts[key] ?? fallback[key] ?? key;
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

// A short phrase such as "{n} tables" must not swallow a whole sentence that ends alike.
const SHORT = 7;
const ANYTHING = "(.+?)";
const A_FEW_WORDS = "([^.:;!? ]+(?:, [^.:;!? ]+)*)";

// A sentence of the base station with its {parts}, and what it is in the page's language.
function phrase(english, own) {
  const names = [];
  const fixed = english.replace(/\{\w+\}/g, "").length;
  const pattern = english.replace(/[.*+?^$()|[\]\\]/g, "\\$&").replace(/\{(\w+)\}/g, (_, name) => {
    names.push(name);
    return fixed > SHORT ? ANYTHING : A_FEW_WORDS;
  });
  return { pattern: new RegExp(`^${pattern}$`), names, own, fixed };
}

/** What the base station said, in the page's language where the sentence is known, else as it is. */
export function said(text) {
  if (phrases.length === 0 || !text) return text ?? "";
  let own = known.get(text);
  if (own === undefined) {
    own = text
      .split(/(?<=[.!?]) /)
      .map((sentence) => whole(sentence) ?? sentence)
      .join(" ");
    // Sentences name tables and boards: a long evening must not fill the memory.
    if (known.size > 2000) known.clear();
    known.set(text, own);
  }
  return own;
}

function whole(text) {
  const exact = look(text);
  if (exact !== null) return exact;
  // Where the base makes a whole sentence of a half one, it begins with a capital and ends with a stop.
  const half = look(text[0].toLowerCase() + text.slice(1).replace(/\.$/, ""));
  return half === null ? null : half[0].toUpperCase() + half.slice(1) + (text.endsWith(".") ? "." : "");
}

function look(text) {
  for (const { pattern, names, own } of phrases) {
    const found = pattern.exec(text);
    if (found) return own.replace(/\{(\w+)\}/g, (_, name) => said(found[names.indexOf(name) + 1]));
  }
  return null;
}

/** The names of a pair; where nobody gave any, the base station writes its number. */
export const namesOf = (names) => names.replace(/^pair (\S+)$/, (_, pair) => t("pair_n", { pair }));

const SYMBOLS = { S: "♠", H: "♥", D: "♦", C: "♣" };

/** The same with "4SX" and "HK" in suit symbols, for sentences that are about cards. */
export function saidWithCards(text) {
  return said(text)
    .replace(
      /\b([1-7])([SHDC])(X{0,2})\b/g,
      (_, level, suit, doubled) => level + SYMBOLS[suit] + "×".repeat(doubled.length),
    )
    .replace(
      /(?<!\b(?:[Tt]ables?|[Tt]ische?|and|und|,) )\b([SHDC])(10|[2-9TJQKA])\b/g,
      (_, suit, rank) => SYMBOLS[suit] + (rank === "T" ? "10" : rank),
    );
}

/** Whether there is such a text. */
export const hasText = (key) => key in fallback;

/** All languages, for a choice. */
export const languages = () => Object.entries(LANGUAGES);

/** The language in use. */
export const currentLanguage = () => language;

/** Changes the language; the page is loaded anew in it. */
export function chooseLanguage(name) {
  localStorage.setItem("language", name);
  location.reload();
}

/** 54.17 as people of this language write it. */
export function percent(value) {
  if (value === null || value === undefined) return "";
  return `${decimal(value, 2)}%`;
}

/** A number with this many decimals. */
export function decimal(value, digits) {
  if (value === null || value === undefined) return "";
  return Number(value).toLocaleString(locale(), {
    minimumFractionDigits: digits,
    maximumFractionDigits: digits,
  });
}

/** 19:42 of a moment in milliseconds. */
export function timeOfDay(ms) {
  return ms
    ? new Date(ms).toLocaleTimeString(locale(), { hour: "2-digit", minute: "2-digit", hourCycle: "h23" })
    : "";
}

/** 2026-11-16 as people of this language write a day. */
export function day(date) {
  const noon = new Date(`${date}T12:00`);
  return Number.isNaN(noon.getTime())
    ? date
    : noon.toLocaleDateString(locale(), { day: "numeric", month: "long", year: "numeric" });
}

/** "3 min ago", "now". */
export function ago(ms, now) {
  if (ms === null || ms === undefined) return t("never");
  const seconds = Math.max(0, Math.round((now - ms) / 1000));
  if (seconds < 45) return t("just_now");
  if (seconds < 5400) return t("minutes_ago", { n: Math.round(seconds / 60) });
  return timeOfDay(ms);
}
