import { DeadlockException } from "@mikro-orm/core";
import { afterAll, describe, expect, it } from "vitest";
import { slugUpdateError } from "../../src/links/index.ts";
import { createTestCore } from "../../src/testing/index.ts";
import { depsOf, url } from "../helpers.ts";

const { core, actor, close } = await createTestCore();
afterAll(close);
const { links } = core.caller(await actor("free"));
const { id } = await links.create({ url });
const deadlock = new DeadlockException(new Error("deadlock detected"));
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
