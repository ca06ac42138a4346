import type { Account, Source } from "../../kernel/context.ts";

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

/** Ways to sign in. Each returns the account; create a session for it with `sessions.create`. */
export interface Logins {
  /**
   * The account of this identity, else the account with its e-mail address if both sides have verified that, else a new
   * account, if the policy allows that, which takes a verified address over from an account that never proved it. 400 if the
   * identity is invalid; 403 without an address, with the owner's, if the policy allows no account or if it is suspended; 409
   * if the address is not verified and belongs to an account.
   */
  signIn(identity: Identity, source?: Source): Promise<Account>;
  /** Creates a sign-in link for an account, valid once within `minutes`, by default 15. */
  issueLink(accountId: string, minutes?: number): Promise<LoginLink>;
  /** Redeems a link; null if it was used, has expired or never existed; 403 if the account is suspended. */
  redeemLink(token: string, source?: Source): Promise<Account | null>;
  /** The identities of an account, oldest first. For operators. */
  identities(accountId: string): Promise<StoredIdentity[]>;
  /** Removes an identity of any account, whose next sign-in is a first one; false if there is none. For operators. */
  unlink(identityId: string): Promise<boolean>;
}
