import { createServer } from "node:net";
import { appRouter, issueCodes } from "@terse/core";
import { operationsOf } from "@terse/http";
import { png } from "@terse/testkit/png";
import { until } from "@terse/testkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import {
  type ApiError,
  type Client,
  ConflictError,
  ConnectionError,
  createClient,
  ForbiddenError,
  type Link,
  NotFoundError,
  PreconditionFailedError,
  RateLimitError,
  TimeoutError,
  UnauthorizedError,
} from "../src/index.ts";
import { startService } from "./service.ts";

const service = await startService();
service.core.jobs.start();
const { key } = await service.key("enterprise");
const terse = createClient({ baseUrl: service.url, key });
const url = "https://example.com/";

/** A `fetch` whose first answers are what `before` says, or lost after the service has given them. */
function failing(failures: (Response | "lost" | "not sent")[]): typeof fetch & { sent: Request[] } {
  const sent: Request[] = [];
  const send: typeof fetch = async (input, init) => {
    const request = new Request(input, init);
    sent.push(request.clone());
    const failure = failures.shift();
    if (failure instanceof Response) return failure;
    if (failure === "not sent") throw new TypeError("fetch failed");
    const response = await fetch(request);
    if (failure === "lost") throw new TypeError("fetch failed");
    return response;
  };
  return Object.assign(send, { sent });
}
const failingClient = (...failures: (Response | "lost" | "not sent")[]) => {
  const send = failing(failures);
  return { terse: createClient({ baseUrl: service.url, key, fetch: send }), sent: send.sent };
};
async function itemsOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}
const later = (status: number) => new Response("{}", { status, headers: { "Retry-After": "0" } });

it("names the workspace that it is for: a session's calls are about it, and a key of another one gets 404", async () => {
  const account = await service.account("enterprise");
  const { token } = await service.core.sessions.create(account.id);
  const signedIn = (workspace?: string) =>
    createClient({ baseUrl: service.url, workspace, headers: { Cookie: `session=${token}` } });
  const { id, slug } = await signedIn().workspaces.create({ name: "Acme" });
  const { id: link } = await signedIn(slug).links.create({ url });
  expect((await signedIn().users.me()).workspace.slug).toBe("personal");
  for (const named of [id, slug]) {
    expect((await signedIn(named).users.me()).workspace).toMatchObject({ id, role: "owner" });
    expect((await signedIn(named).links.list()).data).toMatchObject([{ id: link }]);
  }
  expect((await signedIn().links.list()).data).toEqual([]);
  for (const options of [{ key }, { headers: { Cookie: `session=${token}` } }]) {
    const strange = createClient({ baseUrl: service.url, workspace: "0190-none", ...options });
    await expect(strange.links.list()).rejects.toBeInstanceOf(NotFoundError);
  }
  const own = createClient({ baseUrl: service.url, key, workspace: "personal" });
  expect((await own.users.me()).workspace.personal).toBe(true);
});

it("has every operation of the REST API, under the name of its procedure", () => {
  const names = Object.entries(terse).flatMap(([group, calls]) =>
    Object.keys(calls as object).map((name) => `${group}.${name}`),
  );
  expect(names.toSorted()).toEqual(
    operationsOf(appRouter)
      .map(({ name }) => name)
      .toSorted(),
  );
});

it("creates, reads, changes and deletes a link", async () => {
  const link: Link = await terse.links.create({ url, slug: "größe", tags: ["a", "b"], expires_at: null });
  expect(await terse.links.get({ id: link.id })).toEqual(link);
  expect(await terse.links.update({ ...link, title: "New" })).toMatchObject({
    title: "New",
    tags: ["a", "b"],
  });
  expect(await terse.links.list({ tag: ["a", "b"], search: "größe" })).toMatchObject({
    data: [{ id: link.id }],
    meta: { page: 1, total: 1 },
  });
  expect(await terse.links.delete({ id: link.id })).toEqual({ id: link.id, deleted: true });
});

