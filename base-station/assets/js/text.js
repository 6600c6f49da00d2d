// The page's texts come from the catalogues of the base station: one file a language, chosen by the
// director and kept in the browser. What the base station says arrives in that language.

const LANGUAGES = { en: "English", de: "Deutsch", fr: "Français", nl: "Nederlands" };
const USUAL = { en: "en-GB", de: "de-DE", fr: "fr-FR", nl: "nl-NL" };
let texts = {};
let language = "en";
let plural = new Intl.PluralRules("en");

// Days and numbers as people write them where this browser is, if that is the page's language.
const locale = () => navigator.languages.find((name) => name.startsWith(`${language}-`)) ?? USUAL[language];

/** Loads the texts of the language that was chosen last, or the browser's. */
export async function loadTexts() {
  const wanted = localStorage.getItem("language") ?? navigator.language.slice(0, 2);
  language = wanted in LANGUAGES ? wanted : "en";
  plural = new Intl.PluralRules(language);
  const answer = await fetch(`/assets/lang/${language}.json`);
  texts = await answer.json();
  document.documentElement.lang = language;
  /** @type {NodeListOf<HTMLElement>} */
  const elements = document.querySelectorAll("[data-text]");
  for (const element of elements) element.textContent = t(element.dataset.text);
}

/** The text of a key, with {names} filled in, in the form that its number asks for. */
export function t(key, values = {}) {
  const forms = texts[key] ?? key;
  const text =
    typeof forms === "string" ? forms : (forms[plural.select(Number(values[forms.by]))] ?? forms.other);
  return text.replace(/\{(\w+)\}/g, (_, name) => values[name] ?? "");
}

/** Whether there is such a text. */
export const hasText = (key) => key in texts;

/** All languages, for a choice. */
export const languages = () => Object.entries(LANGUAGES);

/** The language in use. */
export const currentLanguage = () => language;

/** Changes the language; the page is loaded anew in it. */
export function chooseLanguage(name) {
  localStorage.setItem("language", name);
  location.reload();
}

/** 54.17 as people of this language write it; a column that needs fewer decimals says so. */
export function percent(value, digits = 2) {
  if (value === null || value === undefined) return "";
  return `${decimal(value, digits)}%`;
}

/** How many decimals all of these need, at most so many: no idle zeros in a column. */
export function digitsFor(values, most) {
  const known = values.filter((value) => value !== null && value !== undefined);
  for (let digits = 0; digits < most; digits += 1)
    if (known.every((value) => Number(value.toFixed(most)) === Number(value.toFixed(digits)))) return digits;
  return most;
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
