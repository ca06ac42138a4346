import { isIP } from "node:net";
import {
  clickHouseUrlProblem,
  databaseUrlProblem,
  emailAddress,
  emailToAscii,
  oneOf,
  parseSender,
  smtpUrlProblem,
  streamUrlProblem,
} from "@terse/core/redirect";
import { z } from "zod";
import { parseEndpoint, parseNetwork } from "../network.ts";

/** A whole number in digits, from `min` to `max`. */
export const integer = (min: number, max: number) =>
  z
    .string()
    .refine((text) => /^\d{1,15}$/.test(text) && Number(text) >= min && Number(text) <= max, {
      error: `must be a whole number from ${min} to ${max}`,
    })
    .transform(Number);

export const port = integer(0, 65_535);
export const rate = integer(1, 1_000_000_000);
export const workers = integer(0, 256);
export const days = integer(1, 36_500);
export const secondsOfADay = integer(0, 86_400);

/** Text that matches a pattern; `expected` completes "must be …". */
export const matching = (pattern: RegExp, expected: string) =>
  z.string().regex(pattern, { error: `must be ${expected}` });

/** A PostgreSQL URL in libpq's form, which may name several hosts. */
export const databaseUrl = (role: "primary" | "replica") =>
  matching(/^postgres(ql)?:\/\/\S+$/i, "a postgres:// or postgresql:// URL").superRefine((url, context) => {
    const problem = databaseUrlProblem(url, role);
    if (problem !== null) context.addIssue(problem);
  });

/** URL of a click stream. */
export const streamUrl = z.string().superRefine((text, context) => {
  const problem = streamUrlProblem(text);
  if (problem !== null) context.addIssue(problem);
});

/** URL of a mail server. */
export const smtpUrl = z.string().superRefine((text, context) => {
  const problem = smtpUrlProblem(text);
  if (problem !== null) context.addIssue(problem);
});

/** An address, or a name with an address. */
export const mailSender = z
  .string()
  .refine(
    (text) => parseSender(text) !== null,
    "must be an address, or a name and an address: Terse <terse@example.com>",
  );

/** URL of a ClickHouse server and database. */
export const clickHouseUrl = z.string().superRefine((text, context) => {
  const problem = clickHouseUrlProblem(text);
  if (problem !== null) context.addIssue(problem);
});

/** An absolute http(s) URL without path, query, fragment or credentials; returns its origin, as `URL` spells it. */
export const origin = z.string().transform((text, context) => {
  const url = URL.parse(text);
  const bare = url && /^https?:$/.test(url.protocol) && url.pathname === "/" && !/[?#@\s]/.test(text);
  if (bare) return url.origin;
  context.addIssue("must be an absolute http or https URL without path, query or credentials");
  return z.NEVER;
});

/** An absolute http(s) URL without credentials, query or fragment. */
export const collectorUrl = z.string().refine(
  (text) => {
    const url = URL.parse(text);
    return url !== null && /^https?:$/.test(url.protocol) && !/[?#@\s]/.test(text);
  },
  { error: "must be an http or https URL without query or credentials" },
);

/** An absolute http(s) URL without credentials, as `URL` spells it. */
export const webAddress = z.string().transform((text, context) => {
  const url = /^https?:\/\/[^\s@]+$/i.test(text) ? URL.parse(text) : null;
  if (url) return url.href;
  context.addIssue("must be an absolute http or https URL without credentials");
  return z.NEVER;
});

/** A share, from 0 to 1. */
export const share = z
  .string()
  .refine((text) => /^(?:0(?:\.\d{1,15})?|1(?:\.0{1,15})?)$/.test(text), {
    error: "must be a number from 0 to 1, such as 0.05",
  })
  .transform(Number);

/** Comma-separated items, trimmed; every item is converted by `read`, which returns null for an invalid one. */
export const list = <T>(read: (item: string) => T | null, expected: string) =>
  z.string().transform((text, context) => {
    const items = text.split(",").map((item) => item.trim());
    return items.flatMap((item) => {
      const value = read(item);
      if (value !== null) return [value];
      context.addIssue(`${JSON.stringify(item.slice(0, 60))} must be ${expected}`);
      return [];
    });
  });

export const networks = list(
  (item) => (parseNetwork(item) ? item : null),
  "an address or CIDR block such as 10.0.0.0/8 or fd00::/8",
);

const endpoint = "an address with an optional port, such as 9.9.9.9 or [2620:fe::fe]:53";
const isEndpoint = (text: string) => parseEndpoint(text) !== null;
export const resolver = z.string().refine(isEndpoint, { error: `must be ${endpoint}` });
export const resolvers = list((item) => (isEndpoint(item) ? item : null), endpoint);
export const addresses = list((item) => (isIP(item) ? item : null), "an IP address");
export const paths = list((item) => item || null, "the path of a file");

const hostNamePattern = /^(?=.{1,253}$)[a-z0-9]([a-z0-9-]{0,62})(\.[a-z0-9]([a-z0-9-]{0,62}))*$/i;

export const host = z
  .string()
  .refine((text) => isIP(text) !== 0 || (hostNamePattern.test(text) && !/^[\d.]+$/.test(text)), {
    error: "must be an IP address or host name of this machine",
  });

export const onOff = oneOf(["on", "off"]).transform((text) => text === "on");

const isEmail = (text: string) => z.email().safeParse(text).success;
const domainPattern = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,62})\.)+[a-z0-9-]{2,63}$/i;
const listedPeople = list((item) => {
  const text = emailToAscii(item);
  return emailAddress.safeParse(text).success || domainPattern.test(text) ? text : null;
}, "open, closed, an e-mail address or a domain such as example.com");

/** Who gets an account: everyone, no one, or the listed addresses and domains, in lower case. */
export const signUp = z.string().transform((text, context): "open" | "closed" | string[] => {
  if (text === "open" || text === "closed") return text;
  const { data, error } = listedPeople.safeParse(text);
  for (const { message } of error?.issues ?? []) context.addIssue(message);
  return data ?? z.NEVER;
});

/** An e-mail address or https URL, as a URI. */
export const contact = z.string().transform((text, context) => {
  if (isEmail(text)) return `mailto:${text}`;
  const url = /^https:\/\/[^\s@]+$/i.test(text) ? URL.parse(text) : null;
  if (url) return url.href;
  context.addIssue("must be an e-mail address or an https URL");
  return z.NEVER;
});
