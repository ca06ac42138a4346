import { brotliDecompressSync, gunzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import { startApp } from "./client.ts";
import { seedAccount } from "./seeded-account.ts";

const app = await startApp({ rateLimits: { enterprise: 1000 } });
let account: Awaited<ReturnType<typeof seedAccount>>;
beforeAll(async () => {
  account = await seedAccount(app);
  const { links } = app.core.caller(account.actor);
  for (let n = 0; n < 5; n++) await links.create({ url: "https://example.com/" });
});

async function ask(path: string, headers: Record<string, string>) {
  const answer = await app.app.request(path, { headers });
  return { headers: answer.headers, status: answer.status, bytes: Buffer.from(await answer.arrayBuffer()) };
}
const gzip = { "Accept-Encoding": "gzip, deflate, br" };
const byKey = () => ({ Authorization: `Bearer ${account.key}` });

describe("an answer of more than a kilobyte", () => {
  it.each(["/v1/links", "/trpc/links.list?input={}"])("is compressed: %s", async (path) => {
    const [plain, short] = [await ask(path, byKey()), await ask(path, { ...byKey(), ...gzip })];
    expect(plain.bytes.length).toBeGreaterThan(1024);
    expect(plain.headers.get("content-encoding")).toBeNull();
    expect(short.headers.get("content-encoding")).toBe("gzip");
    expect(short.headers.get("vary")).toMatch(/\bAccept-Encoding$/);
    expect(short.headers.get("content-type")).toBe(plain.headers.get("content-type"));
    expect(short.bytes.length).toBeLessThan(plain.bytes.length / 2);
    expect(gunzipSync(short.bytes)).toEqual(plain.bytes);
  });

  it.each(["gzip;q=0", "br", "deflate, *;q=0", "gzip;q=nonsense", ""])(
    "is sent as it is to a client that accepts %j",
    async (accepted) => {
      const { headers } = await ask("/v1/links", { ...byKey(), "Accept-Encoding": accepted });
      expect(headers.get("content-encoding")).toBeNull();
    },
  );

  it("is not compressed if another site may have made the browser ask with its cookie", async () => {
    const Cookie = `session=${account.cookie}`;
    const from = async (site: Record<string, string>) =>
      (await ask("/v1/links", { Cookie, ...gzip, ...site })).headers.get("content-encoding");
    expect(await from({ "Sec-Fetch-Site": "same-origin" })).toBe("gzip");
    expect(await from({ "Sec-Fetch-Site": "cross-site" })).toBeNull();
    expect(await from({ "Sec-Fetch-Site": "same-site" })).toBeNull();
    expect(await from({})).toBeNull();
  });
});

it("does not compress short answers, nor streams", async () => {
  const headers = { ...byKey(), ...gzip };
  expect((await ask("/v1/me", headers)).headers.get("content-encoding")).toBeNull();
  expect((await ask("/v1/analytics/export", headers)).headers.get("content-encoding")).toBeNull();
  const lines = { ...headers, "trpc-accept": "application/jsonl" };
  const stream = await ask("/trpc/links.list?batch=1&input={}", lines);
  expect(stream.headers.get("content-encoding")).toBeNull();
});

describe.each(["/openapi.json", "/docs/swagger-ui-bundle.js"])("%s", (path) => {
  it("is compressed in the best way that the client accepts, and cached", async () => {
    const plain = await ask(path, {});
    const decoders = { br: brotliDecompressSync, gzip: gunzipSync };
    const tags = new Set([plain.headers.get("etag")]);
    for (const [encoding, decode] of Object.entries(decoders)) {
      const accepted = { "Accept-Encoding": encoding === "br" ? "gzip, br" : encoding };
      const short = await ask(path, accepted);
      expect(short.headers.get("content-encoding")).toBe(encoding);
      expect(short.headers.get("vary")).toBe("Accept-Encoding");
      expect(short.bytes.length).toBeLessThan(plain.bytes.length / 3);
      expect(decode(short.bytes).equals(plain.bytes)).toBe(true);
      const tag = short.headers.get("etag") ?? "";
      tags.add(tag);
      const again = await ask(path, { ...accepted, "If-None-Match": tag });
      expect([again.status, again.bytes.length, again.headers.get("etag")]).toEqual([304, 0, tag]);
    }
    expect(tags.size).toBe(3);
  });
});
