import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempFolder, until } from "@terse/testkit";
import { testDns } from "@terse/testkit/dns";
import { expect, it, onTestFinished } from "vitest";
import { createTestCore } from "../../src/testing.ts";
import { rejection } from "../helpers.ts";
import { answer } from "../redirects/helpers.ts";

async function setUp() {
  const path = join(await tempFolder(), "phishing.txt");
  await writeFile(path, "listed.example.com");
  const dns = await testDns();
  dns.set("A", "sunk.example.com", "0.0.0.0");
  const test = await createTestCore({ blocklistFiles: [path], screenDns: dns.address });
  onTestFinished(test.close);
  const pro = await test.actor("pro");
  return {
    ...test,
    caller: test.core.caller(pro),
    account: pro.account,
    list: (text: string) => writeFile(path, text),
  };
}

const bad = "https://www.listed.example.com/login";
const good = "https://later.example.com/";
const refusal = (field: string) => ({
  code: "BAD_REQUEST",
  message: `${field}: leads to www.listed.example.com, which is blocked as harmful`,
});

it("no operation stores a destination on a blocked host", async () => {
  const { core, caller, account } = await setUp();
  const { id } = await caller.links.create({ url: good });
  expect(await rejection(caller.links.create({ url: bad }))).toMatchObject(refusal("url"));
  expect(await rejection(core.caller({ kind: "anonymous" }).links.create({ url: bad }))).toMatchObject(
    refusal("url"),
  );
  expect(await rejection(caller.links.update({ id, url: bad }))).toMatchObject(refusal("url"));
  const geo_rules = [
    { country: "DE", url: good },
    { country: "FR", url: bad },
  ];
  expect(await rejection(caller.links.create({ url: good, geo_rules }))).toMatchObject(
    refusal("geo_rules.1.url"),
  );
  expect(await rejection(caller.links.create({ url: "https://sunk.example.com/" }))).toMatchObject({
    code: "BAD_REQUEST",
  });
  const rows = [good, bad, good].map((url, occurrence) => ({ fields: { url }, occurrence }));
  const results = await core.importer.importBatch(account, rows);
  expect(results[1]).toMatchObject({ reason: refusal("url").message });
  const ab_test = {
    variants: [
      { url: good, weight: 1 },
      { url: bad, weight: 1 },
    ],
  };
  expect(await rejection(caller.links.update({ id, ab_test }))).toMatchObject(
    refusal("ab_test.variants.1.url"),
  );
  const links = [
    { url: good, title: "Good" },
    { url: bad, title: "Bad" },
  ];
  expect(await rejection(caller.buckets.create({ name: "Bucket", links }))).toMatchObject(
    refusal("links.1.url"),
  );
  const bucket = await caller.buckets.create({ name: "Bucket", links: links.slice(0, 1) });
  expect(await rejection(caller.buckets.update({ id: bucket.id, links }))).toMatchObject(
    refusal("links.1.url"),
  );
});

it("a host that is listed later stops redirecting, and redirects again when it is taken off", async () => {
  const { core, caller, list } = await setUp();
  const { slug } = await caller.links.create({ url: good });
  const geo = await caller.links.create({
    url: "https://example.com/",
    geo_rules: [{ country: "DE", url: good }],
  });
  core.redirects.watch();
  await until(() => core.redirects.stats().watched);
  expect(await answer(core, slug)).toBe(good);
  expect(core.redirects.peek(slug, Date.now())).not.toBeNull();
  await list("later.example.com");
  await until(async () => (await answer(core, slug)) === "blocked");
  expect(core.redirects.peek(slug, Date.now())).toBeNull();
  expect(await answer(core, geo.slug)).toBe("blocked");
  expect(await caller.links.explain({ id: geo.id })).toMatchObject({
    outcome: "gone",
    status: 410,
    rule: "blocked",
    location: null,
    would_count: null,
    reasons: ["It leads to later.example.com, which is blocked as harmful.", "Nothing would be counted."],
  });
  await list("other.example.com");
  await until(async () => (await answer(core, slug)) === good);
});
