import fc from "fast-check";
import { afterAll, describe, expect, it } from "vitest";
import type { FileReply } from "../../src/index.ts";
import { newLinkFields } from "../../src/links/link.schema.ts";
import { createTestCore } from "../../src/testing.ts";
import { addDomain, depsOf } from "../helpers.ts";

/** Links go out by the export, and come in by an import of the same file. */

const test = await createTestCore();
afterAll(test.close);
const { core } = test;
const domain = "round.example.net";
await addDomain(core, (await test.account("pro")).id, domain);

async function textOf({ body }: FileReply): Promise<string> {
  let text = "";
  for await (const piece of body) text += piece;
  return text;
}

/** A new account, which has the domain, with nothing in it. */
async function newOwner() {
  const owner = await test.actor("pro");
  const { pool } = depsOf(core);
  await pool.query("delete from links");
  await pool.query("update domains set account_id = $1 where domain = $2", [owner.account.id, domain]);
  return core.caller(owner);
}
type Owner = Awaited<ReturnType<typeof newOwner>>;

async function imported({ imports, jobs }: Owner, content: string) {
  const { job_id: id } = await imports.create({ content });
  await core.jobs.run();
  return {
    job: await jobs.get({ id }),
    rows: (await textOf(await jobs.result({ id }))).split("\r\n").slice(1, -1),
  };
}

type Shown = Awaited<ReturnType<Owner["links"]["list"]>>["data"][number];

/** What an import cannot keep: ids, counters, and when the link was changed last. */
const unkept = new Set([
  "id",
  "updated_at",
  "last_click_at",
  "fallbacks",
  "click_count",
  "imported_clicks",
  "health",
]);
const kept = (link: Shown) => ({
  ...Object.fromEntries(Object.entries(link).filter(([name]) => !unkept.has(name))),
  shortUrl: link.shortUrl,
  clicks: link.click_count + link.imported_clicks,
});
const bySlug = (links: readonly Shown[]) =>
  links.map(kept).toSorted((a, b) => (a.shortUrl < b.shortUrl ? -1 : 1));

const awkward = [
  "'=1+1",
  "=1+1",
  "''tis",
  "'tis",
  "null",
  "0",
  "-",
  "false",
  "a,b;c",
  "\"q\" 'q'",
  "a|b",
  "\\",
  "12/31/2027",
  "\t=x",
  "＝1",
  "a;=1",
  "[1]",
  "{}",
  "  x  ",
  "*",
];
const text = (maxLength: number) =>
  fc
    .oneof(fc.constantFrom(...awkward), fc.string({ unit: "grapheme", maxLength }), fc.string({ maxLength }))
    .map((each) =>
      each
        .replaceAll(/[\u0000-\u001F\u007F\uFFFD]/g, " ")
        .toWellFormed()
        .slice(0, maxLength)
        .toWellFormed()
        .replaceAll("\uFFFD", ""),
    );
const url = fc
  .tuple(
    fc.webUrl({ withQueryParameters: true, withFragments: true }),
    fc.constantFrom("", "/a,b", "/ü?q=%C3%BC&x='=1", "/;=x"),
  )
  .map(([base, more]) => (more === "" ? base : new URL(more, base).href));
const time = fc
  .date({ min: new Date("1980-01-01"), max: new Date("2090-01-01"), noInvalidDate: true })
  .map((date) => date.toISOString());
const when = fc
  .record(
    {
      country: fc.constantFrom(["DE"], ["DE", "FR"]),
      os: fc.constantFrom(["iOS"], ["Android", "Windows"]),
      language: fc.constantFrom(["de"], ["en-GB"]),
      query: fc.constantFrom([{ name: "a" }], [{ name: "a", value: "b,c" }], [{ name: "a", value: null }]),
      ip: fc.constantFrom(["192.0.2.0/24"]),
      after: time,
      weekly: fc.constant({ tz: "Europe/Berlin", days: ["mon", "fri"], from: "09:00", to: "17:00" }),
    },
    { requiredKeys: [] },
  )
  .filter((each) => Object.keys(each).length > 0);
