import { type IssueParams, reason, type Reason } from "../kernel/issues.ts";
import { isIP } from "node:net";
import { hostToAscii, isLongHost, publicSuffixes } from "../kernel/host-names.ts";

/** The rules for names of custom domains. */

/** The name of the TXT record that proves who owns a domain. */
export const challengeName = (domain: string) => `_terse-challenge.${domain}`;

/** A DNS name has at most 253 characters (RFC 1035 section 2.3.4), including that of the TXT record. */
export const maxDomainLength = 253 - challengeName("").length;

/** Top-level domains in the Public Suffix List that visitors cannot open: RFC 7686, 3172. */
const reserved = new Set(["arpa", "onion"]);
/** Top-level domains for documentation and tests (RFC 6761), which are in no list. */
const forTests = new Set(["example", "test"]);

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/;

/** Characters that IDNA maps (UTS #46), and no URL delimiters. */
const typed = /^(?:[a-z0-9._-]|[^\u0000-\u007F])+$/i;

/** Normalizes a name: ASCII, lower case, no trailing dot; null if it is not a name. IP addresses stay IP addresses. */
function toAscii(text: string): string | null {
  const name = text.trim();
  return (typed.test(name) && hostToAscii(name).replace(/\.$/, "")) || null;
}

/** Normalizes a name for a look-up. Text that is not a name is returned unchanged, and is not found. */
export const domainName = (text: string): string =>
  toAscii(text) ?? text.trim().toLowerCase().replace(/\.$/, "");

type DomainNameResult = { ok: true; domain: string } | { ok: false; reason: Reason };

/** Mistakes that can be recognised in the entered text, each with its name, and a sentence that says what to leave out. */
const refusals: [RegExp, string, string][] = [
  [/^[a-z][a-z0-9+.-]*:\/\//i, "scheme", "must be a host name alone, without https://"],
  [/[/\\?#]/, "path", "must be a host name alone, without a path"],
  [/[@%\s]/, "syntax", "must be a host name, such as go.example.com"],
  [/:/, "port", "must be a host name alone, without a port"],
  [/\*/, "wildcard", "must be one host name: wildcards are not supported"],
];
const notAddress = "must be a host name, not an IP address";
const tooLong = {
  ok: false,
  reason: reason("too_long", `must have at most ${maxDomainLength} characters`, { max: maxDomainLength }),
} as const;

/** Checks a name that a person entered. The service's `ownHosts` and names below them are refused. */
export function parseDomainName(raw: string, ownHosts: readonly string[]): DomainNameResult {
  const refuse = (why: string, message: string, params?: IssueParams) =>
    ({ ok: false, reason: reason("invalid_domain", message, { reason: why, ...params }) }) as const;
  const text = raw.trim();
  if (isIP(text.replace(/^\[(.*)\]$/, "$1")) !== 0) return refuse("ip_address", notAddress);
  const refusal = refusals.find(([pattern]) => pattern.test(text));
  if (refusal) return refuse(refusal[1], refusal[2]);
  if (isLongHost(text)) return tooLong;
  const domain = toAscii(text);
  if (domain === null)
    return numericEnd.test(text)
      ? refuse("number", "must not end in a number")
      : refuse("syntax", "must be a host name, such as go.example.com");
  if (isIP(domain) !== 0) return refuse("ip_address", notAddress);
  if (domain.length > maxDomainLength) return tooLong;
  const labels = domain.split(".");
  if (!labels.every((each) => label.test(each)))
    return refuse(
      "label",
      'each part between dots must have 1 to 63 letters, digits or "-", and must not begin or end with "-"',
    );
  if (labels.length === 1) return refuse("partial", "must be a full host name, such as go.example.com");
  const top = labels.at(-1) as string;
  if (!isPublic(domain, top))
    return refuse("not_public", `must be a public DNS name; .${top} is not`, { top });
  if (ownHosts.some((own) => domain === own || domain.endsWith(`.${own}`)))
    return refuse("own_host", "must not be one of this service's own hosts");
  if (registrableOf(domain) === null)
    return refuse("public_suffix", `must be a name of your own: anyone can register names under ${domain}`, {
      domain,
    });
  return { ok: true, domain };
}

/** True for a registered name itself, not for one below it: it cannot have a CNAME (RFC 1034, 3.6.2). */
export const isApex = (domain: string): boolean => registrableOf(domain) === domain;

/** A name that ends in a number is an IPv4 address or nothing (URL standard, host parser). */
const numericEnd = /(?:^|\.)(?:\d+|0x[\da-f]*)\.?$/i;

/** By the Public Suffix List: .lan, .corp, .local and .internal are in no list. */
function isPublic(domain: string, top: string): boolean {
  const { isIcann, isPrivate } = publicSuffixes().parse(domain, { allowPrivateDomains: true });
  return (isIcann || isPrivate || forTests.has(top)) && !reserved.has(top);
}

/** By the Public Suffix List, including private suffixes such as github.io; null for a public suffix itself. */
export const registrableOf = (domain: string) =>
  publicSuffixes().parse(domain, { allowPrivateDomains: true }).domain;
