import * as z from "zod";
import type { PersonalAccount, Source } from "../../kernel/context.ts";
import { emailAddress, named, textLike, timestamp } from "../../kernel/validation/strings.ts";

/** An identity as a provider reports it, validated like any other input. */
export const identityInput = z.object({
  provider: z.string(),
  issuer: z.string().min(1).max(1000),
  // "It MUST NOT exceed 255 ASCII characters in length" (OpenID Connect Core 1.0, section 2).
  subject: textLike(/^[\x20-\x7E]{1,255}$/, "ascii", "must be 1 to 255 ASCII characters"),
  email: emailAddress.nullable(),
  email_verified: z.boolean(),
  name: z.string().nullable(),
  groups: z.array(z.string()).optional(),
});

export type CheckedIdentity = z.infer<typeof identityInput>;

const fields = z.object({
  id: z.string(),
  provider: z.string().describe("The provider's name in the service's settings"),
  issuer: z.string().describe("The provider's issuer, such as https://accounts.google.com"),
  created_at: timestamp,
});

/** A way to sign in to an account: a person at a provider. */
export interface LinkedIdentity extends z.infer<typeof fields> {}
export const identitySchema = named<LinkedIdentity>("Identity", fields);

/** A person whom a login provider has authenticated. */
export interface Identity {
  /** The provider's name in the settings */
  provider: string;
  /** Issuer of the subject: the ID token's `iss`, or a fixed URL for providers without one */
  issuer: string;
  /** Permanent and unique id of the person at the issuer */
  subject: string;
  email: string | null;
  /** True only if the provider says so; only a verified address joins an existing account */
  email_verified: boolean;
  name: string | null;
  /** Names of the person's groups at the provider; absent if they are unknown now, so that nothing changes */
  groups?: readonly string[] | undefined;
}

/** An identity that may sign in to an account. */
export interface StoredIdentity extends Pick<Identity, "provider" | "issuer" | "subject"> {
  id: string;
  created_at: string;
}

export interface LoginLink {
  /** The token in the link; only its hash is stored */
  token: string;
  expires_at: string;
}

/** Where a sign-in by e-mail ended. */
export interface EmailSignIn {
  account: PersonalAccount;
  /** The path that the request named */
  returnTo: string;
}

/** Who signs in by e-mail: for the account's activity, and for limits the address or network. */
export interface Visitor {
  source: Source;
  client: string;
}

/** Signing in with a code or a link that is sent by e-mail. Every address is answered alike. */
export interface EmailSignIns {
  /** Whether a mail server is set; without one, no mail would arrive */
  readonly isSet: boolean;
  /**
   * Sends a link and a code, valid for ten minutes, unless the address has no account and the policy allows none. `browser` is a
   * secret for a cookie: the code only works with it. 400 if it is no address, 429 beyond the limits.
   */
  request(
    given: { email: string },
    options: Visitor & { returnTo: string; language: string | null },
  ): Promise<{ browser: string; expires_at: string }>;
  /** The address of a link that is still valid, or null. */
  addressOf(token: string): Promise<string | null>;
  /** Signs in with a link. 403 if it was used, has expired or never existed, and as for `signIn`. */
  redeemToken(token: string, visitor: Visitor): Promise<EmailSignIn>;
  /** Signs in with a code; five tries. 403 as above. */
  redeemCode(given: { email: string; code: string; browser: string }, visitor: Visitor): Promise<EmailSignIn>;
}

/** Ways to sign in. Each returns the account; create a session for it with `sessions.create`. */
export interface Logins {
  /**
   * The account of this identity, else the account with its e-mail address if both sides have verified that, else a new
   * account, if the policy allows that, which takes a verified address over from an account that never proved it. 400 if the
   * identity is invalid; 403 without an address, with the owner's, if the policy allows no account or if it is suspended; 409
   * if the address is not verified and belongs to an account.
   */
  signIn(identity: Identity, source?: Source): Promise<PersonalAccount>;
  readonly email: EmailSignIns;
  /** Creates a sign-in link for an account, valid once within `minutes`, by default 15. */
  issueLink(accountId: string, minutes?: number): Promise<LoginLink>;
  /** Redeems a link; null if it was used, has expired or never existed; 403 if the account is suspended. */
  redeemLink(token: string, source?: Source): Promise<PersonalAccount | null>;
  /** The identities of an account, oldest first. For operators. */
  identities(accountId: string): Promise<StoredIdentity[]>;
  /**
   * Removes an identity of any account; its next sign-in counts as its first. False if there is none. For operators.
   */
  unlink(identityId: string): Promise<boolean>;
}
