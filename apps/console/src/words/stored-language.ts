import { type LanguageCode, languageCodes } from "./language.ts";

/** The service's own pages follow this cookie, too. */
const cookie = "language";
const year = 365 * 24 * 60 * 60;

function chosenLanguage(): string {
  const prefix = `${cookie}=`;
  const found = document.cookie.split("; ").find((each) => each.startsWith(prefix));
  return found?.slice(prefix.length) ?? "";
}

/** The language that was chosen in this browser, or else the first of the browser's own that the console has. */
export function storedLanguage(): LanguageCode {
  for (const tag of [chosenLanguage(), ...navigator.languages]) {
    const code = languageCodes.find((each) => each === tag.split("-")[0]);
    if (code) return code;
  }
  return "en";
}

/** Keeps a language for later visits, and for the pages that the service writes. */
export function keepLanguage(code: LanguageCode): void {
  const secure = location.protocol === "https:" ? "; Secure" : "";
  document.cookie = `${cookie}=${code}; Path=/; Max-Age=${year}; SameSite=Lax${secure}`;
}
