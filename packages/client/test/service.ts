import { createTestCore, type TestCore } from "@terse/core/testing";
import type { CoreOptions } from "@terse/core";
import { createHttpApp } from "@terse/http";
import { createLogger, listen } from "@terse/server";
import { afterAll } from "vitest";

export interface Service extends TestCore {
  /** Where the API is */
  url: string;
}

/** The API of a core on a database of its own, on a free port; ended after the tests of the file. */
export async function startService(options: Partial<CoreOptions> = {}): Promise<Service> {
  const testCore = await createTestCore(options);
  const logger = createLogger({ level: "silent" });
  const app = createHttpApp({
    core: testCore.core,
    settings: {
      BASE_URL: "http://api.test",
      SHORT_BASE: "http://short.test",
      MCP_URL: "http://mcp.test",
      TRUSTED_PROXIES: [],
      OAUTH_PROVIDERS: [],
    },
    logger,
  });
  const listener = await listen({
    name: "http",
    app,
    host: "127.0.0.1",
    port: 0,
    portSetting: "HTTP_PORT",
    logger,
  });
  afterAll(async () => {
    await listener.close();
    await testCore.close();
  });
  return { ...testCore, url: listener.url };
}
