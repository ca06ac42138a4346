export { copyPrograms } from "./binaries.ts";
export { OtherMajorError } from "./cluster.ts";
export { createTestDatabase, databaseUrl, ensureTemplate } from "./databases.ts";
export { isLive, newMark } from "./process-mark.ts";
export { type PostgresServer, type StartOptions, startPostgres } from "./server.ts";
