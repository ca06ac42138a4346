import { parse } from "csv-parse/sync";
import { afterAll, expect, it } from "vitest";
import type { FileReply } from "../../src/index.ts";
import { createTestCore } from "../../src/testing/index.ts";
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
