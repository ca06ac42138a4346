import type { Source } from "../../kernel/context.ts";

/** How somebody signed in, for the account's activity. */
export interface SignInWay {
  /** The provider's name, or "sign-in link" */
  way: string;
  source?: Source | undefined;
}

export interface NewSession {
  id: string;
  /** Value of the `session` cookie; only its hash is stored */
  token: string;
  expires_at: string;
  /** True if the account was being deleted: the sign-in keeps it */
  deletion_revoked: boolean;
}

/** Sessions, which browsers carry in a cookie. */
export interface Sessions {
  /** Signs an account in, which keeps it if it was being deleted. 403 if it was erased. */
  create(accountId: string, signIn?: SignInWay): Promise<NewSession>;
  /** Ends the session of a token at once; false if there was none. */
  end(token: string, source?: Source): Promise<boolean>;
  /** Ends all sessions of an account, for operators; returns how many. */
  endAll(accountId: string): Promise<number>;
}
