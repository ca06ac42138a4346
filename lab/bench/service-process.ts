import { createCore } from "@terse/core";
import { serveHttp } from "@terse/http";
import { createLogger, onShutdown } from "@terse/server";

const limits = { anonymous: 1e9, free: 1e9, pro: 1e9, enterprise: 1e9 };
const core = await createCore({
  databaseUrl: process.env.DATABASE_URL ?? "",
  shortBase: "http://short.test",
  rateLimits: limits,
});
const { url, close } = await serveHttp({
  core,
  settings: {
    BASE_URL: "http://localhost:3000",
    SHORT_BASE: "http://short.test",
    MCP_URL: "http://localhost:3002",
    HOST: "127.0.0.1",
    HTTP_PORT: 0,
    TRUSTED_PROXIES: [],
    OAUTH_PROVIDERS: [],
  },
  logger: createLogger({ level: "error" }),
});
onShutdown(async () => {
  await close();
  await core.close();
});
process.send?.(url);
