// The words of the page around the pad, in all languages. The pad's own words come from the pad.

const all = JSON.parse(document.getElementById("words")?.textContent ?? "{}");

/** A text in the language of the page. */
export const word = (key, values) => {
  const text = all[document.documentElement.lang]?.[key] ?? all.en[key] ?? key;
  return Object.entries(values ?? {}).reduce(
    (filled, [name, value]) => filled.replaceAll(`{${name}}`, value),
    text,
  );
};
