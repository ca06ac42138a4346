import { browserName, systemName } from "./names.ts";

/** Client hints that browsers based on Chromium send with each request over https (User-Agent Client Hints, WICG). */
export const hintHeaders = {
  brands: "sec-ch-ua",
  mobile: "sec-ch-ua-mobile",
  platform: "sec-ch-ua-platform",
} as const;

/** What client hints say; undefined where they say nothing. */
export interface ClientHints {
  /** A phone, or something that asks for pages for phones */
  mobile?: boolean;
  /** One of the names of `systemName` */
  os?: string;
  /** One of the names of `browserName`, if a brand is more than Chromium or Chrome */
  browser?: string;
  /** A browser without a window, which a program controls */
  headless?: boolean;
}

/** Characters that a click keeps of all hints. */
export const maxHints = 256;

/** Joins the headers' values, as received, to one text for a click; "" if there are none. */
export function joinHints(brands = "", mobile = "", platform = ""): string {
  return brands || mobile || platform ? `${mobile}|${platform}|${brands}` : "";
}

/** Browsers whose agent equals Chrome's are known by their brand only. */
const chromium = new Set(["Chrome", "Chromium", "Other"]);

/** Reads what `joinHints` wrote; of a malformed text, what can be read. */
export function readHints(text: string): ClientHints {
  const [mobile = "", platform = "", brands = ""] = text.slice(0, maxHints).split("|", 3);
  const hints: ClientHints = {};
  if (mobile === "?1" || mobile === "?0") hints.mobile = mobile === "?1";
  const os = systemName(unquoted(platform));
  if (os !== null && os !== "Other") hints.os = os;
  for (const [, brand = ""] of brands.matchAll(/"([^"]*)" *;/g)) {
    if (brand === "HeadlessChrome") hints.headless = true;
    const browser = browserName(brand);
    if (browser !== null && !chromium.has(browser)) hints.browser = browser;
  }
  return hints;
}

const unquoted = (text: string) => /^"([^"]+)"$/.exec(text)?.[1];
