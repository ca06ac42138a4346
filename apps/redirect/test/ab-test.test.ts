import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clicksOf, rowsOf } from "./clicks.ts";
import { createTestApp, type TestApp } from "./app.ts";

let app: TestApp;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "terse-ab-"));
  app = await createTestApp({}, { clickLog: { folder, fsync: "off" } });
});
afterAll(async () => {
  await app.close();
  await rm(folder, { recursive: true });
});

const visitors = 8_000;
const weights = [1, 2, 3, 4];
const variants = weights.map((weight, at) => ({ url: `https://example.com/${at}`, weight }));

/** Follows a link; returns the number of the variant and the cookie that was set, if any. */
async function visit(slug: string, cookie = ""): Promise<{ variant: number; cookie: string | undefined }> {
  const { headers } = await app.get(`/${slug}`, { headers: { cookie } });
  const variant = Number(headers.get("location")?.split("/").at(-1));
  return { variant, cookie: headers.get("set-cookie")?.split(";")[0] };
}

const add = (counts: number[], variant: number) => {
  counts[variant] = (counts[variant] ?? 0) + 1;
};

describe("an A/B test", () => {
  it("splits 8,000 visitors by weight within five sigma, keeps each in their variant, and counts every one", async () => {
    const { id, slug } = await app.link({ ab_test: { variants } });
    const first = weights.map(() => 0);
    const all = weights.map(() => 0);
    for (let at = 0; at < visitors; at++) {
      const { variant, cookie } = await visit(slug);
      add(first, variant);
      add(all, variant);
      if (at % 100 > 0) continue;
      expect(await visit(slug, cookie)).toEqual({ variant, cookie: undefined });
      add(all, variant);
    }
    for (const [at, count] of first.entries()) {
      const share = (weights[at] ?? 0) / 10;
      const sigma = Math.sqrt(visitors * share * (1 - share));
      expect(Math.abs(count - visitors * share)).toBeLessThan(5 * sigma);
    }

    while ((await app.core.clicks.drain()) > 0);
    const raw = weights.map(() => 0);
    for (const { variant } of await clicksOf(app, id)) add(raw, variant ?? -1);
    expect(raw).toEqual(all);
    const rollup = await rowsOf(
      app.core,
      `select sum(clicks)::int as clicks from link_day_values
       where link_id = $1 and dimension = 'variant' group by value order by value`,
      [id],
    );
    expect(rollup).toEqual(all.map((clicks) => ({ clicks })));
  }, 120_000);

  it("is the only thing that sets a cookie", async () => {
    const links = [
      await app.link(),
      await app.link({ geo_rules: [{ country: "DE", url: "https://de.example/" }] }),
      await app.link({ expires_at: "2001-01-01T00:00:00Z", ab_test: { variants } }),
      await app.link({ password: "sesame", ab_test: { variants } }),
    ];
    for (const { slug } of links) {
      expect((await app.get(`/${slug}`)).headers.get("set-cookie")).toBeNull();
    }
  });

  it("comes after country rules, and then counts no variant", async () => {
    const geo_rules = [{ country: "US", url: "https://us.example/" }];
    const { id, slug } = await app.link({ geo_rules, ab_test: { variants } });
    const { headers } = await app.from("8.8.8.8", `/${slug}`);
    expect([headers.get("location"), headers.get("set-cookie")]).toEqual(["https://us.example/", null]);
    while ((await app.core.clicks.drain()) > 0);
    expect(await clicksOf(app, id)).toEqual([{ country: "US", variant: null }]);
  });
});
