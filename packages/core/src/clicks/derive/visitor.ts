import { hash } from "node:crypto";
import { parseAddress } from "../../kernel/addresses.ts";
import { maxLength } from "../../kernel/memo.ts";

/** Salts as text: many clicks have the same one. */
const keys = new WeakMap<Uint8Array, string>();

function keyOf(salt: Uint8Array): string {
  let key = keys.get(salt);
  if (key === undefined) {
    key = Buffer.from(salt.buffer, salt.byteOffset, salt.byteLength).toString("base64");
    keys.set(salt, key);
  }
  return key;
}

/**
 * Identifies a visitor by 8 bytes, each a character up to U+00FF, that are meaningless without `salt` (32 secret random bytes,
 * deleted after their day): SHA-256 of salt and visitor, cut to a quarter. A truncated hash cannot be extended, so a secret prefix
 * is as good a key as HMAC's (Coron et al., Merkle-Damgård Revisited, 2005), in a third of the time.
 */
export function visitorHash(salt: Uint8Array, address: string, userAgent: string): string {
  const key = keyOf(salt);
  const visitor = `${key}\0${networkOf(address)}\0${userAgent.slice(0, maxLength)}`;
  // Twice as fast as asking for a buffer.
  return hash("sha256", visitor, "binary").slice(0, 8);
}

/**
 * Returns an IPv4 address itself, and the /64 of an IPv6 address: devices change the rest at least daily (RFC 8981) and
 * would count as several visitors; a /64 is one household, much like an IPv4 address.
 */
function networkOf(address: string): string {
  const parsed = parseAddress(address);
  if (parsed === null) return address;
  return typeof parsed === "number" ? String(parsed) : parsed.slice(0, 4).join(":");
}
