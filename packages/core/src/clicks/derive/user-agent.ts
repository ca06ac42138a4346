import { UAParser } from "ua-parser-js";
import { isProgram } from "./bot.ts";
import { type ClientHints, readHints } from "./client-hints.ts";
import { type Device, deviceOf } from "./device.ts";
import { maxLength } from "../../kernel/memo.ts";
import { browserName, systemName } from "./names.ts";

/** What a user agent says; null where it says nothing. All three are null for a bot, since bots claim anything. */
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
