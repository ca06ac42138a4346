import type { Link } from "@terse/core";
import { describe, expect, it } from "vitest";
import { type AnyClient, bearer, callOf, type ListedTool, startApp, textOf, type ToolResult } from "./app.ts";

const app = await startApp();
const { key, account } = await app.key("enterprise");
const client = await app.connect(key, "new", "/mcp/full");
const { tools } = await client.listTools();
const call = (name: string, args: Record<string, unknown>, by: AnyClient = client) =>
  by.callTool({ name, arguments: args });
const structured = (answer: ToolResult) => answer.structuredContent ?? {};

/** What OpenAI's strict schemas make of a call: every argument, and every field of an object, null unless it is given. */
function strictCall(tool: string, args: Record<string, unknown>): Record<string, unknown> {
  const { inputSchema } = tools.find(({ name }) => name === tool) as ListedTool;
  return filled(inputSchema, args) as Record<string, unknown>;
}
interface Schema {
  properties?: Record<string, Schema>;
  items?: Schema;
}
function filled(schema: Schema, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => filled(schema.items ?? {}, item));
  if (typeof value !== "object" || value === null || !schema.properties) return value;
  const given = value as Record<string, unknown>;
  return Object.fromEntries(
    Object.entries(schema.properties).map(([name, field]) => [name, filled(field, given[name] ?? null)]),
  );
}

const protectedLink = () => ({
  url: "https://example.com/protected",
  title: "Protected",
  notes: "Ask Ada",
  tags: ["spring"],
  password: "open sesame",
  starts_at: "2020-01-01T00:00:00.000Z",
  expires_at: "2099-01-01T00:00:00.000Z",
  click_limit: 100,
  preview: { title: "Shown" },
  rules: [{ when: { device: ["mobile"] }, url: "https://example.com/mobile" }],
  geo_rules: [{ country: "DE", url: "https://example.com/de" }],
  ab_test: { variants: [1, 3].map((weight) => ({ url: `https://example.com/${weight}`, weight })) },
  fallback_url: "https://example.com/over",
  redirect_status: 301,
  forward_path: true,
  forward_query: "keep",
});
async function newLink(): Promise<Link> {
  const answer = await call("create_link", protectedLink());
  expect(answer.isError ?? false, textOf(answer)).toBe(false);
  return structured(answer) as unknown as Link;
}
const stored = async (id: string) => (await app.rest(key, "GET", `/v1/links/${id}`)).data;

describe("update_link from a client with strict schemas, which sends null for all the rest", () => {
  it("changes what is given, clears nothing, and says that null was left out", async () => {
    const { id, ...before } = await newLink();
    const answer = await call("update_link", strictCall("update_link", { id, title: "Another" }));
    expect(answer.isError ?? false, textOf(answer)).toBe(false);
    expect(await stored(id)).toEqual({ ...before, id, title: "Another", updated_at: expect.any(String) });
    expect(structured(answer)["note"]).toMatch(
      /^Unchanged, because null: url, .*password.*; clear removes fields$/,
    );
  });

  it("is refused with the fix if nothing but null is left", async () => {
    const { id, ...before } = await newLink();
    const answer = await call("update_link", { id, password: null });
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toBe(
      'password: null leaves a field as it is; to remove it, send clear: ["password"]',
    );
    expect(await stored(id)).toEqual({ ...before, id });
  });

  it("removes what clear names, and says so", async () => {
    const { id } = await newLink();
    const clear = ["password", "rules", "tags", "preview", "forward_query"];
    const answer = await call("update_link", strictCall("update_link", { id, clear }));
    expect(answer.isError ?? false, textOf(answer)).toBe(false);
    expect(await stored(id)).toMatchObject({
      has_password: false,
      rules: [],
      tags: [],
      preview: null,
      forward_query: "none",
      title: "Protected",
      click_limit: 100,
    });
    expect(structured(answer)["note"]).toMatch(/^Removed: password, rules, tags, preview, forward_query\./);
  });

  it.each([
    [{ tags: [] }, 'tags: is empty; leave it out to keep it, or remove it with clear: ["tags"]'],
    [{ rules: "[]" }, 'rules: is empty; leave it out to keep it, or remove it with clear: ["rules"]'],
    [{ title: " " }, 'title: is empty; leave it out to keep it, or remove it with clear: ["title"]'],
    [{ preview: {} }, 'preview: is empty; leave it out to keep it, or remove it with clear: ["preview"]'],
    [{ title: "A", clear: ["title"] }, "clear: title has a value, too; send the value or clear it"],
    [{ clear: ["slug"] }, /^clear\.0: must be one of title, notes, /],
  ])("refuses %j, which could remove something by mistake", async (args, message) => {
    const { id, ...before } = await newLink();
    const answer = await call("update_link", { id, ...args });
    expect(answer.isError).toBe(true);
    expect(textOf(answer)).toMatch(message);
    expect(await stored(id)).toEqual({ ...before, id });
  });
});

