import { accountProcedure } from "../../analytics/call.ts";
import { AppError } from "../../kernel/errors.ts";

/**
 * For accounts that an admin command made operator, with the session cookie. API keys are refused, so that a lost key
 * never reaches other accounts.
 */
export const operatorProcedure = accountProcedure.use(({ ctx, next }) => {
  const { actor } = ctx;
  if (actor.kind !== "account" || actor.credential !== "session" || !actor.is_operator) {
    throw new AppError("FORBIDDEN", "Only operators can do this, after signing in");
  }
  return next();
});
