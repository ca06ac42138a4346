import { reason, type Reason } from "../kernel/issues.ts";
import { asRefused, refused } from "../kernel/validation/issues.ts";
import * as z from "zod";
import { hasLongHost, hostnameOf, maxHostLength, parseUrl, type ShortHost } from "../kernel/host-names.ts";
import { withHttps } from "@terse/importers/text";

/** The rules for destination URLs, used wherever a URL is accepted. */

export const maxDestinationLength = 8000;

type DestinationResult = { ok: true; url: string } | { ok: false; reason: Reason };

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
  const refuse = (...said: Parameters<typeof reason>) => ({ ok: false, reason: reason(...said) }) as const;
  const invalidUrl = (why: string, message: string) => refuse("invalid_url", message, { reason: why });
  if (control.test(text)) return refuse("control_characters", "must not contain control characters");
  const max = maxDestinationLength;
  if (text.length > max) return refuse("too_long", `must have at most ${max} characters`, { max });
  if (!/^https?:\/\//i.test(text)) {
    const fixed = withHttps(text);
    const example = fixed?.slice(0, 100);
    const message = `must be an absolute http:// or https:// URL${example === undefined ? "" : `, such as ${example}`}`;
    return refuse("invalid_url", message, { reason: "scheme", ...(example !== undefined && { example }) });
  }
  if (/^https?:[\\/]+https?(?::|[\\/]{2})/i.test(text))
    return invalidUrl("scheme_twice", "must have its scheme once, not twice");
  const parsed = parseUrl(text);
  if (hasLongHost(parsed?.href ?? text))
    return refuse("invalid_url", longHost, { reason: "host_too_long", max: maxHostLength });
  if (!parsed || !parsed.hostname) return invalidUrl(...reasonAgainst(text));
  if (/^\.|\.\.|^$/.test(parsed.hostname))
    return invalidUrl("host_dots", "must have a host without empty parts between its dots");
  if (parsed.username || parsed.password)
    return invalidUrl("credentials", "must not contain a user name or password");
  if (parsed.href.length > max)
    return refuse("too_long", `must have at most ${max} characters once it is percent-encoded`, {
      max,
      unit: "percent-encoded characters",
    });
  return { ok: true, url: parsed.href };
}

/** Says why the parser refuses a URL that begins with http:// or https://. */
function reasonAgainst(text: string): [why: string, message: string] {
  const [, host = "", port = ""] =
    /^https?:[\\/]*(?:[^@/?#\\]*@)?([^:/?#\\]*)(?::([^/?#\\]*))?/i.exec(text) ?? [];
  if (host === "") return ["host_missing", "must have a host, such as example.com"];
  if (!host.isWellFormed())
    return ["half_character", "must not have half a character (a lone surrogate) in its host"];
  if (/\s/.test(host)) return ["host_space", "must not have a space in its host"];
  if (/(?:^|\.)(?:\d+|0x[\da-f]*)\.?$/i.test(host))
    return ["host_number", "must not have a host that ends in a number, unless it is an IPv4 address"];
  if (!host.startsWith("[") && !(/^\d*$/.test(port) && Number(port) < 65_536))
    return ["port", "must have a port that is a number up to 65535"];
  return ["syntax", "is not a valid URL"];
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
    ctx.addIssue(asRefused(result.reason));
    return z.NEVER;
  });

/** The address of a service that has a short URL for each slug below it; stored without a slash at the end. */
export const importFromInput = urlInput
  .refine(
    (url) => !/[?#]/.test(url),
    refused("invalid_url", "must have no query and no fragment", { reason: "query" }),
  )
  .transform((url) => url.replace(/\/+$/, ""));

/** The rules for loops that need no ORM; domains/redirect-loops.ts has the rest. */

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
