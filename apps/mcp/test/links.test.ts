import type { Link } from "@terse/core";
import { describe, expect, it } from "vitest";
import { type AnyClient, startApp, textOf } from "./app.ts";
import { tokensOf } from "./tokens.ts";
import { seedAccount } from "./tool-samples.ts";

const app = await startApp();
const call = async (client: AnyClient, name: string, args: Record<string, unknown>) =>
  client.callTool({ name, arguments: args });
const linkOf = (answer: { structuredContent?: object }) => answer.structuredContent as Link;

it("makes, finds, changes and deletes a link in one conversation", async () => {
  const client = await app.connect(await app.someKey());
  const created = await call(client, "create_link", { url: "https://example.com/a", slug: "Été" });
  expect(textOf(created)).toBe("Created http://short.test/%C3%89t%C3%A9 → https://example.com/a: 0 clicks");
  const found = await call(client, "list_links", { search: "été" });
  expect(textOf(found).split("\n")[0]).toBe("1 link, page 1 of 1");

  const updated = await call(client, "update_link", {
    id: "Été",
    url: "https://example.com/b",
    title: "Summer",
  });
  expect(linkOf(updated)).toEqual({
    ...linkOf(created),
    destination: "https://example.com/b",
    title: "Summer",
    updated_at: expect.any(String),
  });
  const cleared = await call(client, "update_link", {
    id: linkOf(created).shortUrl,
    clear: ["title"],
  });
  expect(linkOf(cleared)).toMatchObject({ destination: "https://example.com/b", title: null });

  const deleted = await call(client, "delete_link", { id: "short.test/Été" });
  expect(deleted.structuredContent).toEqual({ id: linkOf(created).id, deleted: true });
  expect(textOf(await call(client, "get_link", { id: "Été" }))).toBe("Link not found");
  expect(
    linkOf(await call(client, "create_link", { url: "https://example.com/c", slug: "Été" })).click_count,
  ).toBe(0);
});

it("tells the history of a deleted link by its id, and brings the link back", async () => {
  const client = await app.connect(await app.someKey(), "new", "/mcp/full");
  const { id } = linkOf(
    await call(client, "create_link", { url: "https://example.com/", slug: "brought-back" }),
  );
  await call(client, "delete_link", { id });
  const history = await call(client, "get_link_history", { id });
  const { changes = [] } = history.structuredContent as { changes?: { id: string; action: string }[] };
  expect(changes.map(({ action }) => action)).toEqual(["delete", "create"]);
  await call(client, "undo_change", { id: changes[0]?.id });
  expect(linkOf(await call(client, "get_link", { id: "brought-back" })).id).toBe(id);
  for (const unknown of ["never-there", "00000000-0000-7000-8000-000000000000"])
    expect(textOf(await call(client, "get_link_history", { id: unknown }))).toBe("Link not found");
});

it("gives a QR code as a PNG to look at, and as an SVG once", async () => {
  const client = await app.connect(await app.someKey());
  await call(client, "create_link", { url: "https://example.com/", slug: "poster" });
  const answer = await call(client, "generate_qr", { id: "poster", size: 3000 });
  const [sentence, image, ...more] = answer.content;
  expect(sentence?.text).toBe("QR code poster.svg, as an image; its SVG is in body");
  expect(image).toMatchObject({ type: "image", mimeType: "image/png" });
  const png = Buffer.from(image?.data ?? "", "base64");
  expect([png.readUInt32BE(16), png.readUInt32BE(20)]).toEqual([512, 512]);
  expect(more).toEqual([]);
  expect(answer.structuredContent?.["body"]).toMatch(/^<svg [^>]*width="3000"[^]*<\/svg>\s*$/);
  const refused = await call(client, "generate_qr", { id: "poster", color: "#eee" });
  expect(textOf(refused)).toMatch(/^color: must be darker than background/);
});

describe("list_links", () => {
  const url = `https://example.com/${"a".repeat(7_900)}`;

  it("needs fewer than 1,500 tokens for a page of links with the longest titles and destinations", async () => {
    const client = await app.connect(await app.someKey());
    for (let n = 0; n < 20; n++) await call(client, "create_link", { url, title: "\u{1F9C0}".repeat(120) });
    const { content, structuredContent } = await call(client, "list_links", {});
    const texts = content.map(({ text }) => text).join("\n");
    for (const text of [texts, JSON.stringify(structuredContent)]) expect(tokensOf(text)).toBeLessThan(1_500);
    const row = (of: number) => ({
      id: expect.any(String),
      shortUrl: expect.any(String),
      destination: `${url.slice(0, 24 * of - 1)}…`,
      title: `${"\u{1F9C0}".repeat(Math.floor((20 * of - 1) / 6))}…`,
      click_count: 0,
    });
    expect(structuredContent).toMatchObject({ links: Array.from({ length: 20 }, () => row(1)) });
    const few = await call(client, "list_links", { limit: 5 });
    expect(few.structuredContent).toMatchObject({ links: Array.from({ length: 5 }, () => row(4)) });
  });

  it("gives the selected fields in full", async () => {
    const client = await app.connect(await app.someKey());
    const { shortUrl } = linkOf(await call(client, "create_link", { url, title: "One" }));
    const answer = await call(client, "list_links", { fields: ["shortUrl", "destination"] });
    expect(answer.structuredContent?.["links"]).toEqual([{ shortUrl, destination: url }]);
    const refused = await call(client, "list_links", { fields: ["clicks"] });
    expect(textOf(refused)).toMatch(/^fields\.0: must be one of id, slug, /);
  });
});

describe("a refusal", () => {
  it("of a slug that is taken has REST's message", async () => {
    const client = await app.connect(await app.someKey());
    await call(client, "create_link", { url: "https://example.com/", slug: "taken" });
    const answer = await call(client, "create_link", { url: "https://example.com/", slug: "taken" });
    expect(textOf(answer)).toBe('slug: "taken" is already taken on this domain; choose another one');
  });

  it("past the rate limit says when to try again", async () => {
    const limited = await startApp({ rateLimits: { pro: 1 } });
    const client = await limited.connect(await limited.someKey());
    await call(client, "create_link", { url: "https://example.com/" });
    const answer = await call(client, "create_link", { url: "https://example.com/" });
    expect(textOf(answer)).toMatch(/^Rate limit exceeded: .* try again in \d+ s$/);
  });

  it("after an internal error shows no cause, which is in the log", async () => {
    let id: string | null = null;
    const broken = await startApp({ newId: () => id ?? crypto.randomUUID() });
    const { key } = await seedAccount(broken);
    const client = await broken.connect(key);
    id = "no-uuid";
    const answer = await call(client, "create_link", { url: "https://example.com/secret" });
    expect(answer).toMatchObject({ isError: true });
    expect(textOf(answer)).toBe("Internal server error");
    const lines = broken.log.filter((line) => line.includes('"level":"error"'));
    expect(lines).toHaveLength(1);
    expect(JSON.parse(lines[0] ?? "")).toMatchObject({
      tool: "create_link",
      status: 500,
      request_id: expect.any(String),
    });
    expect(lines[0]).not.toContain("secret");
  });
});
