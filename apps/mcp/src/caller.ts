import type { Actor, Core } from "@terse/core";
import type { Logger } from "@terse/server";

/** On whose behalf a server acts, and where it says what became of each call. */
export interface Caller {
  core: Core;
  actor: Actor;
  logger: Logger;
}
