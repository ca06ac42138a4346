import { logEvent } from "../events.ts";
import type { Logger } from "../log.ts";
import type { Settings } from "../settings/read.ts";
import type { Draining } from "../shutdown.ts";
import type { Node } from "./node.ts";
import type { ServiceManager } from "./service-manager.ts";

/** The effect of a signal: /readyz answers 503, and proxies have `DRAIN_DELAY` to send requests elsewhere. */
export function createDraining(options: {
  node: Pick<Node, "drain">;
  manager: ServiceManager;
  settings: Pick<Settings, "DRAIN_DELAY">;
  logger: Logger;
}): Draining {
  const { node, manager, settings, logger } = options;
  return {
    drain() {
      node.drain();
      logEvent(logger, "stopping", { drain_seconds: settings.DRAIN_DELAY });
      manager.stopping();
    },
    drainDelay: settings.DRAIN_DELAY,
  };
}
