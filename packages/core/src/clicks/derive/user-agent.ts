import { isbot } from "isbot";
import { UAParser } from "ua-parser-js";
import { maxLength } from "./memo.ts";
import { browserName, systemName } from "./names.ts";

/** What the visitor holds; "other" is a television, console, watch, headset, car … */
export type Device = "desktop" | "mobile" | "tablet" | "other";

/** What a user agent tells; each part is null where it does not, and all are for a bot, whose word is worth nothing. */
export interface Agent {
  device: Device | null;
  /** A name without version, such as "Chrome" or "Samsung Internet". */
  browser: string | null;
  /** A name without version: "Windows", "macOS", "iOS" (iPadOS too), "Android", "Linux", "Chrome OS" … */
  os: string | null;
  bot: boolean;
}

const BOT: Agent = { device: null, browser: null, os: null, bot: true };
const desktops = new Set(["Windows", "macOS", "Linux", "Chrome OS", "FreeBSD", "OpenBSD", "NetBSD"]);
/** System and device stand at the start, apps name themselves at the end. */
const systemLength = 256;
/**
 * Asked first, instead of the two expressions of the parser that hostile text makes cost the fourth power of its length:
 * who has such a word is told by it alone. An Archos is a phone or a tablet by Android's own rule. All other expressions
 * cost the third power at most, and that of so few places that none takes more than some milliseconds: the package
 * `recheck` tells, to be asked again when the parser's version is raised.
 */
const parser = new UAParser("", {
  browser: [[/(naver)\(/i], ["name"]],
  device: [[/(archos)/i], ["vendor"]],
});

/**
 * Reads a user agent, of which 512 characters count, in some 20 µs; a hostile one in some milliseconds. One that says
 * nothing is a bot's: every browser sends one. An iPad asks for desktop sites as a Mac does, letter for letter, and is
 * taken for one.
 */
export function parseAgent(text: string): Agent {
  const userAgent = text.slice(0, maxLength);
  if (userAgent.trim() === "" || isbot(userAgent)) return BOT;
  parser.setUA(userAgent);
  const browser = browserName(parser.getBrowser().name);
  parser.setUA(userAgent.slice(0, systemLength));
  const os = systemName(parser.getOS().name);
  return { device: deviceOf(parser.getDevice().type, os, userAgent), browser, os, bot: false };
}

function deviceOf(type: string | undefined, os: string | null, userAgent: string): Device | null {
  if (type === "mobile" || type === "tablet") return type;
  if (type !== undefined) return "other";
  if (os === null) return null;
  if (desktops.has(os)) return "desktop";
  if (os === "iOS") return "mobile";
  // A phone's browser says Mobile, a tablet's does not, by Android's own rule; Opera Mini is older than that.
  if (os === "Android" || os === "HarmonyOS")
    return /mobile|opera mini/i.test(userAgent) ? "mobile" : "tablet";
  return "other";
}
