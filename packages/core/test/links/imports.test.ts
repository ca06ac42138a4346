import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { type ImportedRow, readParts } from "../../src/links/from-file/read-parts.ts";
import { createTestCore } from "../../src/testing.ts";
import { depsOf, rejection } from "../helpers.ts";

const test = await createTestCore();
afterAll(test.close);

async function owner(plan: "free" | "pro" = "pro", { core, actor } = test) {
  const caller = core.caller(await actor(plan));
  const { imports, jobs, links } = caller;
  return {
    core,
    jobs,
    links,
    imports,
    /** Imports a text, and returns what became of its rows. */
    async run(content: string, more: Partial<Parameters<typeof imports.create>[0]> = {}) {
      const { job_id: id } = await imports.create({ content, ...more });
      await core.jobs.run();
      const { body } = await jobs.result({ id });
      let file = "";
      for await (const piece of body) file += piece;
      return { job: await jobs.get({ id }), rows: file.split("\r\n").slice(1, -1) };
    },
  };
}

/** Files as services export them; each has a link to https://example.com/a with the slug `own`. */
const files: Record<string, string> = {
  bitly: "long_url,link,title,created_at\nhttps://example.com/a,https://bit.ly/own,Title,2026-01-31",
  dub: '"Short link","Destination URL","Clicks","Created at","Link ID","Updated at","Tags","Archived"\n"https://dub.sh/own","https://example.com/a","7","x","y","z","",""',
  kutt: JSON.stringify({
    data: [{ address: "own", target: "https://example.com/a", visit_count: 3 }],
    total: 1,
  }),
  "short.io": "originalURL;path;title\nhttps://example.com/a;own;Title",
  rebrandly: JSON.stringify([
    { title: "Title", slashtag: "own", destination: "https://example.com/a", clicks: 1 },
  ]),
  shlink:
    "createdAt,domain,shortCode,shortUrl,longUrl,title,tags,visits\nx,s.test,own,https://s.test/own,https://example.com/a,Title,,1",
  yourls: "keyword,url,title,timestamp,ip,clicks\nown,https://example.com/a,Title,x,127.0.0.1,3",
  sink: JSON.stringify({
    links: [
      { id: "x", slug: "own", url: "https://example.com/a", createdAt: 1, title: "Title", tags: ["a"] },
    ],
  }),
  terse: `id,slug,short_url,destination,click_count,title,expires_at\nx,own,http://short.test/own,https://example.com/a,1,Title,`,
};

