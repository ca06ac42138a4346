import * as z from "zod";
import { emailAddress } from "../users/index.ts";

/** Longest name of an account. */
const maxName = 100;

/** What a provider says of somebody. Providers are not ours: what they say is checked like any other input. */
export const identityInput = z.object({
  provider: z.string(),
  issuer: z.string().min(1).max(1000),
  // "It MUST NOT exceed 255 ASCII characters in length" (OpenID Connect Core 1.0, section 2).
  subject: z.string().regex(/^[\x20-\x7E]{1,255}$/, "must be 1 to 255 ASCII characters"),
  email: emailAddress.nullable(),
  email_verified: z.boolean(),
  name: z.string().nullable(),
});

export type CheckedIdentity = z.infer<typeof identityInput>;

/** A name for an account: the provider's as far as it can be shown on one line, else the part before the @. */
export function nameFrom(name: string | null, email: string): string {
  const line = (name ?? "").replaceAll(/[\u0000-\u001F\u007F]+/g, " ").trim();
  return line.slice(0, maxName).toWellFormed() || (email.split("@")[0] as string).slice(0, maxName);
}
