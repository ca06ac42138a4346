import { hasLongHost } from "@terse/core";
import * as z from "zod";

const text = (max: number) =>
  z
    .string()
    .trim()
    .min(1)
    .max(max)
    .refine((value) => !/[\p{Cc}\p{Bidi_Control}]/u.test(value) && value.isWellFormed());

/** Schemes that browsers handle themselves, or pass on with another address in them: no app's own (RFC 8252 section 7.1). */
const foreignSchemes = new Set(
  `about blob chrome data edge feed file filesystem firefox ftp googlechrome googlechromes intent jar javascript mailto
   microsoft-edge resource sms tel vbscript view-source ws wss`.split(/\s+/),
);

/** Where an answer goes: `https:`, `http:`, or an app's own scheme and then a slash; nothing in front of the host. */
function isRedirectUri(value: string): boolean {
  if (!URL.canParse(value) || /^[^/]*\/\/[^/?#\\]*@/.test(value)) return false;
  const scheme = new URL(value).protocol.slice(0, -1);
  return !foreignSchemes.has(scheme) && value[scheme.length + 1] === "/";
}

/** The library parses each of them several times, at the cost of its host's length squared. */
const redirectUri = text(2000).refine((value) => !hasLongHost(value) && isRedirectUri(value));

/**
 * The stored part of a client's description of itself, whether it registers (RFC 7591) or is known by a document at its id.
 * The rest is left out: what the client wants to be allowed is in its requests, and pages show no logos of others.
 */
const fields = z.object({
  client_id: z.string().max(2000).optional(),
  client_name: text(100).optional(),
  redirect_uris: z.array(redirectUri).min(1).max(20),
  grant_types: z.array(z.string()).optional(),
  token_endpoint_auth_method: z.string().optional(),
  client_secret: z.string().optional(),
});

const grantTypes = ["authorization_code", "refresh_token"];

/** Throws an Error whose message names the field that is wrong. */
function parse(description: unknown) {
  const { data, error } = fields.safeParse(description);
  if (data) return data;
  throw new Error(`${error.issues[0]?.path.join(".") || "The description"} is missing or not valid`);
}

/**
 * The description of a client that registers itself. It gets no secret, whatever it requested (RFC 7591 section 3.2.1).
 */
export function registrationOf(description: unknown) {
  const { client_name, redirect_uris } = parse(description);
  return { client_name, redirect_uris, grant_types: grantTypes, token_endpoint_auth_method: "none" };
}

/** The description in a document at the client's id; the library refuses it if it has a secret or another id. */
export function documentOf(description: unknown) {
  const { grant_types, ...kept } = parse(description);
  return { ...kept, grant_types: grant_types?.filter((type) => grantTypes.includes(type)) ?? grantTypes };
}
