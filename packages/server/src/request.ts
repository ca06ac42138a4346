import type { Client } from "./client-address.ts";

/** Returns the token of an Authorization header (RFC 6750 section 2.1), or null if the header has another form. */
export function bearerToken(authorization: string): string | null {
  return /^Bearer +(\S+) *$/i.exec(authorization)?.[1] ?? null;
}

/** Whether a Content-Type is that of a submitted HTML form. */
export function isForm(contentType: string | undefined): boolean {
  const [type = ""] = (contentType ?? "").split(";");
  return type.trim().toLowerCase() === "application/x-www-form-urlencoded";
}

/** Whether browsers connect over https, so cookies can be Secure: by our public URL, or as a trusted proxy reports. */
export const isSecure = ({ client }: { client: Client }, publicUrl: string): boolean =>
  publicUrl.startsWith("https:") || client.protocol === "https";
