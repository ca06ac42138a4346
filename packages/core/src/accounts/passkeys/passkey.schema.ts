import * as z from "zod";
import type { Actor, PersonalAccount, Source } from "../../kernel/context.ts";
import { line, named, timestamp } from "../../kernel/validation/strings.ts";

const fields = z.object({
  id: z.string(),
  name: z.string().describe("What its owner calls it"),
  synced: z.boolean().describe("True if it is in a password manager that copies it to other devices"),
  created_at: timestamp,
  last_used_at: timestamp.nullable().describe("When it last signed in; null if it never did"),
});

/** A key pair of a person's device or password manager, which signs in to the account. */
export interface Passkey extends z.infer<typeof fields> {}
export const passkeySchema = named<Passkey>("Passkey", fields);

export const passkeyName = line(100).min(1, "must not be empty").describe("What its owner calls it");

/** The longest of these are attestations by security keys, of a few kilobytes. */
const base64url = z
  .string()
  .max(16_384)
  .regex(/^[\w-]+$/);

const credential = { id: base64url, rawId: base64url, type: z.literal("public-key") };

/** The answer of `navigator.credentials.create`, as JSON (WebAuthn level 3, section 5.1.8). */
export const creationInput = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    attestationObject: base64url,
    transports: z.array(z.string().max(20)).max(10).optional(),
  }),
});

/** The answer of `navigator.credentials.get`, as JSON. */
export const assertionInput = z.object({
  ...credential,
  response: z.object({
    clientDataJSON: base64url,
    authenticatorData: base64url,
    signature: base64url,
    userHandle: base64url.nullish(),
  }),
});

/** Options of `navigator.credentials`, as JSON, with a challenge that is valid once within five minutes. */
export type PasskeyOptions = Readonly<Record<string, unknown>>;

/**
 * Passkeys (WebAuthn level 3). Each signs in the person who made it, on the origin of `baseUrl` only, and only
 * if the device has verified its user. 429 for a client (an address or network) that asks too often.
 */
export interface Passkeys {
  /** Whether browsers make passkeys for the service: its address has a name, and is https or localhost */
  readonly isSupported: boolean;
  /** What a browser needs to sign in with any passkey or, for the session of `again`, with one of its person. */
  signInOptions(client: string, again?: Actor): Promise<PasskeyOptions>;
  /**
   * The account of a passkey that a browser has just used; create a session for it with `sessions.create`. With `again`, only
   * a passkey of that session's person. 401 if it is unknown, not for this service, used before or late, or if its counter
   * went back; 403 if the account is suspended.
   */
  signIn(
    client: string,
    response: unknown,
    origin: { source?: Source; again?: Actor },
  ): Promise<PersonalAccount>;
  /** What a browser needs to make a passkey. 401 without a session, 403 unless it began within the last ten minutes. */
  addOptions(actor: Actor): Promise<PasskeyOptions>;
  /**
   * Adds a passkey that a browser has just made; by default it is named after the browser. 400 if it is not for this service
   * or late, 403 as for `addOptions` and beyond 25 of an account, 409 if it was added before.
   */
  add(actor: Actor, response: unknown, name?: unknown): Promise<Passkey>;
  /** The passkeys of an account, newest first. For operators. */
  list(accountId: string): Promise<Passkey[]>;
  /** Removes a passkey of any account, even the last one. False if there is none. For operators. */
  remove(id: string): Promise<boolean>;
}
