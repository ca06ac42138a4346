import * as z from "zod";
import { scopes } from "../../kernel/names.ts";
import { named, timestamp } from "../../kernel/validation/strings.ts";

const fields = z.object({
  id: z.string(),
  client_name: z.string().describe("The program's own name for itself, unverified"),
  client_host: z
    .string()
    .nullable()
    .describe("The host that received the tokens; null for a program on the user's machine"),
  resource: z.string().describe("The address its tokens are for: the MCP server's or the API's"),
  scopes: z.array(z.enum(scopes)).describe("What the program can do, within the plan"),
  created_at: timestamp,
  last_used_at: timestamp.nullable().describe("Accurate to a minute"),
  expires_at: timestamp.describe("When the user must allow the program again"),
});

/** A program that its user allowed by signing in, instead of giving it an API key. */
export interface Connection extends z.infer<typeof fields> {}
export const connectionSchema = named<Connection>("Connection", fields);

/** The form of access tokens. API keys are longer, because they have a prefix. */
export const isAccessToken = (text: string): boolean => /^[\w-]{43}$/.test(text);