describe("a file", () => {
  it.each(Object.entries(files))("from %s is recognised by its columns", (source, content) => {
    const outcome = readParts({ content, source, maxRows: 10, rowsPerPart: 5 });
    if (!("parts" in outcome)) throw new Error("The file is refused");
    const [part] = outcome.parts;
    const [[row, link] = []] = JSON.parse(part?.items ?? "") as ImportedRow[];
    const first = /^[[{]/.test(content) ? 1 : 2;
    expect([row, link]).toEqual([
      first,
      expect.objectContaining({ url: "https://example.com/a", slug: "own" }),
    ]);
    expect(link).not.toHaveProperty("expires_at");
  });

  it("is answered with the columns that nothing is taken from, before anything is created", async () => {
    const { imports } = await owner();
    const notTaken = async (content = "") => (await imports.create({ content, dry_run: true })).not_taken;
    expect(await notTaken(files["dub"])).toEqual([
      // "x" is no time.
      "Created at",
      "Link ID",
      "Updated at",
      "Archived",
    ]);
    expect(await notTaken('[{"url":"https://example.com/","cloaking":{"DE":"x"},"password":""}]')).toEqual([
      "cloaking",
    ]);
    expect(await notTaken("https://example.com/a")).toEqual([]);
  });

  it("has a result for each row, with the reason of those that were refused", async () => {
    const { run, links } = await owner();
    await links.create({ url: "https://example.com/kept", slug: "kept-before" });
    const content = [
      "url,slug,title",
      "https://example.com/1,,One",
      "",
      "javascript:alert(1),,",
      "https://example.com/kept,kept-before,",
      'https://example.com/2,,"Two, ""quoted"""',
      "https://example.com/3,a/b,",
    ].join("\r\n");
    const dry = await run(content, { dry_run: true });
    const { job, rows } = await run(content);
    expect(dry.job.result).toEqual({
      created: 2,
      existing: 1,
      refused: 2,
      imported_clicks: 0,
      not_taken: [],
    });
    expect(job).toMatchObject({ total: 5, done: 5, result: { created: 2, existing: 1, refused: 2 } });
    expect(rows).toEqual([
      expect.stringMatching(/^2,https:\/\/example\.com\/1,http:\/\/short\.test\/\w{7},$/),
      "4,javascript:alert(1),,url: must be an absolute http:// or https:// URL",
      expect.stringMatching(/^5,https:\/\/example\.com\/kept,http:\/\/short\.test\/kept-before,/),
      expect.stringMatching(/^6,https:\/\/example\.com\/2,http:\/\/short\.test\/\w{7},$/),
      expect.stringMatching(/^7,https:\/\/example\.com\/3,,"?slug: /),
    ]);
    expect((await links.list({ search: 'Two, "quoted"' })).meta.total).toBe(1);
  });

  it.each([
    ["kutt", "address,target,password\nASKS,https://example.com/a,true\nOPEN,https://example.com/a,false"],
    [
      "kutt",
      JSON.stringify([
        { address: "ASKS", target: "https://example.com/a", password: true },
        { address: "OPEN", target: "https://example.com/a", password: false },
      ]),
    ],
    [
      "terse",
      "slug,destination,click_count,has_password\nASKS,https://example.com/a,0,true\nOPEN,https://example.com/a,0,false",
    ],
    ["list", "url,slug,password\nhttps://example.com/a,ASKS,sesame\nhttps://example.com/a,OPEN,"],
    [
      "sink",
      JSON.stringify([
        {
          id: "1",
          createdAt: 1,
          slug: "ASKS",
          url: "https://example.com/a",
          password: "pbkdf2:1000:salt:hash",
        },
        { id: "2", createdAt: 1, slug: "OPEN", url: "https://example.com/a" },
      ]),
    ],
  ] as const)("from %s never opens a link that asked for a password", async (source, content) => {
    const { run, links } = await owner();
    const unique = (name: string) => `${name}-${randomUUID()}`;
    const [asks, open] = [unique("asks"), unique("open")];
    const file = content.replace("ASKS", asks).replace("OPEN", open);
    const dry = await run(file, { source, dry_run: true });
    const { job, rows } = await run(file, { source });
    expect(dry.job.result).toMatchObject({ created: 1, refused: 1 });
    expect(job.result).toMatchObject({ created: 1, refused: 1 });
    expect(rows[0]).toContain(
      "password: cannot be restored: *** only says that there was one; choose a new one",
    );
    expect((await links.list({})).data.map(({ slug }) => slug)).toEqual([open]);
  });

  it.each([
    ["kutt", "address,target,banned\nOFF,https://example.com/a,true\nON,https://example.com/a,false"],
    [
      "kutt",
      JSON.stringify([
        { address: "OFF", target: "https://example.com/a", banned: true },
        { address: "ON", target: "https://example.com/a", banned: false },
      ]),
    ],
    [
      "terse",
      "slug,destination,click_count,is_active\nOFF,https://example.com/a,0,0\nON,https://example.com/a,0,1",
    ],
    [
      "terse",
      "slug,destination,click_count,is_active,disabled_at\nOFF,https://example.com/a,0,1,2026-01-31\nON,https://example.com/a,0,1,",
    ],
    [
      "list",
      JSON.stringify([
        { slug: "OFF", url: "https://example.com/a", is_active: false },
        { slug: "ON", url: "https://example.com/a" },
      ]),
    ],
  ] as const)("from %s never switches a link on that is off or banned there", async (source, content) => {
    const { run, imports, links } = await owner();
    const [off, on] = [`off-${randomUUID()}`, `on-${randomUUID()}`];
    const file = content.replace("OFF", off).replace("ON", on);
    const dry = await run(file, { source, dry_run: true });
    const { job, rows } = await run(file, { source });
    expect(dry.job.result).toMatchObject({ created: 2, refused: 0 });
    expect(job.result).toMatchObject({ created: 2, refused: 0 });
    expect(rows[0]).toContain(`/${off},`);
    const { data } = await links.list({ sort: "slug" });
    expect(data.map(({ slug, is_active }) => [slug, is_active])).toEqual([
      [off, 0],
      [on, 1],
    ]);
    expect((await imports.create({ content: file, source, dry_run: true })).not_taken).toEqual([]);
  });

  it("from Sink brings passwords that are in it, which need the Pro plan", async () => {
    const password = "open sesame";
    const link = {
      id: "1",
      createdAt: 1,
      slug: `asks-${randomUUID()}`,
      url: "https://example.com/a",
      password,
    };
    const { run, links, core } = await owner();
    await run(JSON.stringify([link]), { source: "sink" });
    expect((await links.list({})).data).toMatchObject([{ has_password: true }]);
    const visitor = { country: () => null, id: () => "" };
    const decide = (typed: string) =>
      core.redirects.resolve("short.test", link.slug, { ...visitor, password: typed });
    expect(await decide("close sesame")).toMatchObject({ kind: "password", wrong: true });
    expect(await decide(password)).toMatchObject({ kind: "redirect", location: "https://example.com/a" });
    const free = await owner("free");
    const { rows } = await free.run(JSON.stringify([{ ...link, slug: `asks-${randomUUID()}` }]));
    expect(rows[0]).toContain("Pro plan required");
    expect((await free.links.list({})).meta.total).toBe(0);
  });

  it("from Sink and Short.io brings where else a link leads, as rules", async () => {
    const { run, links } = await owner();
    const at = randomUUID();
    const sink = {
      id: "1",
      createdAt: 1,
      slug: `sink-${at}`,
      url: "https://example.com/a",
      apple: "https://apps.example/ios",
      google: "https://apps.example/android",
      geo: { DE: "https://example.com/de", FR: "https://example.com/fr" },
      redirectWithQuery: true,
    };
    await run(
      JSON.stringify({
        links: [
          sink,
          { ...sink, slug: `plain-${at}`, apple: "", google: "", geo: {}, redirectWithQuery: false },
        ],
      }),
    );
    await run(
      `Original URL,Path,iphoneURL,androidURL\nhttps://example.com/a,short-${at},https://apps.example/ios,`,
    );
    const { data } = await links.list({ sort: "slug" });
    const ios = { when: { os: ["iOS"] }, url: "https://apps.example/ios" };
    expect(data).toMatchObject([
      { slug: `plain-${at}`, rules: [], geo_rules: [], forward_query: "none" },
      { slug: `short-${at}`, rules: [ios] },
      {
        slug: `sink-${at}`,
        rules: [ios, { when: { os: ["Android"] }, url: "https://apps.example/android" }],
        geo_rules: [
          { country: "DE", url: "https://example.com/de" },
          { country: "FR", url: "https://example.com/fr" },
        ],
        forward_query: "override",
      },
    ]);
  });

  it("has tags: as this service exports them, as others do, and as lists of JSON", async () => {
    const { run, links } = await owner();
    await run('url,tags\nhttps://example.com/1,"One, two"');
    await run('destination,slug,click_count,tags\nhttps://example.com/2,tagged-2,0,"a, b|c"');
    await run(JSON.stringify([{ url: "https://example.com/3", tags: ["x, z", "y"] }]));
    const { data } = await links.list({ sort: "created_at" });
    expect(data.map(({ tags }) => tags)).toEqual([
      ["One", "two"],
      ["a, b", "c"],
      ["x, z", "y"],
    ]);
  });

  it.each([
    [
      "dub",
      files["dub"]?.replace('"x","y"', '"2026-01-31T10:00:00.000Z","y"'),
      7,
      "2026-01-31T10:00:00.000Z",
    ],
    ["kutt", files["kutt"], 3, null],
    ["rebrandly", files["rebrandly"], 1, null],
    ["shlink", files["shlink"]?.replace("\nx", "\n2026-01-31T10:00:00+01:00"), 1, "2026-01-31T09:00:00.000Z"],
    ["yourls", files["yourls"]?.replace("x,127", "2026-01-31 10:00:00,127"), 3, "2026-01-31T10:00:00.000Z"],
    [
      "sink",
      files["sink"]?.replace('"createdAt":1', '"createdAt":1769853600'),
      0,
      "2026-01-31T10:00:00.000Z",
    ],
    ["terse", "slug,destination,click_count,imported_clicks\nown,https://example.com/a,4,5", 9, null],
  ])(
    "from %s brings the time of creation, and the total of clicks apart",
    async (source, content, clicks, at) => {
      const own = await createTestCore();
      onTestFinished(own.close);
      const { run, links } = await owner("pro", own);
      const here = { source: source as never, domain: "short.test" };
      expect((await run(content ?? "", here)).job.result).toMatchObject({
        created: 1,
        existing: 0,
        refused: 0,
        imported_clicks: clicks,
      });
      const [link] = (await links.list({})).data;
      expect(link).toMatchObject({
        imported_clicks: clicks,
        click_count: 0,
        ...(at !== null && { created_at: at }),
      });
      // What is here already stays as it is.
      expect((await run(content ?? "", here)).job.result).toMatchObject({ existing: 1, imported_clicks: 0 });
    },
  );

  it("can be a list of URLs, or the member of a JSON object", async () => {
    const { run } = await owner();
    const { rows } = await run("https://example.com/a\nhttps://example.com/b\n");
    expect(rows.map((row) => row.split(",").slice(0, 2))).toEqual([
      ["1", "https://example.com/a"],
      ["2", "https://example.com/b"],
    ]);
    const body = { source: "list", content: "url\nhttps://example.com/c", dry_run: true };
    expect((await run(JSON.stringify(body))).job).toMatchObject({ result: { created: 1 } });
    const wrong = run(JSON.stringify({ ...body, source: "nobody" }));
    expect(await rejection(wrong)).toMatchObject({
      message: expect.stringMatching(/^source: must be one of/),
    });
  });

  it("has its columns named by the caller where it has no header", async () => {
    const { run, imports, links } = await owner();
    const slug = `named-${randomUUID()}`;
    const content = `https://example.com/a,${slug},one|two\n`;
    expect(await rejection(imports.create({ content }))).toMatchObject({
      message: expect.stringContaining("content: has 3 columns and no header; name them with columns"),
    });
    const columns = ["destination", "slug", "tags"];
    expect((await run(content, { columns })).job.result).toMatchObject({ created: 1, not_taken: [] });
    expect((await links.list({})).data).toMatchObject([
      { slug, destination: "https://example.com/a", tags: ["one", "two"] },
    ]);
    const joined = { content, columns: ["destination,-,tags"] };
    expect(await imports.create({ ...joined, dry_run: true })).toMatchObject({ not_taken: ["column 2"] });
    expect(await rejection(imports.create({ content, columns: ["destination", "colour"] }))).toMatchObject({
      message: expect.stringMatching(/^columns: "colour" is not a field of a link/),
    });
  });

  it("says in its job, too, what is not taken over and how many rows are refused, from the start", async () => {
    const { imports, jobs, core } = await owner();
    const content = "url,title,colour\nhttps://example.com/,a,b,c\nhttps://example.com/,a,b";
    const started = await imports.create({ content, columns: ["url", "title", "-"] });
    expect(started).toMatchObject({ not_taken: ["colour"], refused: 1 });
    const { job_id: id } = started;
    expect(await jobs.get({ id })).toMatchObject({ done: 0, result: { not_taken: ["colour"], refused: 1 } });
    await core.jobs.run();
    expect(await jobs.get({ id })).toMatchObject({
      done: 2,
      result: { created: 1, not_taken: ["colour"], refused: 1 },
    });
  });

  it("is refused with more rows than the plan has links", async () => {
    const own = await createTestCore({ freeLinks: 2 });
    onTestFinished(own.close);
    const { imports } = await owner("free", own);
    const content = "https://example.com/\n".repeat(3);
    expect(await rejection(imports.create({ content }))).toEqual({
      code: "BAD_REQUEST",
      message: "content: has 3 links; the plan allows 2 in one import",
    });
  });

  it.each([
    [
      "an unclosed quote",
      'url\nhttps://example.com/\n"https://example.com/',
      /^content: line 3: a quote opens here and is never closed$/,
    ],
    ["no rows", "url,slug\n", "content: must have at least one link"],
    ["numbers", "[1, 2]", "content: has no list of links"],
    ["nothing", " \n", "content: must have at least one link"],
  ])("with %s is refused", async (_, content, message) => {
    const { imports } = await owner();
    const refused = await rejection(imports.create({ content }));
    expect(refused.message).toMatch(message);
  });
});

it("an import beyond the limit of creations goes on when it allows more, and creates nothing twice", async () => {
  const own = await createTestCore({ rateLimits: { pro: 4 } });
  onTestFinished(own.close);
  const { run, links, core, jobs } = await owner("pro", own);
  const list = [
    "https://example.com/0",
    "nonsense",
    ...[1, 2, 3, 4, 5].map((n) => `https://example.com/${n}`),
  ];
  const { job, rows } = await run(["url", ...list].join("\n"));
  expect(job).toMatchObject({ status: "running", done: 5, result: { created: 4, refused: 1 } });
  expect(rows).toHaveLength(5);
  const deps = depsOf(core);
  const limit = deps.creationLimit;
  Object.assign(deps, {
    creationLimit: { ...limit, takeMany: async (_: object, taken: number) => ({ taken, refusal: null }) },
  });
  await deps.pool.query("update jobs set leased_until = null");
  await core.jobs.run();
  expect(await jobs.get({ id: job.id })).toMatchObject({ status: "done", done: 7, result: { created: 6 } });
  expect((await links.list({})).meta.total).toBe(6);
});
