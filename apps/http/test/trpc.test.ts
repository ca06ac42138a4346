import type { AppRouter, Link } from "@terse/core";
import {
  createTRPCClient,
  httpBatchLink,
  httpBatchStreamLink,
  httpLink,
  TRPCClientError,
} from "@trpc/client";
import { describe, expect, expectTypeOf, it, onTestFinished } from "vitest";
import { baseUrl, startApp } from "./client.ts";

const app = await startApp();
const { key } = await app.key("enterprise");
const links = { httpLink, httpBatchLink, httpBatchStreamLink };

function clientBy(
  link: keyof typeof links,
  credential: Record<string, string> = { Authorization: `Bearer ${key}` },
) {
  const options = { url: `${baseUrl}/trpc`, fetch: app.fetch as never, headers: credential };
  return createTRPCClient<AppRouter>({ links: [links[link](options)] });
}

async function refusalOf(call: Promise<unknown>): Promise<TRPCClientError<AppRouter>> {
  const error: unknown = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof TRPCClientError)) throw new Error("The call was not refused", { cause: error });
  return error;
}

describe.each(Object.keys(links) as (keyof typeof links)[])("a typed client by %s", (kind) => {
  const client = clientBy(kind);

  it("creates, reads, lists, changes and deletes", async () => {
    const made = await client.links.create.mutate({ url: "https://example.com/", title: "First" });
    expectTypeOf(made).toEqualTypeOf<Link>();
    expect(made).toMatchObject({ destination: "https://example.com/", title: "First", is_active: 1 });
    expect(await client.links.get.query({ id: made.id })).toEqual(made);

    const page = await client.links.list.query({ limit: 1 });
    expectTypeOf(page.data).toEqualTypeOf<Link[]>();
    expectTypeOf(page.meta.total).toEqualTypeOf<number>();
    expect(page.data).toEqual([made]);
    expect((await client.links.list.query()).meta.limit).toBe(20);

    const changed = await client.links.update.mutate({ id: made.id, title: null, is_active: 0 });
    expect(changed).toMatchObject({ id: made.id, title: null, is_active: 0 });
    expect(await client.links.delete.mutate({ id: made.id })).toEqual({ id: made.id, deleted: true });
    expect((await refusalOf(client.links.get.query({ id: made.id }))).data?.httpStatus).toBe(404);
  });

  it("can send a session cookie", async () => {
    const account = await app.account("pro");
    const { token } = await app.core.sessions.create(account.id);
    expect(await clientBy(kind, { Cookie: `session=${token}` }).users.me.query()).toMatchObject(account);
  });
});

it("is refused at compile time what the procedures do not accept", () => {
  const client = clientBy("httpLink");
  type Create = Parameters<typeof client.links.create.mutate>[0];
  expectTypeOf<{ url: string; slug?: string }>().toExtend<Create>();
  expectTypeOf<{ url: number }>().not.toExtend<Create>();
  expectTypeOf<{ slug: string }>().not.toExtend<Create>();
  type Bundle = Parameters<typeof client.buckets.create.mutate>[0];
  expectTypeOf<{ name: string; links: { title: string; url: string }[] }>().toExtend<Bundle>();
  expectTypeOf<{ name: string }>().not.toExtend<Bundle>();
  expectTypeOf<{ name: string; links: { title: string }[] }>().not.toExtend<Bundle>();
});

it("tells clients without streaming how to ask for a streamed file", async () => {
  for (const kind of ["httpLink", "httpBatchLink"] as const) {
    const refused = await refusalOf(clientBy(kind).analytics.export.query({}));
    expect(refused.data?.httpStatus).toBe(415);
    expect(refused.message).toBe(
      "This answer is a stream: request it with httpBatchStreamLink, or over REST",
    );
  }
});

it("answers a malformed request with JSON over a socket, too", async () => {
  const listener = await app.listen();
  onTestFinished(() => listener.close(0));
  const procedures = Array.from({ length: 30 }, () => "links.list").join();
  for (const path of ["links.list?connectionParams=x", `${procedures}?batch=1&input={}`]) {
    const answer = await fetch(`${listener.url}/trpc/${path}`);
    expect([answer.status, answer.headers.get("content-type")]).toEqual([400, "application/json"]);
    expect(await answer.json()).toHaveProperty("error.message");
  }
});
