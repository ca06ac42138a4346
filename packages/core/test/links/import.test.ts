import { afterAll, describe, expect, it } from "vitest";
import type { Account, ImportResult, ImportRow } from "../../src/index.ts";
import { createTestCore } from "../../src/testing.ts";
import { addDomain, depsOf, rejection, url } from "../helpers.ts";

let bytes: number[] = [];
const { core, actor, account, close } = await createTestCore({
  // Bytes prepared by a test, else random ones
  randomBytes: (size) => {
    const first = bytes.shift();
    return first === undefined
      ? crypto.getRandomValues(new Uint8Array(size))
      : new Uint8Array(size).fill(first);
  },
});
afterAll(close);
const pro = await actor("pro");
const { links } = core.caller(pro);

interface Fields {
  url?: string;
  slug?: string;
  title?: string;
  domain?: string;
  tags?: string[];
  expires_at?: string;
}
const row = ({ occurrence = 0, ...fields }: Fields & { occurrence?: number } = {}): ImportRow => ({
  fields: { url, ...fields },
  occurrence,
});
const importAs = (owner: Account, ...rows: ImportRow[]) => core.importer.importBatch(owner, rows);
const importRows = (...rows: ImportRow[]) => importAs(pro.account, ...rows);
const statuses = (results: ImportResult[]) => results.map(({ status }) => status);
const reasons = (results: ImportResult[]) =>
  results.map((each) => (each.status === "rejected" ? each.reason : null));
const total = async (owner: Account) =>
  (await core.caller({ kind: "account", account: owner, credential: "internal" }).links.list()).meta.total;

describe("an imported row", () => {
  it("becomes a link like any other", async () => {
    const [result] = await importRows(
      row({ url: " https://Example.com/ü ", slug: "imp-1", title: " A title " }),
    );
    if (result?.status !== "created") throw new Error(JSON.stringify(result));
    expect(result).toEqual({
      status: "created",
      id: result.id,
      short_url: "http://short.test/imp-1",
      destination: "https://example.com/%C3%BC",
    });
    expect(await links.get({ id: result.id })).toMatchObject({
      slug: "imp-1",
      shortUrl: "http://short.test/imp-1",
      destination: "https://example.com/%C3%BC",
      title: "A title",
      click_count: 0,
      is_active: 1,
      has_password: false,
      domain: "short.test",
    });
    const visitor = { country: () => null, id: () => "v" };
    expect(await core.redirects.resolve("short.test", "imp-1", visitor)).toMatchObject({
      location: "https://example.com/%C3%BC",
    });
  });

  it("has a generated slug and no title if these are missing", async () => {
    const [result] = await importRows(row());
    if (result?.status !== "created") throw new Error(JSON.stringify(result));
    expect(await links.get({ id: result.id })).toMatchObject({
      slug: expect.stringMatching(/^[2-9a-zA-Z]{7}$/),
      title: null,
    });
  });

  it("has its result in the same place: results are in the order of the rows", async () => {
    const results = await importRows(
      row({ url: "https://example.com/order/1" }),
      row({ url: "nonsense" }),
      row({ url: "https://example.com/order/3" }),
      row({ url: "http://short.test/loop" }),
      row({ url: "https://example.com/order/5" }),
    );
    expect(results.map((each) => (each.status === "rejected" ? null : each.destination))).toEqual([
      "https://example.com/order/1",
      null,
      "https://example.com/order/3",
      null,
      "https://example.com/order/5",
    ]);
  });

  it("may be one of many, each with its own slug", async () => {
    const owner = await account();
    const results = await importAs(
      owner,
      ...Array.from({ length: 5000 }, (_, at) => row({ url: `https://example.com/many/${at}` })),
    );
    expect(new Set(statuses(results))).toEqual(new Set(["created"]));
    expect(new Set(results.map((each) => "short_url" in each && each.short_url)).size).toBe(5000);
    expect(await total(owner)).toBe(5000);
  });

  it("may be missing: no rows have no results", async () => {
    expect(await importRows()).toEqual([]);
  });
});