it("keeps and clears fields of many links, of domains and of buckets in the same way", async () => {
  const { id } = await newLink();
  const many = await call(
    "bulk_update_links",
    strictCall("bulk_update_links", { ids: [id], set: { title: "All" }, clear: ["notes"] }),
  );
  expect(many.isError ?? false, textOf(many)).toBe(false);
  expect(await stored(id)).toMatchObject({ title: "All", notes: null, has_password: true, tags: ["spring"] });

  const caller = app.core.caller({ kind: "account", account, credential: "internal" });
  const bucket = await caller.buckets.create({
    name: "Ada",
    slug: "ada-page",
    links: [{ title: "One", url: "https://example.com/" }],
    description: "Notes",
    accent_color: "#003366",
  });
  const page = await call(
    "update_bucket",
    strictCall("update_bucket", { id: "ada-page", name: "Ada L.", clear: ["description"] }),
  );
  expect(structured(page)).toMatchObject({
    id: bucket.id,
    name: "Ada L.",
    description: null,
    accent_color: "#003366",
  });

  await caller.domains.create({ domain: "go.example.com" });
  await call("update_domain", {
    id: "go.example.com",
    root_url: "https://example.com/",
    expired_url: "https://example.com/x",
  });
  const domain = await call(
    "update_domain",
    strictCall("update_domain", { id: "https://GO.example.com", clear: ["root_url"] }),
  );
  expect(structured(domain)).toMatchObject({ root_url: null, expired_url: "https://example.com/x" });
});

it("never changes or deletes more links because a condition was null", async () => {
  const other = await newLink();
  for (const filter of [null, { tag: null }, { search: null, tag: [null] }, "null"]) {
    const answer = await call("bulk_delete_links", { filter });
    expect(textOf(answer)).toBe("ids: send either ids or a filter");
  }
  const none = await call("bulk_delete_links", { filter: { tag: ["null"] } });
  expect(structured(none)).toMatchObject({ matched: 0 });
  expect(await stored(other.id)).toMatchObject({ id: other.id });
});

it.each([
  ["null as text", { title: "null", password: "null", click_limit: "null" }],
  ["a list of null", { tags: ["null"], rules: [null] }],
  ["an object of nulls", { preview: { title: null, image: "null" }, ab_test: { variants: null } }],
])("creates a link that has %s as if it was left out", async (_, args) => {
  const answer = await call("create_link", { url: "https://example.com/", ...args });
  expect(answer.isError ?? false, textOf(answer)).toBe(false);
  expect(structured(answer)).toMatchObject({
    title: null,
    has_password: false,
    click_limit: null,
    tags: [],
    rules: [],
    preview: null,
    ab_test: null,
  });
});

it("reads lists and objects that were sent as JSON in a string", async () => {
  const answer = await call("create_link", {
    url: "https://example.com/",
    tags: '["spring", "sale"]',
    rules: '[{"when": {"device": ["mobile"]}, "url": "https://example.com/m"}]',
    ab_test: {
      variants: '[{"url":"https://example.com/a","weight":1},{"url":"https://example.com/b","weight":2}]',
    },
  });
  expect(answer.isError ?? false, textOf(answer)).toBe(false);
  expect(structured(answer)).toMatchObject({
    tags: ["sale", "spring"],
    rules: [{ when: { device: ["mobile"] } }],
  });
  const wrong = await call("create_link", { url: "https://example.com/", tags: "[spring" });
  expect(textOf(wrong)).toMatch(/^tags: expected array, received string/);
  const mixed = await call("create_link", { url: "https://example.com/", tags: ["spring", null] });
  expect(textOf(mixed)).toMatch(/^tags\.1: expected string, received null/);
});