const option = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const fields = {
  url,
  // Invisible letters, such as U+3164, are refused when links are created.
  slug: fc.stringMatching(/^[\p{L}\p{Nd}_-]{6,20}$/u).filter((slug) => !/\p{DI}/u.test(slug)),
  domain: option(fc.constantFrom(domain, "short.test")),
  title: option(text(40)),
  notes: option(fc.array(text(20), { maxLength: 4 }).map((lines) => lines.join("\n"))),
  tags: option(
    fc.array(
      text(20).filter((name) => name.trim() !== ""),
      { maxLength: 5 },
    ),
  ),
  is_active: option(fc.constantFrom(0 as const, 1 as const)),
  starts_at: option(time),
  expires_at: option(time),
  click_limit: option(fc.integer({ min: 1, max: 1e9 })),
  fallback_url: option(url),
  redirect_status: option(fc.constantFrom(301, 302, 307, 308)),
  forward_query: option(fc.constantFrom("none", "keep", "override")),
  forward_path: option(fc.boolean()),
  rules: option(fc.array(fc.record({ when, url, name: fc.constantFrom("App", "a, b") }), { maxLength: 3 })),
  geo_rules: option(fc.constantFrom([], [{ country: "DE", url: "https://de.example/" }])),
  ab_test: option(
    fc.tuple(url, url).map(([a, b]) => ({
      variants: [
        { url: a, weight: 1 },
        { url: b, weight: 3 },
      ],
    })),
  ),
  qr: option(
    fc.constantFrom(
      { color: "#112233", dots: "rounded" as const },
      { background: "#FFEEDD", margin: 2, level: "H" },
    ),
  ),
  preview: option(
    fc.record({
      title: text(40).map((each) => (each.trim() === "" ? "T" : each)),
      description: option(text(40)),
    }),
  ),
};
const link = fc.record(fields).map(({ starts_at, expires_at, ...more }) => ({
  ...more,
  ...(starts_at && expires_at && starts_at > expires_at ? { starts_at } : { starts_at, expires_at }),
}));

it("has every field that a link can be created with, but its password", () => {
  const all = Object.keys(newLinkFields.shape).filter((name) => name !== "password");
  expect(Object.keys(fields).toSorted()).toEqual(all.toSorted());
});

describe.each(["csv", "json"] as const)("the export as %s", (format) => {
  it("goes round: exported, deleted and imported, links are the same in every field but ids and counters", {
    timeout: 300_000,
  }, async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(link, { minLength: 5, maxLength: 30, selector: ({ slug }) => slug.normalize("NFC") }),
        async (links) => {
          const owner = await newOwner();
          const { results } = await owner.links.bulkCreate({ links: links as never, on_error: "continue" });
          expect(results.flatMap(({ error }) => error ?? [])).toEqual([]);
          const before = (await owner.links.list({ limit: 100 })).data;
          const file = await textOf(await owner.links.export({ format }));
          await owner.links.bulkDelete({ filter: {} });
          const { job, rows } = await imported(owner, file);
          const after = (await owner.links.list({ limit: 100 })).data;
          expect(rows.filter((row) => !/,http[^,]*,$/.test(row))).toEqual([]);
          expect(job.result).toMatchObject({ created: before.length, refused: 0, existing: 0 });
          expect(bySlug(after)).toEqual(bySlug(before));
        },
      ),
      {
        numRuns: 12,
        endOnFailure: true,
        markInterruptAsFailure: true,
        interruptAfterTimeLimit: 120_000,
      },
    );
  });

  it("never opens a link that begins later, is switched off, is used up or asked for a password", async () => {
    const owner = await newOwner();
    const { links } = owner;
    const to = "https://example.com/";
    await links.bulkCreate({
      links: [
        { url: to, slug: "begins", starts_at: "2040-01-01T00:00:00Z" },
        { url: to, slug: "is-off", is_active: 0 },
        { url: to, slug: "limited", click_limit: 3 },
        { url: to, slug: "used-up", click_limit: 2 },
        { url: to, slug: "asks", password: "sesame" },
        { url: to, slug: "disabled" },
      ],
      on_error: "stop",
    });
    const { pool } = depsOf(core);
    await pool.query("update links set click_count = 2 where slug in ('limited', 'used-up')");
    const { data } = await links.list({ search: "disabled" });
    await core.moderation.disableLink(data[0]!.id, "phishing");
    const file = await textOf(await links.export({ format }));
    await pool.query("delete from links");
    const { rows } = await imported(owner, file);
    const visitor = { country: () => null, id: () => "v" };
    const decide = async (slug: string) => core.redirects.resolve("short.test", slug, visitor);
    expect(await decide("begins")).toEqual({ kind: "not_found" });
    expect(await decide("is-off")).toMatchObject({ kind: "gone", reason: "inactive" });
    expect(await decide("disabled")).toMatchObject({ kind: "gone" });
    for (const slug of ["used-up", "asks"]) expect(await decide(slug)).toEqual({ kind: "not_found" });
    expect((await links.list({ search: "limited" })).data).toMatchObject([
      { click_limit: 1, imported_clicks: 2 },
    ]);
    const reasons = rows.map((row) => row.split(",,")[1]).filter(Boolean);
    expect(reasons).toHaveLength(2);
    expect(reasons.join()).toMatch(/the link has reached its click limit/);
    expect(reasons.join()).toMatch(/password: cannot be restored/);
  });
});
