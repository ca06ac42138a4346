import { randomUUID } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempFolder } from "@terse/testkit";
import fc from "fast-check";
import { afterAll, describe, expect, it, onTestFinished, vi } from "vitest";
import { type Actor, type CoreOptions, toFailure } from "../../src/index.ts";
import { createTestCore } from "../../src/testing.ts";
import { addDomain, depsOf, rejection, url } from "../helpers.ts";
import { call } from "../fixtures.ts";

const shared = await createTestCore();
afterAll(shared.close);

/** A new account, on a core of its own if that has options. */
async function setUp(options?: Partial<CoreOptions>) {
  const test = options ? await createTestCore(options) : shared;
  if (options) onTestFinished(test.close);
  const actor = await test.actor("pro");
  return { ...test, owner: actor, links: test.core.caller(actor).links };
}

type Links = Awaited<ReturnType<typeof setUp>>["links"];
type Input = Parameters<Links["bulkCreate"]>[0]["links"][number];
const onlyErrors = ({ results }: { results: { error?: string | undefined }[] }) =>
  results.map(({ error }) => error);

const urls = fc.constantFrom(
  " https://Example.com/ü?a=%C3%BC ",
  "https://sub.example.org:8443/path#part",
  "http://127.0.0.1/",
  "javascript:alert(1)",
  "https://user@example.com/",
  "http://short.test/loop",
  "https://custom.example.net/loop",
  "https://listed.example.com/",
  7,
);
const rules = {
  geo_rules: fc.constantFrom([{ country: "de", url }], [{ country: "DE", url: "http://short.test/" }], []),
  ab_test: fc.constantFrom(null, {
    variants: [
      { url, weight: 1 },
      { url: "https://b.example/", weight: 3 },
    ],
  }),
  expires_at: fc.constantFrom("2031-01-31T12:00:00+02:00", null, "tomorrow"),
};
const inputs = fc.record(
  {
    url: urls,
    slug: fc.constantFrom("one", "two", "Zwei-ü", "e\u0301", "a b", "api", "☕"),
    title: fc.constantFrom("A title", "", null, " =1+1 ", "a\u0000b", 'it\'s "quoted" \\ ,'),
    domain: fc.constantFrom("custom.example.net", "CUSTOM.example.net", "other.example.net", "short.test"),
    ...rules,
    unknown: fc.constant(1),
  },
  { requiredKeys: ["url"] },
);

const linkNotFound = {
  status: 404,
  error: "Link not found",
  issues: [{ path: [], code: "not_found", message: "Link not found", params: { resource: "link" } }],
};

