import { scryptSync } from "node:crypto";

/** A link password's hash of a lower cost than today's: weaker, and six times quicker to check. */
export function weakHash(password: string): string {
  const made = known.get(password) ?? hash(password);
  known.set(password, made);
  return made;
}

const known = new Map<string, string>();

function hash(password: string): string {
  const salt = Buffer.alloc(16, password);
  const key = scryptSync(password.normalize("NFC"), salt, 32, { N: 2 ** 14, r: 8, p: 1 });
  return `$scrypt$ln=14,r=8,p=1$${base64(salt)}$${base64(key)}`;
}

const base64 = (bytes: Buffer) => bytes.toString("base64").replace(/=+$/, "");
