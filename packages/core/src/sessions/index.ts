export { actorOfSession } from "./authenticate.ts";
export { sessionsRouter } from "./router.ts";
export { idleSince } from "./lifetime.ts";
export { SessionEntity } from "./session.entity.ts";
export { createSessions } from "./sessions.ts";
