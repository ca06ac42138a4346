import { DeadlockException } from "@mikro-orm/core";
import { afterAll, describe, expect, it } from "vitest";
import { slugUpdateError } from "../../src/links/unique-slug.ts";
import { createTestCore } from "../../src/testing.ts";
import { depsOf, rejection, url } from "../helpers.ts";

const { core, actor, close } = await createTestCore();
afterAll(close);
const { links, buckets } = core.caller(await actor("pro"));
const { id } = await links.create({ url });
const bucket = await buckets.create({ name: "Page", links: [{ title: "A", url }] });
const deadlock = new DeadlockException(Object.assign(new Error("deadlock detected"), { code: "40P01" }));
const refusalOf = (slug?: string) =>
  slugUpdateError(depsOf(core), deadlock, { id, domain_id: "00000000-0000-0000-0000-000000000000", slug });

describe("an update that PostgreSQL ended because of a deadlock", () => {
  it("is 409 if another link has the requested slug", async () => {
    const { slug } = await links.create({ url });
    expect(await refusalOf(slug)).toMatchObject({ code: "CONFLICT" });
  });

  it.each([undefined, "free"])("is 503 if the deadlock had another cause: slug %s", async (slug) => {
    expect(await refusalOf(slug)).toMatchObject({ code: "SERVICE_UNAVAILABLE", retryAfter: 1 });
  });

  it("is 503 if the requested slug is its own", async () => {
    expect(await refusalOf((await links.get({ id })).slug)).toMatchObject({ code: "SERVICE_UNAVAILABLE" });
  });
});

describe("a write that concurrent changes keep from happening", () => {
  const name = "never written";
  const busy = {
    code: "SERVICE_UNAVAILABLE",
    message: "Another change was made at the same time; try again",
  };

  it.each([
    ["creating a link", "links", () => links.create({ url, slug: "wanted", title: name })],
    ["creating a link without a slug", "links", () => links.create({ url, title: name })],
    ["changing a link", "links", () => links.update({ id, title: name })],
    ["changing its tags too", "links", () => links.update({ id, title: name, tags: ["a"] })],
    [
      "creating a bucket",
      "buckets",
      () => buckets.create({ name, slug: "wanted", links: [{ title: "A", url }] }),
    ],
    ["changing a bucket", "buckets", () => buckets.update({ id: bucket.id, name })],
  ])("ends with 503: %s", async (_, table, write) => {
    const { pool } = depsOf(core);
    const column = table === "links" ? "title" : "name";
    // As if a host were a short-link host whenever a row is written, and not when it is looked up.
    await pool.query(`
      create or replace function skip() returns trigger language plpgsql as 'begin return null; end';
      create trigger skip before insert or update on ${table} for each row
      when (new.${column} = '${name}') execute function skip()`);
    try {
      expect(await rejection(write())).toEqual(busy);
    } finally {
      await pool.query(`drop trigger skip on ${table}`);
    }
  });
});
