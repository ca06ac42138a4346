import { chmod, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { startPostgres } from "@terse/postgres";
import { settingsTable } from "@terse/server";
import { nextPort } from "@terse/testkit/ports";
import { redisMissing, startRedis } from "@terse/testkit/redis";
import { expect, onTestFinished, test } from "vitest";
import { newDataDir, remove } from "./process.ts";
import { follow, ownerKey, shorten, startService } from "./service.ts";

test.skipIf(redisMissing)(
  "the service and its redirect worker start with every secret setting in a file",
  async () => {
    const dataDir = await newDataDir();
    onTestFinished(() => remove(dataDir));
    const postgres = await startPostgres({ dataDir: join(dataDir, "database") });
    onTestFinished(() => postgres.stop());
    const redis = await startRedis({ port: nextPort() });
    const secrets: Record<string, string> = {
      DATABASE_URL: postgres.url,
      DATABASE_REPLICA_URL: postgres.url,
      REDIS_URL: redis.url,
      CLICK_STREAM_URL: redis.url,
      CLICKHOUSE_URL: "http://127.0.0.1:9/terse",
      OTEL_EXPORTER_OTLP_HEADERS: "authorization=hush",
      OAUTH_COMPANY_CLIENT_SECRET: "hush",
      SMTP_URL: "smtp://127.0.0.1:9",
    };
    const named = settingsTable()
      .replaceAll("{NAME}", "COMPANY")
      .matchAll(/`(\w+)_FILE`/g);
    expect(new Set(Object.keys(secrets))).toEqual(new Set(Array.from(named, ([, name]) => name)));

    const files: Record<string, string> = {};
    for (const [name, value] of Object.entries(secrets)) {
      const file = join(dataDir, name.toLowerCase());
      await writeFile(file, `${value}\n`);
      await chmod(file, 0o600);
      files[`${name}_FILE`] = file;
    }
    const service = await startService(dataDir, {
      env: {
        ...files,
        REDIRECT_WORKERS: "1",
        MAIL_FROM: "terse@example.com",
        OAUTH_PROVIDERS: "company",
        OAUTH_COMPANY_ISSUER: "http://127.0.0.1:9",
        OAUTH_COMPANY_CLIENT_ID: "terse",
      },
    });
    const link = await shorten(service, await ownerKey(dataDir), "https://example.com/by-file");
    expect(await follow(link.shortUrl)).toBe("https://example.com/by-file");
    const health = await fetch(`${service.admin}/readyz`);
    expect(await health.json()).toMatchObject({ checks: { redirect_workers: { ok: true } } });
    expect(await service.stop("SIGTERM")).toBe(0);
  },
);
