import { execFileSync } from "node:child_process";
import { chmodSync, chownSync } from "node:fs";
import { join } from "node:path";

/** Makes a certificate for localhost that signs itself, and its key, which belongs to `owner` if that is given. */
export function makeCertificate(folder: string, owner?: { uid: number; gid: number }) {
  const [cert, key] = [join(folder, "server.crt"), join(folder, "server.key")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes"];
  execFileSync(
    "openssl",
    ["req", "-x509", ...curve, "-keyout", key, "-out", cert, "-days", "2", ...subject],
    {
      stdio: "ignore",
    },
  );
  chmodSync(key, 0o600);
  if (owner) chownSync(key, owner.uid, owner.gid);
  return { cert, key };
}
