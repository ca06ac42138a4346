import * as z from "zod";
import { planNames } from "../../kernel/plan-names.ts";
import { named } from "../../kernel/validation/outputs.ts";
import { timestamp } from "../../kernel/validation/strings.ts";
import { consentsSchema } from "./update-consents.ts";

const userFields = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  plan: z.enum(planNames),
  operator: z.literal(true).optional().describe("Only there for operators who signed in"),
});

/** The profile of an account. */
export interface User extends z.infer<typeof userFields> {}
export const userSchema = named<User>("User", userFields);

const fields = z.object({
  id: z.string(),
  email: z.string(),
  email_verified: z
    .boolean()
    .describe("Whether a sign-in provider or the operator confirmed that the address is the user's"),
  name: z.string(),
  plan: z.enum(planNames),
  consents: consentsSchema,
  created_at: timestamp,
});

/** The profile of an account in full. `User` has fewer fields, and keeps them. */
export interface Profile extends z.infer<typeof fields> {}
export const profileSchema = named<Profile>("Profile", fields);
