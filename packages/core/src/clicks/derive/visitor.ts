import { hash } from "node:crypto";
import { parseAddress } from "../../kernel/addresses.ts";
import { maxLength } from "./memo.ts";

/**
 * Who clicked, as 16 bytes that mean nothing without `salt` (32 random bytes, kept secret and thrown away with their
 * day). The hash is SHA-256 of salt and visitor, cut in half: with the half that is missing it cannot be extended, so
 * a secret prefix is as good a key as HMAC's (Coron et al., Merkle-Damgård Revisited, 2005), at a third of the time.
 */
export function visitorHash(salt: Uint8Array, address: string, userAgent: string): Buffer {
  const key = Buffer.from(salt.buffer, salt.byteOffset, salt.byteLength).toString("base64");
  const visitor = `${key}\0${networkOf(address)}\0${userAgent.slice(0, maxLength)}`;
  // By way of text, as that is twice as fast as asking for a buffer.
  return Buffer.from(hash("sha256", visitor, "hex").slice(0, 32), "hex");
}

/**
 * An IPv4 address itself, of an IPv6 address the /64: a device changes the rest at least daily (RFC 8981) and would
 * be several visitors, and a /64 is a household, much as an IPv4 address is.
 */
function networkOf(address: string): string {
  const parsed = parseAddress(address);
  if (parsed === null) return address;
  return typeof parsed === "number" ? String(parsed) : parsed.slice(0, 4).join(":");
}
