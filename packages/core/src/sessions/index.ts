export { actorOfSession } from "./authenticate.ts";
export { sessionsRouter } from "./router.ts";
export { SessionEntity } from "./session.entity.ts";
export { createSessions } from "./sessions.ts";
