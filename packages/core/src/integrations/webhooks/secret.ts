import { createHmac } from "node:crypto";

/** Signatures of the Standard Webhooks specification (https://www.standardwebhooks.com), symmetric. */

/** Length of a new secret, in bytes */
export const secretBytes = 32;

/** The form in which owners get a secret. */
export const secretText = (secret: Uint8Array): string => `whsec_${Buffer.from(secret).toString("base64")}`;

/** The signed content of a message. */
interface Message {
  id: string;
  /** Seconds since the epoch */
  timestamp: number;
  body: string;
}

/** The webhook-signature header: one signature for each secret that is valid now. */
export const signatureOf = ({ id, timestamp, body }: Message, secrets: readonly Uint8Array[]): string =>
  secrets
    .map((secret) => createHmac("sha256", secret).update(`${id}.${timestamp}.${body}`).digest("base64"))
    .map((signature) => `v1,${signature}`)
    .join(" ");
