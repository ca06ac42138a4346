import { createCore } from "@terse/core";
import { createHttpApp } from "@terse/http";
import { createLogger, listen, onShutdown } from "@terse/server";

const limits = { anonymous: 1e9, free: 1e9, pro: 1e9, enterprise: 1e9 };
const core = await createCore({
  databaseUrl: process.env.DATABASE_URL ?? "",
  shortBase: "http://short.test",
  rateLimits: limits,
});
const settings = { BASE_URL: "http://localhost:3000", TRUSTED_PROXIES: [], OAUTH_PROVIDERS: [] };
const app = createHttpApp({ core, settings, logger: createLogger({ level: "error" }) });
const { url, close } = await listen({
  name: "http",
  app,
  host: "127.0.0.1",
  port: 0,
  portSetting: "HTTP_PORT",
});
onShutdown(async () => {
  await close();
  await core.close();
});
process.send?.(url);
