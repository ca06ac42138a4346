import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Actor, Link } from "../../src/index.ts";
import { createTestCore } from "../../src/testing.ts";
import { addDomain, named, rejection, unknownId, url } from "../helpers.ts";

const { core, actor, close } = await createTestCore({ shortBase: "http://short.test:3001" });
afterAll(close);

let owner: Actor & { kind: "account" };
const create = (input: { slug?: string; domain?: string }, as: Actor = owner) =>
  core.caller(as).links.create({ url, ...input });
const locate = (id: string, as: Actor = owner) => core.caller(as).links.locate({ id });
const notFound = { code: "NOT_FOUND", message: "Link not found" };

beforeAll(async () => {
  owner = await actor("pro");
  await addDomain(core, owner.account.id, "go.example");
});

describe("a link on the service's own host", () => {
  let link: Link;
  beforeAll(async () => {
    link = await create({ slug: "Café-☕" });
  });

  it("is found by its id", async () => {
    expect(await locate(link.id)).toEqual({ id: link.id });
  });

  it.each(
    named([
      "Café-☕",
      "Cafe\u0301-☕",
      "Caf%C3%A9-%E2%98%95",
      "http://short.test:3001/Café-☕",
      "http://short.test:3001/Caf%C3%A9-%E2%98%95?utm_source=x#top",
      "https://SHORT.test.:3001/Café-☕",
      "short.test:3001/Café-☕",
      "http://short.test:3001/Café-☕/",
      "http://short.test:3001/Café-☕+",
      "http://short.test:3001/Café-☕%2B",
      "http://short.test:3001/Café-☕).",
      "http://short.test:3001/Café-☕&amp;utm_source=x",
      "http://short.test:3001/Café-☕%3Futm_source=x",
      "http://short.test:3001/Café-☕…",
      "http://short.test:3001/Café-☕\u200B",
      " \u200Bhttp://short.test:3001/Café-☕ \n",
      " Café-☕ ",
      "Café-☕+",
      "Café-☕,",
      "Café-☕?utm_source=x",
    ]),
  )("is found by %s", async (_name, text) => {
    expect(await locate(text)).toEqual({ id: link.id });
  });

  it.each(
    named([
      "café-☕",
      "http://short.test/Café-☕",
      "http://short.test:3000/Café-☕",
      "http://other.test:3001/Café-☕",
      "http://go.example/Café-☕",
      "http://short.test:3001/Café-☕//",
      "http://short.test:3001/Café-☕.html",
      "http://short.test:3001/x/Café-☕",
      "ftp://short.test:3001/Café-☕",
      "/Café-☕",
    ]),
  )("is not found by %s", async (_name, text) => {
    expect(await rejection(locate(text))).toEqual(notFound);
  });

  it("is not found by another account, in any form", async () => {
    const stranger = await actor("enterprise");
    for (const text of [link.id, link.slug, link.shortUrl]) {
      expect(await rejection(locate(text, stranger))).toEqual(notFound);
    }
  });
});

it("finds a link on a custom domain by its slug and by its short URL", async () => {
  const link = await create({ slug: "only-there", domain: "go.example" });
  for (const text of ["only-there", "http://go.example/only-there", "GO.example/only-there"]) {
    expect(await locate(text)).toEqual({ id: link.id });
  }
  expect(await rejection(locate("http://short.test:3001/only-there"))).toEqual(notFound);
});

it("refuses to choose between two links with the same slug", async () => {
  const own = await create({ slug: "twice" });
  const custom = await create({ slug: "twice", domain: "go.example" });
  const { code, message } = await rejection(locate("twice"));
  expect(code).toBe("BAD_REQUEST");
  expect(message).toContain(own.shortUrl);
  expect(message).toContain(custom.shortUrl);
  expect(await locate(own.shortUrl)).toEqual({ id: own.id });
  expect(await locate(custom.shortUrl)).toEqual({ id: custom.id });
});

it("prefers an id to a slug that looks the same", async () => {
  const first = await create({});
  const second = await create({ slug: first.id });
  expect(await locate(first.id)).toEqual({ id: first.id });
  expect(await locate(second.shortUrl)).toEqual({ id: second.id });
  const lookalike = await create({ slug: unknownId });
  expect(await locate(unknownId)).toEqual({ id: lookalike.id });
});

it("finds no link on another account's domain", async () => {
  const neighbour = await actor("pro");
  await addDomain(core, neighbour.account.id, "near.example");
  const link = await create({ slug: "next-door", domain: "near.example" }, neighbour);
  expect(await rejection(locate(link.shortUrl))).toEqual(notFound);
  expect(await rejection(locate("next-door"))).toEqual(notFound);
});

it.each(
  named(["", " ", "%", "%00", "\0", "\uD800", "..", "/", "//", "http://", "http://[", "a".repeat(4096)]),
)("finds nothing by %s", async (_name, text) => {
  expect(await rejection(locate(text))).toEqual(notFound);
});
