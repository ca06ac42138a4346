import * as z from "zod";
import { named } from "../../kernel/validation/outputs.ts";
import { timestamp } from "../../kernel/validation/strings.ts";

const fields = z.object({
  id: z.string(),
  provider: z.string().describe("The provider's name in the settings of the service"),
  issuer: z.string().describe("Who vouches for the person, such as https://accounts.google.com"),
  created_at: timestamp,
});

/** A way to sign in to an account: a person at a provider. */
export interface LinkedIdentity extends z.infer<typeof fields> {}
export const identitySchema = named<LinkedIdentity>("Identity", fields);