it("refuses null for the value of a query condition, where it would turn the rule into its opposite", async () => {
  const rules = [{ when: { query: [{ name: "ref", value: null }] }, url: "https://example.com/" }];
  const answer = await call("create_link", { url: "https://example.com/", rules });
  expect(answer.isError).toBe(true);
  expect(textOf(answer)).toMatch(
    /^rules\.0\.when\.query\.0\.value: null is not accepted here; leave it out for any value/,
  );
});

it.each([null, "null", "", "{}", undefined])("takes arguments: %j for none", async (args) => {
  const response = await app.post(
    { ...callOf("list_links", {}), params: { name: "list_links", arguments: args } },
    bearer(key),
  );
  expect(await response.text()).toContain('"total"');
});

it("takes the arguments as JSON in a string, and refuses what is no object with the fix", async () => {
  const post = async (args: unknown) =>
    (
      await app.post(
        { ...callOf("get_link", {}), params: { name: "get_link", arguments: args } },
        bearer(key),
      )
    ).text();
  expect(await post('{"id":"never-there"}')).toContain("Link not found");
  expect(await post("never-there")).toContain(
    "params.arguments: must be an object with the tool's arguments",
  );
});

it("says what a dry run would do, in the sentence and in the answer", async () => {
  const { id } = await newLink();
  const created = await call("bulk_create_links", {
    links: [{ url: "https://example.com/" }],
    on_error: "stop",
    dry_run: true,
  });
  const changed = await call("bulk_update_links", { ids: [id], set: { is_active: 0 }, dry_run: true });
  const deleted = await call("bulk_delete_links", { ids: [id], dry_run: true });
  expect([created, changed, deleted].map(textOf)).toEqual([
    "Dry run, nothing was changed: 1 link would be created, 0 would be refused",
    "Dry run, nothing was changed: 1 of 1 link would be changed, 0 would not",
    "Dry run, nothing was changed: 1 of 1 link would be deleted, 0 would not",
  ]);
  for (const answer of [created, changed, deleted])
    expect(structured(answer)["note"]).toBe("Dry run: nothing was changed");
});

it("takes tags, domains and buckets by the names that people use", async () => {
  const own = await app.key("enterprise");
  const by = await app.connect(own.key, "new", "/mcp/full");
  const caller = app.core.caller({ kind: "account", account: own.account, credential: "internal" });
  await caller.links.create({ url: "https://example.com/", tags: ["Grün", "old"] });
  const links = [{ title: "One", url: "https://example.com/" }];
  const ada = await caller.buckets.create({ name: "Ada Lovelace", slug: "ada", links });
  await caller.buckets.create({ name: "Twice", slug: "one", links });
  await caller.buckets.create({ name: "twice", slug: "two", links });
  const domain = await caller.domains.create({ domain: "bücher.example" });

  const renamed = await call("rename_tag", { id: "GRÜN", name: "green" }, by);
  expect(textOf(renamed)).toBe("The tag is now green, on 1 links");
  expect(textOf(await call("delete_tag", { id: "old" }, by))).toBe("The tag is deleted; its links stay");
  expect(textOf(await call("delete_tag", { id: "old" }, by))).toBe("Tag not found: list_tags has them all");
  for (const id of [
    "ada",
    "Ada Lovelace",
    "ada lovelace",
    ada.shortUrl,
    ada.shortUrl.replace("http://", ""),
    ada.id,
  ])
    expect(structured(await call("get_bucket", { id }, by)), id).toMatchObject({ id: ada.id });
  expect(textOf(await call("get_bucket_stats", { id: "Twice" }, by))).toBe(
    "id: 2 have this name; give one of two, one",
  );
  for (const id of ["bücher.example", "xn--bcher-kva.example", "https://BÜCHER.example/", domain.id])
    expect(
      structured(await call("update_domain", { id, root_url: "https://example.com/" }, by)),
      id,
    ).toMatchObject({
      id: domain.id,
    });
  const stranger = await call("get_bucket", { id: "ada" });
  expect(textOf(stranger)).toBe("Bucket not found: list_buckets has them all");
});
