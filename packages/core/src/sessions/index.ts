export { SessionEntity } from "./session.entity.ts";
export { createSessions, type NewSession, type Sessions } from "./sessions.ts";
