import { hash } from "node:crypto";
import { parseAddress } from "../../kernel/addresses.ts";
import { maxLength } from "../../kernel/memo.ts";

/**
 * Identifies a visitor by 16 bytes that are meaningless without `salt` (32 secret random bytes, deleted after their day):
 * SHA-256 of salt and visitor, cut in half. A truncated hash cannot be extended, so a secret prefix is as good a key as
 * HMAC's (Coron et al., Merkle-Damgård Revisited, 2005), in a third of the time.
 */
export function visitorHash(salt: Uint8Array, address: string, userAgent: string): Buffer {
  const key = Buffer.from(salt.buffer, salt.byteOffset, salt.byteLength).toString("base64");
  const visitor = `${key}\0${networkOf(address)}\0${userAgent.slice(0, maxLength)}`;
  // Hex and back is twice as fast as asking for a buffer.
  return Buffer.from(hash("sha256", visitor, "hex").slice(0, 32), "hex");
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