describe("many links created at once", () => {
  it("are the same links, and refused for the same reasons, as if each was created alone", async () => {
    const path = join(await tempFolder(), "list.txt");
    await writeFile(path, "listed.example.com");
    const { core, owner, links, actor } = await setUp({ blocklistFiles: [path] });
    await addDomain(core, owner.account.id, "custom.example.net");
    const free = await actor("free");

    const oneByOne = async (own: Links, list: Input[]) => {
      const outcomes: unknown[] = [];
      for (const input of list) {
        const made = await own.create(input).catch((error: unknown) => toFailure(error));
        outcomes.push("id" in made ? comparable(made) : [made.status, made.message]);
      }
      return outcomes;
    };
    const together = async (own: Links, list: Input[]) => {
      const { results } = await own.bulkCreate({ links: list, on_error: "continue" });
      const outcomes: unknown[] = [];
      for (const { id = "", error, status } of results)
        outcomes.push(error === undefined ? comparable(await own.get({ id })) : [status, error]);
      return outcomes;
    };
    const comparable = (link: Awaited<ReturnType<Links["get"]>>) => ({
      ...link,
      id: "",
      created_at: "",
      updated_at: "",
      ...(link.slug.length === 7 && { slug: "generated", shortUrl: "", short_url: "" }),
    });
    const clear = async () => {
      await depsOf(core).pool.query("delete from links where account_id is not null");
    };
    const callers = [links, core.caller(free).links];
    await fc.assert(
      fc.asyncProperty(
        fc.array(inputs as unknown as fc.Arbitrary<Input>, { minLength: 1, maxLength: 8 }),
        fc.constantFrom(...callers),
        async (list, own) => {
          await clear();
          const expected = await oneByOne(own, list);
          await clear();
          const foreseen = await own.bulkCreate({ links: list, on_error: "continue", dry_run: true });
          expect(await together(own, list)).toEqual(expected);
          const errors = expected.map((each) => (Array.isArray(each) ? each[1] : undefined));
          expect(onlyErrors(foreseen)).toEqual(errors);
        },
      ),
      { numRuns: 25, seed: 13 },
    );
  });

  it("are all or none, if one of them is to stop them", async () => {
    const { links } = await setUp();
    await links.create({ url, slug: "taken-once" });
    const list = [{ url, slug: "free" }, { url, slug: "taken-once" }, { url: "nonsense" }];
    const stop = (some: Input[]) => links.bulkCreate({ links: some, on_error: "stop" });
    expect(onlyErrors(await stop(list))).toEqual([
      "Not created, because links.2 was refused",
      "Not created, because links.2 was refused",
      "url: must be an absolute http:// or https:// URL",
    ]);
    const taken = 'slug: "taken-once" is already taken on this domain; choose another one';
    expect(await stop(list.slice(0, 2))).toMatchObject({ created: 0, failed: 2 });
    expect(onlyErrors(await stop(list.slice(0, 2)))).toEqual([
      "Not created, because links.1 was refused",
      taken,
    ]);
    expect((await links.list({})).meta.total).toBe(1);
    expect(await stop(list.slice(0, 1))).toMatchObject({ created: 1, failed: 0 });
  });

  it("name the account's own link that is the same already, but no other one", async () => {
    const { links, core, actor } = await setUp();
    const own = await links.create({ url, slug: "own" });
    const other = core.caller(await actor("pro")).links;
    await other.create({ url, slug: "foreign" });
    await links.create({ url: "https://example.com/else", slug: "else" });
    const list = ["own", "foreign", "else"].map((slug) => ({ url, slug }));
    const { results } = await links.bulkCreate({ links: list, on_error: "continue" });
    expect(results.map(({ status, id }) => [status, id])).toEqual([
      [409, own.id],
      [409, undefined],
      [409, undefined],
    ]);
  });

  it("are not there already if the account's own link with the slug has other options, which are named", async () => {
    const { links, slug } = { ...(await setUp()), slug: `differs-${randomUUID()}` };
    const options = { expires_at: "2031-01-31T12:00:00Z", rules: [{ when: { os: ["iOS"] }, url }] };
    await links.create({ url, slug, ...options, title: "Kept", tags: ["a"] });
    const again: Input[] = [
      { url, slug, ...options },
      { url, slug, ...options, title: "Kept", tags: ["A"], is_active: true },
      { url, slug, expires_at: options.expires_at },
      { url, slug, ...options, password: "sesame", starts_at: "2030-01-01T00:00:00Z", is_active: 0 },
      { url: `${url}other`, slug, ...options, title: "Other", tags: [] },
    ];
    const differs = (names: string) =>
      `slug: "${slug}" is already taken on this domain by a link of yours that differs in ${names}; change that link, or choose another slug`;
    const same = `slug: "${slug}" is already taken on this domain; choose another one`;
    for (const dry_run of [true, false])
      expect(onlyErrors(await links.bulkCreate({ links: again, on_error: "continue", dry_run }))).toEqual([
        same,
        same,
        differs("rules"),
        differs("is_active, starts_at, password"),
        differs("url, title, tags"),
      ]);
  });

  it("may name the service's own host, in any spelling, on every plan", async () => {
    const { core, actor } = await setUp();
    const { links } = core.caller(await actor("free"));
    const slug = `own-${randomUUID()}`;
    const { results } = await links.bulkCreate({
      links: [
        { url, slug, domain: "Short.Test" },
        { url, domain: "go.example" },
      ],
      on_error: "continue",
    });
    expect(results).toMatchObject([
      { short_url: `http://short.test/${slug}` },
      { status: 403, error: expect.stringContaining("without it, links are on short.test") },
    ]);
  });

  it("can be created switched off", async () => {
    const { core, links } = await setUp();
    const slug = `off-${randomUUID()}`;
    await links.bulkCreate({ links: [{ url, slug, is_active: 0 }], on_error: "stop" });
    const visitor = { country: () => null, id: () => "v" };
    expect(await core.redirects.resolve("short.test", slug, visitor)).toMatchObject({ reason: "inactive" });
    expect((await links.create({ url, is_active: false })).is_active).toBe(0);
    const anonymous = core.caller({ kind: "anonymous" }).links;
    expect((await rejection(anonymous.create({ url, is_active: 0 }))).code).toBe("UNAUTHORIZED");
  });

  it("count as one creation each; beyond the limit, the rest is refused until it may continue", async () => {
    const { links } = await setUp({ rateLimits: { pro: 5 } });
    const list = Array.from({ length: 4 }, () => ({ url }));
    const stop = { links: [...list, ...list], on_error: "stop" as const };
    expect(await rejection(links.bulkCreate(stop))).toEqual({
      code: "BAD_REQUEST",
      message:
        'links: 8 together are more than the 5 creations a minute of this plan; send fewer, or on_error "continue"',
    });
    await links.create({ url });
    const wrong = { url: "nonsense" };
    const first = await links.bulkCreate({ links: [wrong, ...list.slice(0, 2)], on_error: "continue" });
    expect(first).toMatchObject({ created: 2, failed: 1 });
    expect(await rejection(links.bulkCreate({ links: list, on_error: "stop" }))).toMatchObject({
      code: "TOO_MANY_REQUESTS",
    });
    const second = await links.bulkCreate({ links: list, on_error: "continue" });
    expect(second.results.map(({ status }) => status)).toEqual([undefined, undefined, 429, 429]);
    expect(second.retry_after).toBeGreaterThan(0);
    expect(second.results[3]?.error).toMatch(
      /^Rate limit exceeded: 5 creations a minute; try again in \d+ s$/,
    );
    const third = links.bulkCreate({ links: list, on_error: "continue" });
    expect(await rejection(third)).toMatchObject({ code: "TOO_MANY_REQUESTS" });
    expect((await links.list({})).meta.total).toBe(5);
  });

  it("are refused beyond the account's room, also in advance", async () => {
    const { core, actor } = await setUp({ freeLinks: 3 });
    const { links } = core.caller(await actor("free"));
    const list = Array.from({ length: 5 }, () => ({ url }));
    const room = [undefined, undefined, undefined, 403, 403];
    const foreseen = await links.bulkCreate({ links: list, on_error: "continue", dry_run: true });
    expect(foreseen.results.map(({ status }) => status)).toEqual(room);
    const made = await links.bulkCreate({ links: list, on_error: "continue" });
    expect(made.results.map(({ status }) => status)).toEqual(room);
    await links.bulkDelete({ ids: made.results.slice(0, 2).map(({ id = "" }) => id) });
    expect(await links.bulkCreate({ links: list.slice(0, 2), on_error: "stop" })).toMatchObject({
      created: 2,
    });
  });

  it("get another slug if the generated one is taken", async () => {
    let repeated = 3;
    const randomBytes = (size: number) =>
      repeated-- > 0 ? new Uint8Array(size) : crypto.getRandomValues(new Uint8Array(size));
    const { links } = await setUp({ randomBytes });
    const list = [{ url }, { url }, { url }];
    const { created, results } = await links.bulkCreate({ links: list, on_error: "stop" });
    expect(created).toBe(3);
    expect(new Set(results.map(({ slug }) => slug)).size).toBe(3);
  });
});

