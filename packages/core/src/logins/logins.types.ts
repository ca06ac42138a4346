import type { Account } from "../kernel/context.ts";

/** What a login provider says of somebody whom it has authenticated. */
export interface Identity {
  /** The provider's name in the settings */
  provider: string;
  /** Who vouches for the subject: the ID token's `iss`, or what stands for it where there is none */
  issuer: string;
  /** What the issuer calls this person, for ever and nobody else */
  subject: string;
  email: string | null;
  /** True only where the provider itself says so: it decides whether the address is proof of anything */
  email_verified: boolean;
  name: string | null;
}

export interface LoginLink {
  /** What the link carries; known only now, since only its hash is stored */
  token: string;
  expires_at: string;
}

/** Ways to become signed in. Each gives the account; `sessions.create` follows. */
export interface Logins {
  /**
   * The account that knows this identity, else the one with its e-mail address where both sides vouch for that, else a
   * new one of plan Free. 400 where what the provider says cannot be stored, 403 without an address, 409 where the
   * address belongs to an account that must not be joined.
   */
  signIn(identity: Identity): Promise<Account>;
  /** Makes a sign-in link for an account, good for one use within 15 minutes. */
  issueLink(accountId: string): Promise<LoginLink>;
  /** Uses a link up; null where it was used, has expired or never was. */
  redeemLink(token: string): Promise<Account | null>;
}
