import { type Core, type CoreOptions, createCore } from "@terse/core";
import { coreOptionsOf, type Settings } from "@terse/server";
import type { Database } from "./database.ts";
import { reasonOf, UserError } from "./explain.ts";

/** The core on a database that need not be there yet. */
export function openCore(
  settings: Settings,
  { url }: Database,
  more: Pick<CoreOptions, "clickLog" | "onEvent"> = {},
): Promise<Core> {
  return createCore({ databaseUrl: url, ...coreOptionsOf(settings), ...more });
}

/** What is wrong with a database that refuses or, where nobody waits for it, is away. */
export const databaseRefusal = ({ description }: Database, cause: unknown) =>
  new UserError(`The database at ${description} cannot be used: ${reasonOf(cause)}`, { cause });
