import { isbot } from "isbot";
import { UAParser } from "ua-parser-js";
import { maxLength } from "../../kernel/memo.ts";
import { anyOf, type Device, deviceOf } from "./device.ts";
import { browserName, systemName } from "./names.ts";

/**
 * The contents of a user agent; null where it says nothing. All three are null for a bot, since bots claim anything.
 */
export interface Agent {
  device: Device | null;
  /** Name without version, such as "Chrome" or "Samsung Internet" */
  browser: string | null;
  /** Name without version: "Windows", "macOS", "iOS" (iPadOS too), "Android", "Linux", "Chrome OS" … */
  os: string | null;
  bot: boolean;
}

const BOT: Agent = { device: null, browser: null, os: null, bot: true };
/** System and device are at the start, apps name themselves at the end. */
const systemLength = 256;
/**
 * These run first. The parser knows Google's app on iOS only. The others replace two expressions of the parser that take
 * time in the fourth power of a hostile text's length: the word alone is enough. The device of an Archos then follows from
 * Android's own rule. All other expressions are at most cubic and take a few milliseconds. Check with the package `recheck`
 * when updating the parser.
 */
const parser = new UAParser("", {
  browser: [[/(naver)\(/i, /\b(gsa)\/\d/i], ["name"]],
  device: [[/(archos)/i], ["vendor"]],
});

/**
 * Reads the first 512 characters of a user agent in about 30 µs, of a hostile one in a few milliseconds, and the client
 * hints that `joinHints` wrote. An empty agent is a bot's, as every browser sends one. An iPad that requests desktop sites
 * sends a Mac's user agent, and counts as a Mac.
 */
export function parseAgent(text: string, clientHints = ""): Agent {
  const userAgent = text.slice(0, maxLength);
  const hints = readHints(clientHints);
  if (userAgent.trim() === "" || hints.headless || isProgram(userAgent)) return BOT;
  parser.setUA(userAgent);
  const named = browserOf(parser.getBrowser().name, userAgent);
  parser.setUA(userAgent.slice(0, systemLength));
  const system = systemName(parser.getOS().name);
  // A phone or tablet that requests desktop sites sends the user agent of Linux.
  const os = system === "Linux" && hints.os === "Android" ? "Android" : system;
  return {
    device: os === system ? deviceOf(parser.getDevice().type, os, userAgent, hints.mobile) : handheld(hints),
    browser: named === "Chrome" ? (hints.browser ?? named) : named,
    os,
    bot: false,
  };
}

/** Web views of Android 5 and later are Chrome's; the parser takes old ones for the browser that Android had before. */
function browserOf(name: string | undefined, userAgent: string): string | null {
  return browserName(name === "Android Browser" && /\bchrome\/\d/i.test(userAgent) ? "Chrome" : name);
}

const handheld = ({ mobile }: ClientHints): Device => (mobile ? "mobile" : "tablet");

/** Client hints that browsers based on Chromium send with each request over https (User-Agent Client Hints, WICG). */
export const hintHeaders = {
  brands: "sec-ch-ua",
  mobile: "sec-ch-ua-mobile",
  platform: "sec-ch-ua-platform",
} as const;

/** The contents of client hints; undefined where they say nothing. */
export interface ClientHints {
  /** A phone, or something that requests mobile pages */
  mobile?: boolean;
  /** One of the names of `systemName` */
  os?: string;
  /** One of the names of `browserName`, if a brand is more than Chromium or Chrome */
  browser?: string;
  /** A headless browser, controlled by a program */
  headless?: boolean;
}

/** Characters that a click keeps of all hints. */
export const maxHints = 256;

/** Joins the headers' values, as received, into one text for a click; "" if there are none. */
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

/** Programs that the package's list does not know. */
const program = anyOf([
  // Office asks for a link's type and loads it before it starts the browser, which then sends the person's click.
  /ms-office|msoffice \d|microsoft office/,
  // Command lines and libraries that name themselves like a browser, or with more after their version.
  /powershell\/|\bdart\/\d|\bdart:io\b|\bjsdom\/|\bslimerjs\/|go-network-v\d|matomotrackersdk/,
  /^(?:reactornetty|mikrotik|artifactory|containerd|cri-o|cygwin-setup|ipinfoclient)\//,
  // Assistants that read a page for a person, who then sees a summary.
  /amzn-user\//,
  // Page tests, screenshots and scanners in a real browser.
  /\bgtmetrix\b|\bminiature\.io\/|\bylt\b|\bassetnote\/|\byunjiankong\b|\bkendra-customer-id\b/,
]);

/** What only people send, although the list sees a bot in it. */
const person = anyOf([
  // Phones from before smartphones list Java profiles and "MAUI (HTTP; HTTPS)", televisions CE-HTML/1.0 or Google TV.
  /^(?!.*(?:compatible;|:\/\/|bot\b|spider|crawl|agent\b)).*(?:midp-\d|\bmaui\b|wap[- _]browser|\bup\.browser\/|\bnetfront\/)/,
  /^(?!.*(?::\/\/|bot\b|spider|crawl)).*(?:smart-?tv|google ?tv|\bhbbtv\/|opera tv store|^opera\/9\.80, )/,
  // UC Browser's own short form, OnePlus's apps, and the bare model of an Apple device.
  /^(?:pf|dv)\([^ ]*ucbrowser/,
  /^\d\.\d\.\d \(linux; u; android [\d.]+; oneplus /,
  /^i(?:phone|pad|pod)[\w,]*$/,
]);

/** Words of browsers and devices in which the list sees a bot; they are removed before it is asked a second time. */
const innocent = [
  // Alipay and others write lists such as the size of the screen, 375|667|3.0.
  /(?<=[\w.])\|(?=[\w.])/g,
  // Instagram and Facebook name the device a second time.
  /\bandroid \(\d[^()]*\)|\bfbdv\/[^;\]]*/gi,
  // Sogou makes browsers for phones and computers; its crawlers call themselves spiders too.
  /sogou/gi,
  // WeChat names the process that shows the page.
  /\bprocess\/tools\w*/gi,
  // Opera for televisions names a component; Radar is a phone with Windows.
  /\.catcher[\d.]+/gi,
  /\bhtc; radar\b/gi,
  // Systems and models with version 1.0, in the place of the device.
  /\b(?:webos|bada|ce-html|rex|gt-[\w-]+)\/1\.0;/gi,
  // Additions to Internet Explorer that other programs installed.
  /\bchromeframe\/|\bqqdownload\b/gi,
  // Programs with a browser in them, which name its maker's site, or themselves like a domain.
  /\bgoogle earth\/|\bembedded web browser from: http:\/\/bsalsa\.com\/|\[air\.com\.[\w.]+\/[\d.]+\]/gi,
];

/** What an Android browser sends in parentheses: the system's version, then language, model and build. */
const androidDevice = /\(((?:linux|android)[^()]*\bandroid[^;()]*;)([^()]*(?:\([^()]*\)[^()]*)*)\)/gi;
/** A bot in that place says so: it is compatible with something, or gives an address or a version. */
const namesBot = /compatible|:\/\/|www\.|@|-google\/|(?:bot|spider|crawler)\/\d/i;

/**
 * True for the user agent of a program: a crawler, a link preview, a tool, an assistant. The package's list decides, with
 * corrections. It searches for words such as "bot" anywhere, so it is asked without the parts that a maker names freely:
 * CUBOT and "Discovery" are phones.
 */
export function isProgram(userAgent: string): boolean {
  if (program.test(userAgent)) return true;
  if (!isbot(userAgent) || person.test(userAgent)) return false;
  const rest = withoutNames(userAgent);
  return rest === userAgent || isbot(rest);
}

function withoutNames(userAgent: string): string {
  let rest = userAgent.replace(androidDevice, (whole, system: string, device: string) =>
    namesBot.test(device) ? whole : `(${system} K)`,
  );
  for (const word of innocent) rest = rest.replace(word, "");
  return rest;
}
