import { AppError, sentenceOf, toFailure } from "@terse/core";
import * as server from "@terse/server";

/** Like the server's `explain`, but also knows the core's errors, with a line for each issue, and a lost database connection. */
export function explain(error: unknown): string {
  if (error instanceof AppError) return error.issues.map(sentenceOf).join("\n");
  const isUnreachable = !(error instanceof server.UserError) && toFailure(error).status === 503;
  return isUnreachable
    ? "Lost the connection to the database: check that PostgreSQL is running"
    : server.explain(error);
}