describe("an Idempotency-Key", () => {
  const create = (core: Parameters<typeof call>[0], actor: Actor, idempotencyKey: string, links: Input[]) => {
    const keyed = { ...core, createContext: (who: Actor) => core.createContext(who, { idempotencyKey }) };
    const sent = { links, on_error: "continue" };
    return call(keyed, "links.bulkCreate", actor, sent).catch((error: unknown) => toFailure(error));
  };

  it("gives the first answer again, for a day and the account, and refuses another request", async () => {
    let now = new Date("2026-03-01T12:00:00Z");
    const { core, owner, links, actor } = await setUp({ clock: () => now });
    const list = [{ url }, { url: "nonsense" }];
    const first = await create(core, owner, "one", list);
    expect(first).toMatchObject({ created: 1, failed: 1 });
    expect(await create(core, owner, "one", list)).toEqual(first);
    expect(await create(core, owner, "one", [{ url }])).toMatchObject({
      status: 422,
      message: "Idempotency-Key: was used for another request; send a new one",
    });
    expect((await links.list({})).meta.total).toBe(1);
    expect(await create(core, await actor("pro"), "one", [{ url }])).toMatchObject({ created: 1 });
    now = new Date(now.getTime() + 24 * 3600 * 1000 + 1);
    expect(await create(core, owner, "one", [{ url }])).toMatchObject({ created: 1 });
    await core.chores.run();
    const { rowCount } = await depsOf(core).pool.query("select from idempotent_answers");
    expect(rowCount).toBe(1);
  });

  it("must be a word", async () => {
    const { core, owner } = await setUp();
    for (const key of ["", "ü", "a b", "x".repeat(256)])
      expect(await create(core, owner, key, [{ url }])).toMatchObject({ status: 400 });
  });

  it("creates links once, however many requests with it are under way", async () => {
    const { core, owner, links } = await setUp();
    const outcomes = await Promise.all(
      [1, 2, 3, 4].map(() => create(core, owner, "same", [{ url }, { url }])),
    );
    expect((await links.list({})).meta.total).toBe(2);
    for (const outcome of outcomes) {
      if ("status" in (outcome as object)) expect(outcome).toMatchObject({ status: 409, retryAfter: 1 });
      else expect(outcome).toMatchObject({ created: 2 });
    }
  });

  it("has no answer if its links were not created", async () => {
    const { core, owner, links } = await setUp({});
    const { pool } = depsOf(core);
    await pool.query("alter table idempotent_answers add constraint never check (false)");
    expect(await create(core, owner, "failed", [{ url }])).toMatchObject({ status: 500 });
    expect((await links.list({})).meta.total).toBe(0);
    await pool.query("alter table idempotent_answers drop constraint never");
    expect(await create(core, owner, "failed", [{ url }])).toMatchObject({ created: 1 });
  });
});

