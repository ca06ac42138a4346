import { randomUUID } from "node:crypto";
import { afterAll, describe, expect, it } from "vitest";
import type { Core } from "../../../src/index.ts";
import { createTestCore } from "../../../src/testing.ts";
import { until } from "@terse/testkit";
import { addDomain, depsOf, second } from "../../helpers.ts";
import { anotherCore, answer, countStatements, visitor, watchingCore } from "../../redirects/helpers.ts";
import { item } from "./helpers.ts";

const { core, databaseUrl, actor, close } = await createTestCore();
afterAll(close);
const owner = await actor("pro");
const { buckets } = core.caller(owner);
const [a, b] = [item("a"), item("b")];
const make = (slug?: string) => buckets.create({ name: "Before", links: [a, b], ...(slug && { slug }) });

/** The page that a node shows for a slug. */
async function shown(node: Core, slug: string) {
  const decision = await node.redirects.resolve("short.test", slug, visitor);
  return decision.kind === "bucket" ? decision.page : null;
}

describe("a bucket's short URL", () => {
  it("shows its name and its links, each with its own short URL", async () => {
    const { id, slug } = await make();
    expect(await core.redirects.resolve("short.test", slug, visitor)).toEqual({
      kind: "bucket",
      link_id: id,
      page: {
        name: "Before",
        description: null,
        accent_color: null,
        avatar: null,
        url: `http://short.test/${slug}`,
        links: [
          { title: "a", url: `http://short.test/${slug}/1`, destination: a.url },
          { title: "b", url: `http://short.test/${slug}/2`, destination: b.url },
        ],
      },
    });
  });

  it("is percent-encoded if its slug requires it", async () => {
    const slug = `köln-👩‍🚀-${randomUUID()}`;
    await make(slug);
    const page = await shown(core, slug);
    expect(page?.url).toBe(`http://short.test/${encodeURIComponent(slug)}`);
    expect(page?.links[1]?.url).toBe(`${page?.url}/2`);
    expect(await answer(core, `${slug}/2`)).toBe(b.url);
  });

  it("answers on the service's own host only", async () => {
    const { slug } = await make();
    const domain = `${randomUUID()}.example`;
    await addDomain(core, owner.account.id, domain);
    expect(await answer(core, slug, domain)).toBe("not_found");
    expect(await answer(core, `${slug}/1`, domain)).toBe("not_found");
  });

  it("is not a redirect, and its items are plain redirects of the hot path", async () => {
    const { slug } = await make();
    expect([await answer(core, slug), await answer(core, `${slug}/1`)]).toEqual(["bucket", a.url]);
    expect(core.redirects.peek(slug, Date.now())).toBeNull();
    expect(core.redirects.peek(`${slug}/1`, Date.now())?.destination).toBe(a.url);
  });

  it.each(["0", "3", "01", "1.0", "-1", "1/1", "", "x"])("has no item %j", async (number) => {
    const { slug } = await make();
    expect(await answer(core, `${slug}/${number}`)).toBe("not_found");
  });

  it("needs no statement once it is cached", async () => {
    const node = await watchingCore(databaseUrl);
    const { slug } = await make();
    expect(await shown(node, slug)).not.toBeNull();
    const statements = countStatements(node);
    for (let n = 0; n < 10; n++) expect((await shown(node, slug))?.links).toHaveLength(2);
    expect(statements()).toBe(0);
  });
});

describe("a change of a bucket reaches another core within a second:", () => {
  it("its name and its list", async () => {
    const node = await watchingCore(databaseUrl);
    const { id, slug } = await make();
    expect((await shown(node, slug))?.name).toBe("Before");
    await buckets.update({ id, name: "After" });
    await until(async () => (await shown(node, slug))?.name === "After", second);
    await buckets.update({ id, links: [b, { ...a, title: "A" }] });
    await until(
      async () => (await shown(node, slug))?.links.map(({ title }) => title).join() === "b,A",
      second,
    );
    await buckets.update({ id, links: [b] });
    await until(async () => (await shown(node, slug))?.links.length === 1, second);
    await until(async () => (await answer(node, `${slug}/1`)) === "not_found", second);
  });

  it("twice in one millisecond", async () => {
    const node = await watchingCore(databaseUrl);
    const still = await anotherCore(databaseUrl, { clock: () => new Date("2026-01-01T00:00:00Z") });
    const { id, slug } = await make();
    for (const title of ["one", "two", "three"]) {
      await still.caller(owner).buckets.update({ id, links: [{ title, url: a.url }] });
      await until(async () => (await shown(node, slug))?.links[0]?.title === title, second);
    }
  });

  it("an item's destination", async () => {
    const node = await watchingCore(databaseUrl);
    const { id, slug } = await make();
    expect(await answer(node, `${slug}/1`)).toBe(a.url);
    await buckets.update({ id, links: [{ ...a, url: "https://a.example/new" }] });
    await until(async () => (await answer(node, `${slug}/1`)) === "https://a.example/new", second);
  });

  it("its slug, and those of all its items", async () => {
    const node = await watchingCore(databaseUrl);
    const { id, slug } = await make();
    const other = `renamed-${randomUUID()}`;
    const paths = ["", "/1", "/2"];
    for (const path of paths) expect(await answer(node, slug + path)).not.toBe("not_found");
    for (const path of paths) expect(await answer(node, other + path)).toBe("not_found");
    await buckets.update({ id, slug: other });
    for (const path of paths) {
      await until(async () => (await answer(node, slug + path)) === "not_found", second);
      await until(async () => (await answer(node, other + path)) !== "not_found", second);
    }
    expect((await shown(node, other))?.url).toBe(`http://short.test/${other}`);
  });

  it("its deletion, and its account's", async () => {
    const node = await watchingCore(databaseUrl);
    const { id, slug } = await make();
    const someone = await actor("pro");
    const theirs = await core.caller(someone).buckets.create({ name: "n", links: [a] });
    const paths = [slug, `${slug}/1`, theirs.slug, `${theirs.slug}/1`];
    for (const path of paths) expect(await answer(node, path)).not.toBe("not_found");
    await buckets.delete({ id });
    await depsOf(core).pool.query("delete from users where id = $1", [someone.account.id]);
    for (const path of paths) await until(async () => (await answer(node, path)) === "not_found", second);
  });
});

it("a change takes effect at once in the core that made it", async () => {
  const { id, slug } = await make(`now-${randomUUID()}`);
  expect((await shown(core, slug))?.name).toBe("Before");
  expect(await answer(core, `${slug}/3`)).toBe("not_found");
  await buckets.update({ id, name: "After", links: [a, b, item("c")] });
  expect((await shown(core, slug))?.name).toBe("After");
  expect(await answer(core, `${slug}/3`)).toBe("https://c.example/");
  await buckets.delete({ id });
  expect(await answer(core, slug)).toBe("not_found");
});
