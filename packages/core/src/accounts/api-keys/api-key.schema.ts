import * as z from "zod";
import { scopes } from "../../kernel/names.ts";
import { fieldsOf, oneOf, timeInput } from "../../kernel/validation/inputs.ts";
import { makerOutput } from "../../rpc/makers.ts";
import { line, named, timestamp } from "../../kernel/validation/strings.ts";

export const expiryInput = timeInput("When the key stops working; without it, the key does not expire");

export const keyInput = fieldsOf({
  name: line(100).min(1, "must not be empty").optional(),
  scopes: z
    .array(oneOf(scopes))
    .min(1, "must have at least one scope")
    .max(scopes.length, `must have at most ${scopes.length} scopes`)
    .transform((given) => scopes.filter((scope) => given.includes(scope)))
    .describe("What the key can do; without it, everything the plan includes")
    .optional(),
  expires_at: expiryInput.optional(),
});

const fields = z.object({
  id: z.string(),
  name: z.string(),
  prefix: z.string().describe("The first characters of the key, to recognise it by"),
  scopes: z.array(z.enum(scopes)).describe("What the key can do, within the plan"),
  expires_at: timestamp.nullable().describe("When the key stops working; null if it does not expire"),
  created_at: timestamp,
  created_by: makerOutput,
  last_used_at: timestamp.nullable(),
});

/** An API key as every client sees it. */
export interface ApiKey extends z.infer<typeof fields> {}
export const apiKeySchema = named<ApiKey>("ApiKey", fields);

const newFields = fields.extend({
  key: z.string().describe("The key itself, shown only once"),
});

/** An API key that was just created. */
export interface NewApiKey extends z.infer<typeof newFields> {}
export const newApiKeySchema = named<NewApiKey>("NewApiKey", newFields);

/** A key's limits; without any, it has all rights of the account and does not expire. */
export interface KeyLimits {
  /** Names from the list `scopes` */
  scopes?: readonly string[] | undefined;
  /** ISO 8601 with a zone, in the future */
  expires_at?: string | undefined;
}

/** API keys of accounts on any plan, for operators. They keep working if the account moves to a smaller plan. */
export interface Keys {
  /** `name` defaults to "API key". 404 if there is no such account, 400 for a bad name or limit, 403 for the 101st key. */
  issue(accountId: string, name?: string, limits?: KeyLimits): Promise<NewApiKey>;
  /** The keys of an account, newest first; only their prefixes are shown. */
  list(accountId: string): Promise<ApiKey[]>;
  /** Revokes a key of any account at once; false if there is none with that id. */
  revoke(id: string): Promise<boolean>;
}
