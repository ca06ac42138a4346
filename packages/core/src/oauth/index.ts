export { actorOfToken } from "./authenticate.ts";
export { deleteExpired } from "./delete-expired.ts";
export { endConnections } from "./end.ts";
export { createOAuth } from "./oauth.ts";
export { connectionsRouter } from "./router.ts";
