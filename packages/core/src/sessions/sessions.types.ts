export interface NewSession {
  id: string;
  /** Value of the `session` cookie; only its hash is stored */
  token: string;
  expires_at: string;
}

/** Sessions, which browsers carry in a cookie. */
export interface Sessions {
  /** Signs an account in. */
  create(accountId: string): Promise<NewSession>;
  /** Ends the session of a token at once; false if there was none. */
  end(token: string): Promise<boolean>;
  /** Ends all sessions of an account; returns how many. */
  endAll(accountId: string): Promise<number>;
}
