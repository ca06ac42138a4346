import * as z from "zod";
import { emailAddress } from "../users/new-user.ts";

/** An identity as a provider reports it, validated like any other input. */
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
