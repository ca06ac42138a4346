import { en, type Strings } from "./en.ts";
import { capital, localeOf } from "./grammar.ts";

/** The languages of the console. Another one is a file of texts and a line here; all but English are loaded when they are used. */
const loaders = {
  en: () => Promise.resolve(en),
  de: async () => (await import("./de.ts")).de,
  fr: async () => (await import("./fr.ts")).fr,
} satisfies Record<string, () => Promise<Strings>>;

export type LanguageCode = keyof typeof loaders;
export const languageCodes = Object.keys(loaders) as readonly LanguageCode[];

/** The texts of a language. */
export const loadTexts = (code: LanguageCode): Promise<Strings> => loaders[code]();

/** What a language calls itself, such as "Deutsch". */
export const nameOfLanguage = (code: LanguageCode): string =>
  capital(new Intl.DisplayNames(code, { type: "language" }).of(code) ?? code);

let shown: LanguageCode = "en";
/** The language that the console is shown in. */
export const shownLanguage = (): LanguageCode => shown;
/** The locale in which dates, numbers and names are written. */
export const viewerLocale = (): string => localeOf(shown);

/** Writes dates, numbers and names in another language. What is on the screen follows when it is drawn again. */
export function changeLanguage(code: LanguageCode): void {
  shown = code;
}
