import { AppError, toFailure } from "@terse/core";
import * as server from "@terse/server";

/** As other programs explain, and what the core says in its own words too: refusals, and a database that went away. */
export function explain(error: unknown): string {
  if (error instanceof AppError) return error.message;
  const isAway = !(error instanceof server.UserError) && toFailure(error).status === 503;
  return isAway ? "The database went away: check that PostgreSQL is running" : server.explain(error);
}
