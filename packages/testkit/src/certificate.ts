import { chownSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { generate } from "selfsigned";

/** Makes a certificate for a host that signs itself, and its key, which belongs to `owner` if that is given. */
export async function makeCertificate(
  folder: string,
  owner?: { uid: number; gid: number },
  host = "localhost",
) {
  const [cert, key] = [join(folder, "server.crt"), join(folder, "server.key")];
  const made = await generate([{ name: "commonName", value: host }], {
    keyType: "ec",
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "subjectAltName", altNames: [{ type: 2, value: host }] },
    ],
  });
  writeFileSync(cert, made.cert);
  writeFileSync(key, made.private, { mode: 0o600 });
  if (owner) chownSync(key, owner.uid, owner.gid);
  return { cert, key };
}
