import { keysRouter } from "./api-keys/router.ts";
import { linksRouter } from "./links/router.ts";
import { router } from "./procedure.ts";
import { usersRouter } from "./users/router.ts";

/** Every operation of the service, by name. REST, MCP and the console are projections of this. */
export const appRouter = router({ links: linksRouter, users: usersRouter, keys: keysRouter });
export type AppRouter = typeof appRouter;
