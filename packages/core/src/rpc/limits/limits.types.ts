import type { RateLimitState } from "../../kernel/context.ts";

/**
 * Limits the passwords that a client tries: ten wrong ones at one link in ten minutes (the policy "guesses"), and, right or
 * wrong and at any link, as many in a minute as this process has time to check ("passwords").
 */
export interface PasswordAttempts {
  /**
   * Counts one attempt. Call it before the password is checked, or parallel attempts exceed the limit. `client` is an
   * address or network. Returns the state of the limit that refuses it, or null if the attempt is allowed.
   */
  take(linkId: string, client: string): Promise<RateLimitState | null>;
  /** Uncounts an attempt that was right, or that could not be checked, as a wrong one. */
  refund(linkId: string, client: string): Promise<void>;
}

/** Requests of programs that sign in their users, limited per minute and address. */
export type OAuthRequest = "authorization" | "token" | "registration" | "device" | "user-code" | "metadata";
