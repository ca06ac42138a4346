import type { AccountDeps } from "../call.ts";
import { OutboundError } from "../../outbound/outbound-error.ts";

const maxBytes = 16 * 1024;
const timeoutMs = 3000;

/**
 * Reads the document at a client's id (draft-ietf-oauth-client-id-metadata-document). Anyone can make the service ask for
 * one, so it goes through `outbound`. Throws an Error whose message says what is wrong, for the log.
 */
export async function readClientDocument(
  { outbound, baseUrl }: Pick<AccountDeps, "outbound" | "baseUrl">,
  url: URL,
): Promise<unknown> {
  if (url.protocol !== "https:") throw new Error("The address is not https");
  const { status, contentType, body } = await outbound
    .send(url, {
      method: "GET",
      headers: { accept: "application/json", "user-agent": `Terse (+${baseUrl})` },
      maxBytes: maxBytes + 1,
      timeoutMs,
    })
    .catch((error: unknown) => {
      throw error instanceof OutboundError ? new Error(error.message, { cause: error }) : error;
    });
  // Redirects are answers like any other: they are not followed.
  if (status !== 200) throw new Error(`The host answered ${status}`);
  const [type = ""] = (contentType ?? "").split(";");
  if (type.trim().toLowerCase() !== "application/json")
    throw new Error("The document is not application/json");
  if (Buffer.byteLength(body) > maxBytes) throw new Error(`The document has more than ${maxBytes} bytes`);
  try {
    return JSON.parse(body);
  } catch {
    throw new Error("The document is no JSON");
  }
}
