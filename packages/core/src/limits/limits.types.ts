/** Limits wrong passwords: at most `points` from one client at one link within `seconds`. */
export interface PasswordAttempts {
  readonly points: number;
  readonly seconds: number;
  /**
   * Counts one attempt. Call it before the password is checked, or parallel attempts exceed the limit. `client` is an
   * address or network. Returns the whole seconds to wait, or null if the attempt is allowed.
   */
  take(linkId: string, client: string): Promise<number | null>;
  /** Uncounts an attempt that was right, or that could not be checked. */
  refund(linkId: string, client: string): Promise<void>;
}