describe("a repeated import", () => {
  it("creates nothing twice and returns the existing links", async () => {
    const owner = await account();
    const rows = [
      row({ url: "https://example.com/1" }),
      row({ url: "https://example.com/2", slug: "again-2", title: "Two" }),
      row({ url: "nonsense" }),
    ];
    const first = await importAs(owner, ...rows);
    expect(statuses(first)).toEqual(["created", "created", "rejected"]);
    const second = await importAs(owner, ...rows);
    expect(statuses(second)).toEqual(["exists", "exists", "rejected"]);
    expect(second).toEqual(
      first.map((each) => (each.status === "created" ? { ...each, status: "exists" } : each)),
    );
    expect(await total(owner)).toBe(2);
  });

  it("continues where the last run stopped", async () => {
    const owner = await account();
    const rows = Array.from({ length: 6 }, (_, at) => row({ url: `https://example.com/${at}` }));
    await importAs(owner, ...rows.slice(0, 3));
    expect(statuses(await importAs(owner, ...rows))).toEqual([
      "exists",
      "exists",
      "exists",
      "created",
      "created",
      "created",
    ]);
  });

  it("leaves links unchanged that were edited meanwhile, and says what differs", async () => {
    const owner = await actor("free");
    const mine = core.caller(owner).links;
    const [made] = await importAs(owner.account, row({ slug: "before-edit" }));
    if (made?.status !== "created") throw new Error(JSON.stringify(made));
    await mine.update({ id: made.id, slug: "after-edit", url: "https://example.com/edited" });
    expect(reasons(await importAs(owner.account, row({ slug: "before-edit" })))).toEqual([
      'slug: "before-edit" is already taken on this domain by a link of yours that differs in url, slug; change that link, or choose another slug',
    ]);
  });

  it("says which options a link with the slug lacks, and which it has instead", async () => {
    const again = row({ slug: "ends", expires_at: "2031-01-31T12:00:00Z", tags: ["a"], title: "End" });
    await links.create({ url, slug: "ends", password: "sesame", click_limit: 5, tags: ["A"] });
    expect(reasons(await importRows(again))).toEqual([
      'slug: "ends" is already taken on this domain by a link of yours that differs in title, expires_at, click_limit, password; change that link, or choose another slug',
    ]);
    expect(await links.list({ search: "ends" })).toMatchObject({ data: [{ title: null, expires_at: null }] });
  });

  it("creates a deleted link again", async () => {
    const owner = await actor("free");
    const [made] = await importAs(owner.account, row({ slug: "deleted-once" }));
    if (made?.status !== "created") throw new Error(JSON.stringify(made));
    await core.caller(owner).links.delete({ id: made.id });
    expect(statuses(await importAs(owner.account, row({ slug: "deleted-once" })))).toEqual(["created"]);
  });

  it("creates every link once if many processes run it concurrently", async () => {
    const owner = await account();
    const rows = Array.from({ length: 50 }, (_, at) => row({ url: `https://example.com/${at}` }));
    const runs = await Promise.all(Array.from({ length: 5 }, () => importAs(owner, ...rows)));
    for (const results of runs) expect(statuses(results)).not.toContain("rejected");
    expect(runs.flatMap(statuses).filter((status) => status === "created")).toHaveLength(50);
    expect(await total(owner)).toBe(50);
  });

  it("creates separate links for another account", async () => {
    const [one, two] = [await account(), await account()];
    for (const owner of [one, two]) expect(statuses(await importAs(owner, row()))).toEqual(["created"]);
    expect([await total(one), await total(two)]).toEqual([1, 1]);
  });
});

describe("the same row several times", () => {
  it("becomes one link per occurrence, and no more if it is imported again", async () => {
    const owner = await account();
    const rows = [0, 1, 2].map((occurrence) => row({ occurrence }));
    expect(statuses(await importAs(owner, ...rows))).toEqual(["created", "created", "created"]);
    expect(statuses(await importAs(owner, ...rows))).toEqual(["exists", "exists", "exists"]);
    expect(await total(owner)).toBe(3);
  });

  it("becomes one link if it has a slug", async () => {
    const rows = [0, 1].map((occurrence) => row({ slug: "one-only", occurrence }));
    expect(statuses(await importRows(...rows))).toEqual(["created", "exists"]);
    expect(statuses(await importRows(...rows))).toEqual(["exists", "exists"]);
  });
});

describe("a taken slug", () => {
  it("rejects the row, whichever account has it", async () => {
    await core.caller({ kind: "anonymous" }).links.create({ url, slug: "imp-held" });
    expect(await importRows(row({ slug: "imp-held" }))).toEqual([
      { status: "rejected", reason: 'slug: "imp-held" is already taken on this domain; choose another one' },
    ]);
  });

  it("rejects the second of two rows in one batch, in NFC or not", async () => {
    const results = await importRows(
      row({ url: "https://example.com/a", slug: "caf\u00E9-batch" }),
      row({ url: "https://example.com/b", slug: "cafe\u0301-batch" }),
    );
    expect(statuses(results)).toEqual(["created", "rejected"]);
  });

  it("is replaced by another one if it was generated", async () => {
    bytes = [0, 0, 0, 1, 2];
    const results = await importRows(
      ...["a", "b", "c"].map((path) => row({ url: `https://example.com/generated/${path}` })),
    );
    expect(statuses(results)).toEqual(["created", "created", "created"]);
    const slugs = results.map((each) => ("short_url" in each ? new URL(each.short_url).pathname : ""));
    expect(slugs.toSorted()).toEqual(["/2222222", "/3333333", "/4444444"]);
  });
});

const notVerified = (domain: string) =>
  `domain: must be a verified custom domain of this account, which ${domain} is not; verify it first, or choose another one`;

