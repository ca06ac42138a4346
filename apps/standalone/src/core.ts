import { type Core, type CoreOptions, createCore } from "@terse/core";
import { coreOptionsOf, type Settings } from "@terse/server";
import type { Database } from "./database.ts";

/** Creates the core; the database need not be reachable yet. */
export function openCore(
  settings: Settings,
  { url }: Database,
  more: Partial<Omit<CoreOptions, "databaseUrl">> = {},
): Promise<Core> {
  return createCore({ databaseUrl: url, ...coreOptionsOf(settings), ...more });
}
