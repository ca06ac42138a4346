import { parse } from "csv-parse/sync";
import { afterAll, expect, it } from "vitest";
import type { FileReply } from "../../src/index.ts";
import { createTestCore } from "../../src/testing.ts";
import { addDomain, depsOf, url } from "../helpers.ts";

const { core, actor, close } = await createTestCore();
afterAll(close);

async function textOf({ body }: FileReply): Promise<string> {
  let text = "";
  if (typeof body === "string") return body;
  for await (const piece of body) text += piece;
  return text;
}

it("an export has every link of the list with all its fields, and no other account's", async () => {
  const owner = await actor("pro");
  const { links } = core.caller(owner);
  await addDomain(core, owner.account.id, "exports.example.net");
  await core.caller(await actor("pro")).links.create({ url });
  await links.create({ url, tags: ["b", "a"], title: '=HYPERLINK("http://evil.example")', slug: "-1" });
  await links.create({ url, domain: "exports.example.net", expires_at: "2031-01-31T12:00:00Z" });
  await links.create({
    url: "https://example.com/a,b",
    title: 'A "title", in two parts',
    geo_rules: [{ country: "DE", url: "https://de.example/" }],
    ab_test: {
      variants: [
        { url, weight: 1 },
        { url: "https://b.example/", weight: 2 },
      ],
    },
  });
  const { data } = await links.list({});

  const json = await links.export({ format: "json" });
  expect(json).toMatchObject({ content_type: "application/json; charset=utf-8", disposition: "attachment" });
  expect(JSON.parse(await textOf(json))).toEqual(data);

  const csv = parse<Record<string, string>>(await textOf(await links.export({})), { columns: true });
  expect(csv).toHaveLength(3);
  for (const [at, link] of data.entries()) {
    const { shortUrl: _, ...fields } = link;
    for (const [name, value] of Object.entries(fields)) {
      const cell = csv[at]?.[name] ?? "";
      if (name === "tags") expect(cell).toBe(link.tags.join("|"));
      else if (typeof value === "object" && value !== null) expect(JSON.parse(cell)).toEqual(value);
      else expect([name, cell]).toEqual([name, String(value ?? "").replace(/^[=-]/, "'$&")]);
    }
  }
});

it("no cell of an export is run as a formula, and an import reads it as it was", async () => {
  const owner = await actor("pro");
  const { links, jobs, imports } = core.caller(owner);
  const titles = ["=1+1", "a;=1+1", "＝1+1", "\u2060=1+1", "'=1", "a; -1"];
  for (const [at, title] of titles.entries())
    await links.create({
      url: `https://example.com/${at}?a;=1`,
      title,
      notes: "\t=1\n@SUM(1)",
      tags: ["=b;=c"],
    });
  const file = await textOf(await links.export({ sort: "created_at" }));
  for (const cell of file.split(/[,;\t\r\n]/)) expect(cell).not.toMatch(/^["\s\u2060]*[=＝@-]/);
  const before = (await links.list({ sort: "created_at" })).data;
  for (const { id } of before) await links.delete({ id });
  const { job_id } = await imports.create({ content: file, source: "terse" });
  await core.jobs.run();
  expect(await jobs.get({ id: job_id })).toMatchObject({ result: { created: titles.length } });
  const after = (await links.list({ sort: "created_at" })).data;
  const textsOf = (all: typeof after) =>
    all
      .map(({ destination, title, notes, tags }) => ({ destination, title, notes, tags }))
      .toSorted((a, b) => (a.destination < b.destination ? -1 : 1));
  expect(textsOf(after)).toEqual(textsOf(before));
});

it("CSV begins with a byte-order mark if that is asked for, and no other file does", async () => {
  const owner = await actor("pro");
  const { links, analytics, jobs, imports } = core.caller(owner);
  const { job_id } = await imports.create({ content: `${url}\n` });
  await core.jobs.run();
  const files = {
    links: (bom?: boolean) => links.export({ bom }),
    clicks: (bom?: boolean) => analytics.export({ bom }),
    job: (bom?: boolean) => jobs.result({ id: job_id, bom }),
  };
  for (const [name, file] of Object.entries(files)) {
    const plain = await textOf(await file());
    expect([name, plain[0]]).toEqual([name, expect.stringMatching(/^[a-z]$/)]);
    expect(await textOf(await file(true))).toBe(`\uFEFF${plain}`);
  }
  expect(await textOf(await links.export({ format: "json", bom: true }))).toMatch(/^\[/);
  expect(await textOf(await analytics.export({ format: "json", bom: true }))).toMatch(/^\[/);
});

it("an export follows the filters and the order of the list", async () => {
  const { links } = core.caller(await actor("pro"));
  for (const slug of ["exp-b", "exp-a", "other"])
    await links.create({ url: "https://filter.example/", slug });
  const some = JSON.parse(
    await textOf(await links.export({ format: "json", search: "EXP-", sort: "slug", state: "active" })),
  ) as { slug: string }[];
  expect(some.map(({ slug }) => slug)).toEqual(["exp-a", "exp-b"]);
  const text = await textOf(await links.export({ search: "'; drop table links; --\\" }));
  expect(text.trim().split("\r\n")).toHaveLength(1);
  expect(await textOf(await links.export({ format: "json", search: "nothing like this" }))).toBe("[]\n");
});

it("an export of many links is read in pieces", async () => {
  const owner = await actor("pro");
  const { links } = core.caller(owner);
  const list = Array.from({ length: 1000 }, (_, at) => ({ url: `https://example.com/${at}` }));
  for (let round = 0; round < 2; round++) await links.bulkCreate({ links: list, on_error: "stop" });
  const { body } = await links.export({ format: "json" });
  const pieces: string[] = [];
  for await (const piece of body) pieces.push(piece);
  expect(pieces).toHaveLength(5);
  const all = JSON.parse(pieces.join("")) as { id: string }[];
  expect(new Set(all.map(({ id }) => id)).size).toBe(2000);
  expect(depsOf(core).pool.idleCount).toBe(depsOf(core).pool.totalCount);
});
