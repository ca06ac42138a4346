export { createTestDatabase, databaseUrl, ensureTemplate } from "./databases.ts";
export { type PostgresServer, type StartOptions, startPostgres } from "./server.ts";
