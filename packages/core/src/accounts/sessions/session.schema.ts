import * as z from "zod";
import type { Source } from "../../kernel/context.ts";
import { named, timestamp } from "../../kernel/validation/strings.ts";

const fields = z.object({
  id: z.string(),
  current: z.boolean().describe("True for the session of this request"),
  created_at: timestamp,
  last_seen_at: timestamp.describe("Accurate to a minute; the session ends 14 days later unless it is used"),
  expires_at: timestamp.describe("When the session ends at the latest"),
});

/** A signed-in browser. */
export interface Session extends z.infer<typeof fields> {}
export const sessionSchema = named<Session>("Session", fields);

/** How a person signed in, for the account's activity. */
export interface SignInWay {
  /** The provider's name, "passkey", "sign-in link" or "e-mail" */
  way: string;
  source?: Source | undefined;
  /** The language in which the person signed in; mails to them are in it from now on */
  language?: string | undefined;
}

export interface NewSession {
  id: string;
  /** Value of the `session` cookie; only its hash is stored */
  token: string;
  expires_at: string;
  /** True if the account was being deleted: the sign-in restores it */
  deletion_revoked: boolean;
}

/** Sessions, which browsers carry in a cookie. */
export interface Sessions {
  /** Signs an account in, restoring it if it was being deleted. 403 if it was erased. */
  create(accountId: string, signIn?: SignInWay): Promise<NewSession>;
  /** Ends the session of a token at once; false if there was none. */
  end(token: string, source?: Source): Promise<boolean>;
  /** Ends all sessions of an account, for operators; returns how many. */
  endAll(accountId: string): Promise<number>;
}
