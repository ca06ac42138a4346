import * as z from "zod";
import { hasLongHost, hostnameOf, maxHostLength, parseUrl, type ShortHost } from "../kernel/host-names.ts";
import { withHttps } from "@terse/importers/text";

/** The rules for destination URLs, used wherever a URL is accepted. */

export const maxDestinationLength = 8000;

type DestinationResult = { ok: true; url: string } | { ok: false; reason: string };

const longHost = `must have a host name of at most ${maxHostLength} characters`;

// Spaces around a URL come from copy and paste and are trimmed; control characters inside it are an attack.
const control = /[\u0000-\u001F\u007F]/;

/**
 * Parses a destination with the WHATWG URL parser (https://url.spec.whatwg.org). `url` is what is stored and sent in
 * the Location header: absolute, http or https, ASCII, at most 8,000 characters. Loops back to a short-link host are
 * found in domains/redirect-loops.ts, since only domains know these hosts.
 */
export function parseDestination(raw: string): DestinationResult {
  const text = raw.trim();
  const refuse = (reason: string): DestinationResult => ({ ok: false, reason });
  if (control.test(text)) return refuse("must not contain control characters");
  if (text.length > maxDestinationLength)
    return refuse(`must have at most ${maxDestinationLength} characters`);
  if (!/^https?:\/\//i.test(text)) {
    const fixed = withHttps(text);
    const example = fixed === null ? "" : `, such as ${fixed.slice(0, 100)}`;
    return refuse(`must be an absolute http:// or https:// URL${example}`);
  }
  if (/^https?:[\\/]+https?(?::|[\\/]{2})/i.test(text)) return refuse("must have its scheme once, not twice");
  const parsed = parseUrl(text);
  if (hasLongHost(parsed?.href ?? text)) return refuse(longHost);
  if (!parsed || !parsed.hostname) return refuse(reasonAgainst(text));
  if (/^\.|\.\.|^$/.test(parsed.hostname))
    return refuse("must have a host without empty parts between its dots");
  if (parsed.username || parsed.password) return refuse("must not contain a user name or password");
  if (parsed.href.length > maxDestinationLength) {
    return refuse(`must have at most ${maxDestinationLength} characters once it is percent-encoded`);
  }
  return { ok: true, url: parsed.href };
}

/** Says why the parser refuses a URL that begins with http:// or https://. */
function reasonAgainst(text: string): string {
  const [, host = "", port = ""] =
    /^https?:[\\/]*(?:[^@/?#\\]*@)?([^:/?#\\]*)(?::([^/?#\\]*))?/i.exec(text) ?? [];
  if (host === "") return "must have a host, such as example.com";
  if (!host.isWellFormed()) return "must not have half a character (a lone surrogate) in its host";
  if (/\s/.test(host)) return "must not have a space in its host";
  if (/(?:^|\.)(?:\d+|0x[\da-f]*)\.?$/i.test(host))
    return "must not have a host that ends in a number, unless it is an IPv4 address";
  if (!host.startsWith("[") && !(/^\d*$/.test(port) && Number(port) < 65_536))
    return "must have a port that is a number up to 65535";
  return "is not a valid URL";
}

export const urlInput = z
  .string()
  .meta({
    maxLength: maxDestinationLength,
    description: "Absolute http or https URL",
    examples: ["https://example.com/"],
  })
  .transform((raw, ctx) => {
    const result = parseDestination(raw);
    if (result.ok) return result.url;
    ctx.addIssue({ code: "custom", message: result.reason });
    return z.NEVER;
  });

/** The address of a service that has a short URL for each slug below it; stored without a slash at the end. */
export const importFromInput = urlInput
  .refine((url) => !/[?#]/.test(url), "must have no query and no fragment")
  .transform((url) => url.replace(/\/+$/, ""));

/** What makes a destination a loop, as far as it needs no ORM; domains/redirect-loops.ts has the rest. */

/**
 * SQL that is true if a destination on this row of `domains` is a loop: any verified domain, and the account's own with
 * any status, even deleted while it has links, because it may be verified again.
 */
const isLoop = (account: string) => `(status = 'verified' or account_id = ${account}
  and (deleted_at is null or exists (select from links where domain_id = domains.id)))`;

/** SQL that selects those of `hosts` that are short-link hosts; both arguments are placeholders, a text[] and an account's id. */
export const loopsAmong = (hosts: string, account: string) =>
  `select domain from domains where domain = any(${hosts}) and ${isLoop(account)}`;

/** SQL that is true if none of `hosts` is a short-link host. */
export const noLoop = (hosts: string, account: string) => `not exists (${loopsAmong(hosts, account)})`;

/** If the short-link host has its own port, as in a local run, other ports of that machine are not a loop. */
export function isOwnHost({ shortHost }: { shortHost: ShortHost }, url: URL): boolean {
  return hostnameOf(url) === shortHost.hostname && (shortHost.port === "" || url.port === shortHost.port);
}
