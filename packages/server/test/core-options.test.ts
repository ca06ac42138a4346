import { expect, it } from "vitest";
import { coreOptionsOf, readSettings } from "../src/index.ts";

it("passes every relevant setting to the core", () => {
  const settings = readSettings(
    {
      BASE_URL: "https://api.example",
      SHORT_BASE: "https://trs.example",
      MCP_URL: "https://mcp.example",
      REDIS_URL: "redis://cache.example:6380/1",
      KEY_PREFIX: "acme",
      API_KEYS_PLAN: "pro",
      ANONYMOUS_LINKS: "off",
      ANONYMOUS_SLUGS: "off",
      SIGN_UP: "Ada@example.com, example.org",
      DEFAULT_PLAN: "pro",
      RATE_LIMIT_ANONYMOUS: "1",
      RATE_LIMIT_FREE: "2",
      RATE_LIMIT_PRO: "3",
      RATE_LIMIT_ENTERPRISE: "4",
      RATE_LIMIT_PASSWORDS: "5",
      LINKS_FREE: "6",
      STORAGE_FREE: "7",
      STORAGE_PRO: "8",
      STORAGE_ENTERPRISE: "9",
      ANONYMOUS_LINKS_DAYS: "10",
      DNS_SERVERS: "192.0.2.1,192.0.2.2:5353",
      BLOCKLIST_FILES: import.meta.filename,
      SCREEN_DNS: "192.0.2.3",
      SCREEN_DNS_SINKHOLES: "192.0.2.4",
    },
    "/",
  );
  expect(coreOptionsOf(settings)).toEqual({
    shortBase: "https://trs.example",
    ownHosts: ["api.example", "mcp.example"],
    dnsServers: ["192.0.2.1", "192.0.2.2:5353"],
    keyPrefix: "acme",
    redisUrl: "redis://cache.example:6380/1",
    apiKeysPlan: "pro",
    anonymousLinks: false,
    anonymousSlugs: false,
    signUp: ["ada@example.com", "example.org"],
    defaultPlan: "pro",
    blocklistFiles: [import.meta.filename],
    screenDns: "192.0.2.3",
    screenDnsSinkholes: ["192.0.2.4"],
    rateLimits: { anonymous: 1, free: 2, pro: 3, enterprise: 4 },
    passwordsPerMinute: 5,
    freeLinks: 6,
    storedMegabytes: { free: 7, pro: 8, enterprise: 9 },
    anonymousLinksDays: 10,
  });
});
