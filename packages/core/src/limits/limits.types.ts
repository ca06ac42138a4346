/** Guards the passwords of links against guessing: so many wrong ones from one client at one link within `seconds`. */
export interface PasswordAttempts {
  readonly points: number;
  readonly seconds: number;
  /**
   * Takes one guess, before it is checked: parallel ones would slip through otherwise. `client` is an address or network.
   * Gives the whole seconds to wait, or null where the guess is free.
   */
  take(linkId: string, client: string): Promise<number | null>;
  /** Gives a guess back, since it was right. */
  refund(linkId: string, client: string): Promise<void>;
}
