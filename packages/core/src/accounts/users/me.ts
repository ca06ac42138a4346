import { accountProcedure } from "../call.ts";
import * as z from "zod";
import { planNames } from "../../kernel/plan-names.ts";
import { named } from "../../kernel/validation/outputs.ts";

const fields = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string(),
  plan: z.enum(planNames),
  /** Only there for operators who signed in */
  operator: z.literal(true).optional().describe("Only there for operators who signed in"),
});

/** The profile of an account. */
export interface User extends z.infer<typeof fields> {}
const userSchema = named<User>("User", fields);

/** Returns the profile of the calling account. */
export const me = accountProcedure
  .meta({
    scope: "account",
    openapi: {
      method: "GET",
      path: "/v1/me",
      tags: ["Account"],
      summary: "Get the current user",
      successDescription: "The profile of the current user",
    },
  })
  .output(userSchema)
  .query(({ ctx: { account, actor } }) => ({
    ...account,
    ...(actor.kind === "account" && actor.is_operator && { operator: true as const }),
  }));
