import * as z from "zod";
import { named } from "../../kernel/validation/outputs.ts";
import { timestamp } from "../../kernel/validation/strings.ts";

const fields = z.object({
  id: z.string(),
  current: z.boolean().describe("True for the session of this request"),
  created_at: timestamp,
  last_seen_at: timestamp.describe("Accurate to a minute; the session ends 14 days later unless it is used"),
  expires_at: timestamp.describe("When the session ends even if it is used"),
});

/** A signed-in browser. */
export interface Session extends z.infer<typeof fields> {}
export const sessionSchema = named<Session>("Session", fields);
