import { bestLanguage } from "@terse/core/redirect";
import { html } from "hono/html";
import { parse, serialize } from "hono/utils/cookie";
import { de } from "./words/de.ts";
import { en, type Words } from "./words/en.ts";
import { fr } from "./words/fr.ts";

/** The languages of the pages, by code, in the order of the switch. */
export const languages = { en, de, fr };
const byCode: ReadonlyMap<string, Words> = new Map(Object.entries(languages));
const codes: ReadonlySet<string> = new Set(byCode.keys());

/** The cookie with the language that a person chose, here or in the console */
const cookie = "language";
const year = 365 * 24 * 60 * 60;

/** The texts for a visitor: in the language of the cookie, else in the one that the browser prefers, else in English. */
export function wordsFor(header: (name: string) => string | undefined): Words {
  const chosen = parse(header("cookie") ?? "", cookie)[cookie] ?? "";
  const preferred = () => bestLanguage(header("accept-language") ?? "", codes) ?? "en";
  return byCode.get(chosen) ?? byCode.get(preferred()) ?? en;
}

/** Paths of the switch. No slug has a plus sign. */
const pathOf = (code: string) => `/+${code}`;
const codeByPath = new Map(Array.from(codes, (code) => [pathOf(code), code]));
/** Whether a path is one of the switch. */
export const isLanguagePath = (path: string): boolean => codeByPath.has(path);

/** The names of all languages, as links that name the page they are on as their referrer. */
export const languageSwitch = ({ language, languages: label }: Words): ReturnType<typeof html> => html`
<nav class="languages" aria-label="${label}">${Object.values(languages).map(({ language: code, name }) =>
  code === language
    ? html`<span lang="${code}" aria-current="true">${name}</span>`
    : html`<a href="${pathOf(code)}" lang="${code}" hreflang="${code}" rel="nofollow" referrerpolicy="same-origin">${name}</a>`,
)}</nav>`;

/**
 * The headers of a 303 that keeps the language of a switch and leads back to the page it is on, or null if that page is
 * not on one of `hosts`: no other site can choose for a visitor, nor be led to.
 */
export function chooseLanguage(
  path: string,
  { referrer, hosts, secure }: { referrer: string | undefined; hosts: readonly string[]; secure: boolean },
): Record<string, string> | null {
  const code = codeByPath.get(path);
  const from = URL.parse(referrer ?? "");
  if (code === undefined || from === null || !/^https?:$/.test(from.protocol) || !hosts.includes(from.host))
    return null;
  return {
    Location: isLanguagePath(from.pathname) ? "/" : from.href,
    "Set-Cookie": serialize(cookie, code, { path: "/", maxAge: year, sameSite: "Lax", secure }),
    "Cache-Control": "no-store",
    "Content-Length": "0",
  };
}