describe("many links changed at once", () => {
  async function withLinks() {
    const test = await setUp();
    const { results } = await test.links.bulkCreate({
      links: ["a", "b", "c"].map((path) => ({ url: `https://example.com/${path}` })),
      on_error: "stop",
    });
    const foreign = await test.core.caller(await test.actor("pro")).links.create({ url });
    return { ...test, ids: results.map(({ id = "" }) => id), foreign };
  }

  it("change alike, and the ids that cannot are named", async () => {
    const { links, ids, foreign, core } = await withLinks();
    const [a = "", b = "", c = ""] = ids;
    await core.moderation.disableLink(b, "phishing");
    const set = { url: "https://example.org/", title: "All", is_active: 0 as const };
    const chosen = [a, a, b, c, foreign.id, "nonsense"];
    const refusals = [
      {
        id: b,
        status: 403,
        error: expect.stringContaining("disabled this link (phishing)"),
        issues: [
          expect.objectContaining({ code: "disabled", params: { resource: "link", reason: "phishing" } }),
        ],
      },
      { id: foreign.id, ...linkNotFound },
      { id: "nonsense", ...linkNotFound },
    ];
    const expected = { matched: 3, changed: 2, results: expect.arrayContaining(refusals) };
    const planned = { ...expected, change_id: null };
    expect(await links.bulkUpdate({ ids: chosen, set, dry_run: true })).toEqual(planned);
    expect((await links.get({ id: a })).title).toBeNull();
    expect(await links.bulkUpdate({ ids: chosen, set })).toEqual({
      ...expected,
      change_id: expect.any(String),
    });
    for (const id of [a, c]) {
      expect(await links.get({ id })).toMatchObject({
        destination: "https://example.org/",
        title: "All",
        is_active: 0,
      });
    }
    expect((await links.get({ id: b })).title).toBeNull();
  });

  it("obey the rules of a single change", async () => {
    const { core, links, ids, owner } = await withLinks();
    await addDomain(core, owner.account.id, "custom.example.net");
    const errorsOf = async (own: Links, set: Parameters<Links["bulkUpdate"]>[0]["set"]) => {
      const answer = await own.bulkUpdate({ ids, set });
      return "results" in answer && answer.results.map(({ error }) => error);
    };
    const loop = "url: must not point back at a short-link host (that would be a loop)";
    expect(await errorsOf(links, { url: "http://short.test/x" })).toEqual([loop, loop, loop]);
    expect(await errorsOf(links, { url: "https://custom.example.net/x" })).toEqual([loop, loop, loop]);
    const free = core.caller({
      kind: "account",
      account: { ...owner.account, plan: "free" },
      credential: "internal",
    }).links;
    const plan = "Pro plan required";
    expect(await errorsOf(free, { expires_at: "2031-01-01T00:00:00Z" })).toEqual([plan, plan, plan]);
    expect(await errorsOf(free, { expires_at: null, title: "Free" })).toEqual([]);
  });

  it("are deleted, with what their clicks refer to, and make room", async () => {
    const { core, links, ids, foreign } = await withLinks();
    const invalidate = vi.spyOn(core.redirects, "invalidate");
    expect(await links.bulkDelete({ ids: [...ids, foreign.id], dry_run: true })).toMatchObject({
      changed: 3,
    });
    expect((await links.list({})).meta.total).toBe(3);
    expect(await links.bulkDelete({ ids: [...ids, foreign.id] })).toEqual({
      matched: 3,
      changed: 3,
      change_id: expect.any(String),
      results: [{ id: foreign.id, ...linkNotFound }],
    });
    expect((await links.list({})).meta.total).toBe(0);
    expect(invalidate).toHaveBeenCalledTimes(3);
    const { rowCount } = await depsOf(core).pool.query("select from deleted_links where id = any($1)", [ids]);
    expect(rowCount).toBe(3);
  });
});

it("an account's bulk operations are limited to 120 a minute, before their bodies are read", async () => {
  const { core, owner } = await setUp();
  const { pool, limits } = depsOf(core);
  for (let count = 0; count < 120; count++) await limits.take("bulk", owner.account.id, {});
  const query = vi.spyOn(pool, "query");
  for (const name of ["links.bulkCreate", "links.bulkUpdate", "links.bulkDelete"]) {
    const failure = toFailure(await call(core, name, owner, "nonsense").catch((error: unknown) => error));
    expect(failure).toMatchObject({ status: 429 });
  }
  expect(query).not.toHaveBeenCalled();
});
