import { type IssueParams, reason, type Reason } from "./issues.ts";
import { parseUrl } from "./host-names.ts";

/** The rules for contacts: mailto: and tel: URLs, which a bucket's page links to directly. */

export const maxContactLength = 2000;

export type ContactResult = { ok: true; url: string } | { ok: false; reason: Reason };

/** True if a stored URL is a contact. It has no short URL, and following it cannot be counted. */
export const isContact = (url: string): boolean => /^(?:mailto|tel):/i.test(url.trimStart());

const control = /[\u0000-\u001F\u007F]/;
const refuse = (why: string, message: string, params?: IssueParams): ContactResult => ({
  ok: false,
  reason: reason("invalid_url", message, { reason: why, ...params }),
});
const hasControls = {
  ok: false,
  reason: reason("control_characters", "must not contain control characters"),
} as const;
const tooLong = {
  ok: false,
  reason: reason("too_long", `must have at most ${maxContactLength} characters`, { max: maxContactLength }),
} as const;

/** Parses a mailto: (RFC 6068) or tel: (RFC 3966) URL. `url` is what is stored and shown. */
export function parseContact(raw: string): ContactResult {
  const text = raw.trim();
  if (control.test(text)) return hasControls;
  if (text.length > maxContactLength) return tooLong;
  const [, scheme = "", address = ""] = /^(\w+):(.*)$/.exec(text) ?? [];
  return scheme.toLowerCase() === "tel" ? parseNumber(address) : parseMail(address);
}

/** A number in international or local form, with an optional extension; what separates its digits is left out. */
function parseNumber(text: string): ContactResult {
  const number = (decoded(text) ?? "").replaceAll(/[\s().\-/]/g, "");
  return /^\+?\d{2,15}(?:;ext=\d{1,7})?$/i.test(number)
    ? { ok: true, url: `tel:${number.toLowerCase()}` }
    : refuse("phone", "must be a telephone number after tel:, such as tel:+493012345");
}

/** Characters of an address that need no quotes (RFC 5322 section 3.2.3). */
const localPart = /^[\w!#$%&'*+./=?^`{|}~-]{1,64}$/;
/** RFC 6068 section 4 lists the fields that are safe: programs may refuse others, and they would surprise the sender. */
const mailFields: ReadonlySet<string> = new Set(["subject", "body"]);
const badAddress = "must have one e-mail address after mailto:, such as mailto:ada@example.com";

function parseMail(text: string): ContactResult {
  const [, address = "", query = ""] = /^([^?]*)(?:\?(.*))?$/.exec(text) ?? [];
  const [, local = "", domain = ""] = /^(.*)@([^@]*)$/.exec(decoded(address) ?? "") ?? [];
  const host = /[/?#:\\\s]/.test(domain) || domain === "" ? null : parseUrl(`https://${domain}/`)?.hostname;
  if (!localPart.test(local) || !host?.includes(".") || host.startsWith("["))
    return refuse("mail_address", badAddress);
  const fields = new Map<string, string>();
  for (const field of query === "" ? [] : query.split("&")) {
    const [name = "", ...values] = field.split("=");
    const key = name.toLowerCase();
    const value = decoded(values.join("="));
    if (!mailFields.has(key))
      return refuse("mail_fields", "may have only a subject and a body after its address");
    if (value === null) return refuse("encoding", "is not percent-encoded correctly");
    if (fields.has(key)) return refuse("mail_field_twice", `must have one ${key}`, { field: key });
    if (control.test(key === "body" ? value.replaceAll(/[\r\n]/g, "") : value)) return hasControls;
    fields.set(key, value);
  }
  const written = [...fields].map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join("&");
  const mailbox = encodeURIComponent(local).replaceAll("%2B", "+");
  return { ok: true, url: `mailto:${mailbox}@${host}${written && `?${written}`}` };
}

/** Null if the text is not percent-encoded UTF-8. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
