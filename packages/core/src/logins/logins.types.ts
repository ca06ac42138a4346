import type { Account } from "../kernel/context.ts";

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
}

export interface LoginLink {
  /** The token in the link; only its hash is stored */
  token: string;
  expires_at: string;
}

/** Ways to sign in. Each returns the account; create a session for it with `sessions.create`. */
export interface Logins {
  /**
   * The account of this identity, else the account with its e-mail address if both sides have verified that, else a new
   * account on the Free plan. 400 if the identity is invalid, 403 without an address or with the owner's, 409 if the address
   * belongs to an account that must not be joined.
   */
  signIn(identity: Identity): Promise<Account>;
  /** Creates a sign-in link for an account, valid once within 15 minutes. */
  issueLink(accountId: string): Promise<LoginLink>;
  /** Redeems a link; null if it was used, has expired or never existed. */
  redeemLink(token: string): Promise<Account | null>;
}