describe("an invalid row", () => {
  it.each<[string, Fields, string]>([
    ["no URL", { url: "" }, "url: must be an absolute http:// or https:// URL"],
    [
      "a host alone",
      { url: "example.com" },
      "url: must be an absolute http:// or https:// URL, such as https://example.com",
    ],
    ["javascript:", { url: "javascript:alert(1)" }, "url: must be an absolute http:// or https:// URL"],
    ["a credential", { url: "https://a:b@example.com" }, "url: must not contain a user name or password"],
    ["NUL in the URL", { url: "https://example.com/\0" }, "url: must not contain control characters"],
    [
      "a long URL",
      { url: `https://example.com/${"a".repeat(8000)}` },
      "url: must have at most 8000 characters",
    ],
    [
      "a loop",
      { url: "https://SHORT.test./x" },
      "url: must not point back at a short-link host (that would be a loop)",
    ],
    [
      "a loop over a custom domain",
      { url: "https://verified.example/x" },
      "url: must not point back at a short-link host (that would be a loop)",
    ],
    ["a bad slug", { slug: "a b" }, 'slug: may have letters, digits, emoji, "-" and "_" only, not a space'],
    [
      "NUL in the slug",
      { slug: "a\0b" },
      'slug: may have letters, digits, emoji, "-" and "_" only, not U+0000',
    ],
    ["a reserved slug", { slug: "health" }, "slug: is reserved; choose another one"],
    ["NUL in the title", { title: "a\0b" }, "title: must not contain control characters"],
    [
      "a broken surrogate in the title",
      { title: "\uD800" },
      "title: must not contain half a character (a lone surrogate)",
    ],
    ["an unknown domain", { domain: "unknown.example" }, notVerified("unknown.example")],
    ["NUL in the domain", { domain: "a\0b" }, "domain: must not contain control characters"],
    ["a domain that is pending", { domain: "pending-import.example" }, notVerified("pending-import.example")],
    ["another account's domain", { domain: "verified.example" }, notVerified("verified.example")],
  ])("is rejected with the reason, and its neighbours are not: %s", async (name, fields, reason) => {
    const { pool } = depsOf(core);
    await pool.query("delete from domains where domain in ('verified.example', 'pending-import.example')");
    await addDomain(core, (await account("pro")).id, "verified.example");
    await addDomain(core, pro.account.id, "pending-import.example", "pending");
    const results = await importRows(row({ url: `https://example.com/?${name}` }), row(fields));
    expect(statuses(results)).toEqual(["created", "rejected"]);
    expect(reasons(results)).toEqual([null, reason]);
  });
});

describe("tags of rows", () => {
  it("may not be more than a thousand different ones an account: nothing is imported then", async () => {
    const owner = await account("pro");
    await depsOf(core).pool.query(
      "insert into tags (account_id, name, key) select $1, 't' || n, 't' || n from generate_series(1, 999) n",
      [owner.id],
    );
    const refusal = {
      code: "FORBIDDEN",
      message: "tags: an account can have 1,000 tags; delete or merge some",
    };
    const tooMany = [row({ tags: ["t1", "the last"] }), row({ tags: ["too many"], occurrence: 1 })];
    expect(await rejection(importAs(owner, ...tooMany))).toEqual(refusal);
    expect(await rejection(core.history.addLinks(owner, tooMany))).toEqual(refusal);
    expect(await total(owner)).toBe(0);
    expect(statuses(await importAs(owner, row({ tags: ["T1", "the last"] })))).toEqual(["created"]);
    expect(await total(owner)).toBe(1);
  });
});

describe("the domain of a row", () => {
  it("is a verified domain of the account, in any spelling", async () => {
    await addDomain(core, pro.account.id, "imports.example");
    for (const [at, domain] of ["imports.example", " IMPORTS.example ", "imports.example."].entries()) {
      const slug = `on-domain-${at}`;
      expect(await importRows(row({ slug, domain }))).toMatchObject([
        { status: "created", short_url: `http://imports.example/${slug}` },
      ]);
    }
  });

  it("may be the service's own host", async () => {
    expect(await importRows(row({ slug: "own-host", domain: "Short.test" }))).toMatchObject([
      { status: "created", short_url: "http://short.test/own-host" },
    ]);
  });

  it("needs the Pro plan", async () => {
    const results = await importAs(await account("free"), row({ domain: "imports.example" }));
    expect(reasons(results)).toEqual([
      "domain: Pro plan required for custom domains; without it, links are on short.test",
    ]);
  });
});

it("an imported link belongs to its account only", async () => {
  const [made] = await importRows(row({ slug: "private-import" }));
  if (made?.status !== "created") throw new Error(JSON.stringify(made));
  const intruder = core.caller(await actor("enterprise")).links;
  expect((await rejection(intruder.get({ id: made.id }))).code).toBe("NOT_FOUND");
});