it("gives meta and headers with answer()", async () => {
  const anonymous = createClient({ baseUrl: `${service.url}/` });
  const { data, meta, response } = await anonymous.links.create({ url }).answer();
  expect(data.destination).toBe(url);
  expect(meta).toEqual({ deleted_unless_clicked_by: expect.any(String) });
  expect(response.headers.get("RateLimit")).toMatch(/^"/);
});

describe("an error", () => {
  it("has a class, a code, the service's sentence and the id of the request", async () => {
    const link = await terse.links.create({ url });
    const error = await terse.links.create({ url, slug: link.slug }).catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(ConflictError);
    expect(error).toMatchObject({
      name: "ConflictError",
      code: "CONFLICT",
      status: 409,
      message: expect.stringContaining("slug"),
      requestId: expect.stringMatching(/./),
    });
  });

  it("has everything that is wrong, by field and code, and without problem details nothing", async () => {
    const wrong = { url: "ftp://example.com/", slug: "a b" };
    const error = (await terse.links.create(wrong).catch((reason: unknown) => reason)) as ApiError;
    expect(error.issues.map(({ path }) => path)).toEqual([["url"], ["slug"]]);
    const [{ path, code, message } = { path: [], code: undefined, message: "" }] = error.issues;
    expect(error.message).toBe(`${path.join(".")}: ${message}`);
    expect(issueCodes).toContain(code);
    const plain = createClient({ baseUrl: service.url, key, headers: { Accept: "application/json" } });
    const { message: sentence } = error;
    await expect(plain.links.create(wrong)).rejects.toMatchObject({ message: sentence, issues: [] });
  });

  it.each<[string, (client: Client) => PromiseLike<unknown>, unknown]>([
    ["404", (client) => client.links.get({ id: "none" }), NotFoundError],
    ["401", () => createClient({ baseUrl: service.url, key: "terse_wrong" }).users.me(), UnauthorizedError],
    ["a file's 404", (client) => client.links.qr({ id: "none" }), NotFoundError],
    [
      "a host that is not there",
      () => createClient({ baseUrl: "http://127.0.0.1:1", retries: 0 }).users.me(),
      ConnectionError,
    ],
    ["an empty id", (client) => client.links.delete({ id: "" }), TypeError],
  ])("of %s", async (_, call, Type) => {
    await expect(call(terse)).rejects.toBeInstanceOf(Type);
  });

  it("403 of a plan without the feature", async () => {
    const { key: free } = await service.key("free");
    const client = createClient({ baseUrl: service.url, key: free });
    const refused = client.links.create({ url, password: "swordfish" });
    await expect(refused).rejects.toBeInstanceOf(ForbiddenError);
    await expect(refused).rejects.toMatchObject({ status: 403, code: "FORBIDDEN" });
  });
});

describe("a request is sent again", () => {
  it("with the same Idempotency-Key, so that it has one effect even if its answer is lost", async () => {
    const { terse: client, sent } = failingClient("lost", later(503));
    const { response } = await client.links.create({ url, title: "Once" }).answer();
    expect(response.headers.get("Idempotency-Replayed")).toBe("true");
    expect(sent).toHaveLength(3);
    expect(new Set(sent.map(({ headers }) => headers.get("idempotency-key"))).size).toBe(1);
    expect((await terse.links.list({ search: "Once" })).meta.total).toBe(1);
  });

  it("when Retry-After allows it, and as often as `retries` says", async () => {
    const { terse: client, sent } = failingClient(later(429), later(429));
    expect(await client.users.me()).toMatchObject({ plan: "enterprise" });
    expect(sent).toHaveLength(3);
    const patient = failingClient(later(429), later(429));
    await expect(patient.terse.users.me({ retries: 1 })).rejects.toBeInstanceOf(RateLimitError);
    expect(patient.sent).toHaveLength(2);
  });

  it("by a caller without an account only if nothing can have happened", async () => {
    const send = failing([later(429), "lost"]);
    const anonymous = createClient({ baseUrl: service.url, fetch: send });
    await expect(anonymous.links.create({ url })).rejects.toBeInstanceOf(ConnectionError);
    expect(send.sent).toHaveLength(2);
  });

  it("never after other refusals, nor if the service asks for more patience than `maxWait`", async () => {
    const { terse: client, sent } = failingClient(later(400));
    await expect(client.users.me()).rejects.toMatchObject({ status: 400 });
    expect(sent).toHaveLength(1);
    const busy = await startService({ rateLimits: { anonymous: 1, free: 1, pro: 1, enterprise: 1 } });
    const limited = createClient({ baseUrl: busy.url, key: (await busy.key("free")).key, maxWait: 10 });
    await limited.links.create({ url });
    await expect(limited.links.create({ url })).rejects.toMatchObject({
      name: "RateLimitError",
      retryAfter: expect.any(Number),
    });
  });
});

describe("a list", () => {
  const count = 230;
  let client: Client;
  beforeAll(async () => {
    client = createClient({ baseUrl: service.url, key: (await service.key("pro")).key });
    await client.links.bulkCreate({
      links: Array.from({ length: count }, () => ({ url })),
      on_error: "stop",
    });
  });

  it("awaited is one page; with `for await` it is all of it", async () => {
    const page = await client.links.list({ limit: 7, page: 2 });
    expect(page.data).toHaveLength(7);
    expect(page.meta).toMatchObject({ page: 2, limit: 7, total: count });
    const all = await itemsOf(client.links.list());
    expect(new Set(all.map(({ id }) => id)).size).toBe(count);
    const pages = await itemsOf(client.links.list({ limit: 90, sort: "slug" }).pages());
    expect(pages.map(({ data }) => data.length)).toEqual([90, 90, 50]);
  });

  it("names no link twice that moved to the next page meanwhile", async () => {
    const seen: string[] = [];
    for await (const { id } of client.links.list()) {
      seen.push(id);
      if (seen.length === 50) await client.links.create({ url });
    }
    expect(seen).toHaveLength(count);
    expect(new Set(seen).size).toBe(count);
  });
});

describe("files", () => {
  it("come as responses, whose bodies are streams", async () => {
    const link = await terse.links.create({ url, slug: "file" });
    const svg = await terse.links.qr({ id: link.id, color: "#036" });
    expect(svg.headers.get("Content-Type")).toMatch("image/svg+xml");
    expect(await svg.text()).toMatch(/^<svg/);
    const csv = await terse.links.export({ format: "csv", search: "file" });
    let text = "";
    for await (const chunk of csv.body!.pipeThrough(new TextDecoderStream())) text += chunk;
    expect(text).toContain(link.shortUrl);
  });

  it("are sent as they are, with their type", async () => {
    const image = png(8, 8);
    const bucket = await terse.buckets.create({ name: "Page", links: [{ title: "A", url }] });
    const bytes = new Uint8Array(image);
    expect((await terse.buckets.setAvatar({ id: bucket.id, image: bytes })).avatar_url).toMatch(/^http/);
    const blob = new Blob([bytes], { type: "image/png" });
    expect((await terse.buckets.setAvatar({ id: bucket.id, image: blob })).avatar_url).toMatch(/^http/);
    const started = await terse.imports.create({
      content: "url,slug\r\nhttps://example.com/,imported\r\n",
      dry_run: true,
    });
    await until(async () => (await terse.jobs.get({ id: started.job_id })).status === "done");
    const job = await terse.jobs.get({ id: started.job_id });
    expect(job.result).toMatchObject({ created: 1 });
  });
});

describe("a call ends", () => {
  const silent = createServer(() => {});
  let address: string;
  beforeAll(async () => {
    await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
    address = `http://127.0.0.1:${(silent.address() as { port: number }).port}`;
  });
  afterAll(() => silent.close());

  it("with an error after its timeout", async () => {
    const client = createClient({ baseUrl: address, key, retries: 1, timeout: 5 });
    await expect(client.users.me()).rejects.toBeInstanceOf(TimeoutError);
  });

  it("with the reason of its signal, while it waits for an answer and before it is sent again", async () => {
    const client = createClient({ baseUrl: address, key });
    const reason = new Error("enough");
    const waiting = new AbortController();
    const call = client.users.me({ signal: waiting.signal });
    waiting.abort(reason);
    await expect(call).rejects.toBe(reason);
    const pausing = new AbortController();
    const patient = createClient({
      baseUrl: service.url,
      fetch: async () => {
        setImmediate(() => pausing.abort(reason));
        return new Response("{}", { status: 429, headers: { "Retry-After": "50" } });
      },
    });
    await expect(patient.users.me({ signal: pausing.signal })).rejects.toBe(reason);
  });
});

it("changes a link only as it was read, if it has its ETag", async () => {
  const { id } = await terse.links.create({ url });
  const { response } = await terse.links.get({ id }).answer();
  const ifMatch = response.headers.get("ETag") ?? undefined;
  expect(await terse.links.update({ id, title: "A" }, { ifMatch })).toMatchObject({ title: "A" });
  const late = terse.links.update({ id, title: "B" }, { ifMatch });
  await expect(late).rejects.toBeInstanceOf(PreconditionFailedError);
});
