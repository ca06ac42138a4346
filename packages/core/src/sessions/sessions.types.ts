export interface NewSession {
  id: string;
  /** Value of the `session` cookie; known only now, since only its hash is stored */
  token: string;
  expires_at: string;
}

/** Logins by cookie. */
export interface Sessions {
  /** Signs an account in. */
  create(accountId: string): Promise<NewSession>;
  /** Ends the session behind a token at once; false where there was none. */
  end(token: string): Promise<boolean>;
}
