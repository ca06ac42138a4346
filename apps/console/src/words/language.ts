/** The languages of the console, and the locale in which dates and numbers are written. */

export const languageCodes = ["en", "de"] as const;
export type LanguageCode = (typeof languageCodes)[number];
const key = "terse.language";

const inLanguage = (code: string) => (tag: string) => tag.split("-")[0] === code;

/** The language that was chosen in this browser, or else the first of the browser's own that the console has. */
export function storedLanguage(): LanguageCode {
  for (const tag of [localStorage.getItem(key) ?? "", ...navigator.languages]) {
    const code = languageCodes.find((each) => inLanguage(each)(tag));
    if (code) return code;
  }
  return "en";
}

/** Keeps a language for later visits. */
export const keepLanguage = (code: LanguageCode): void => localStorage.setItem(key, code);

/** The locale of a language: as the browser spells it for its region, such as de-AT. */
export const localeOf = (code: LanguageCode): string => navigator.languages.find(inLanguage(code)) ?? code;
