import * as z from "zod";
import { named } from "../../kernel/validation/outputs.ts";
import { timestamp } from "../../kernel/validation/strings.ts";
import { actionNames, authorKinds } from "./actions.ts";

const fields = z.object({
  id: z.string(),
  at: timestamp.describe("When it happened first, if it did several times within an hour"),
  action: z.enum(actionNames).describe("What happened; docs/API.md explains each"),
  count: z.int().min(1).describe("How often it happened within an hour from `at`"),
  by: z
    .object({
      kind: z.enum(authorKinds),
      id: z.string().nullable().describe("Id of the session or API key"),
    })
    .describe("Who did it"),
  about: z
    .string()
    .nullable()
    .describe("The key, program, host, name or plans concerned; docs/API.md says which"),
  network: z
    .string()
    .nullable()
    .describe("Where it came from, shortened to the /24 of an IPv4 address or the /48 of an IPv6 address"),
  client: z.string().nullable().describe("Browser and system, or the program's name"),
});

/** An entry of an account's activity. */
export interface ActivityEntry extends z.infer<typeof fields> {}
export const activitySchema = named<ActivityEntry>("ActivityEntry", fields);
