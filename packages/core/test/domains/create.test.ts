import { describe, expect, it } from "vitest";
import { addDomain, depsOf, rejection, url } from "../helpers.ts";
import { challengeOf, prove } from "@terse/testkit/dns";
import { setUp, shortAddresses } from "./setup.ts";

const { core, actor, domainsOf, newDomain, newVerified, dns } = await setUp();

describe("a new domain", () => {
  it("is pending, with the records to set", async () => {
    const domains = domainsOf(await actor("pro"));
    const made = await domains.create({ domain: " GO.Example.COM. " });
    expect(made).toStrictEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/),
      domain: "go.example.com",
      status: "pending",
      owned: true,
      shared_with: [],
      dns: [
        {
          type: "TXT",
          name: "_terse-challenge.go.example.com",
          value: expect.stringMatching(/^[\w-]{43}$/),
        },
        { type: "CNAME", name: "go.example.com", value: "short.test" },
      ],
      created_at: "2026-03-01T12:00:00.000Z",
      verified_at: null,
      root_url: null,
      not_found_url: null,
      expired_url: null,
      import_from: null,
      imported_links: 0,
      apple_app_site_association: null,
      assetlinks: null,
    });
    expect(await domains.list()).toStrictEqual([made]);
  });

  it("that is an apex gets the short-link host's addresses, since it cannot have a CNAME", async () => {
    const made = await domainsOf(await actor("pro")).create({ domain: "example.co.uk" });
    expect(made.dns.slice(1)).toEqual([
      { type: "A", name: "example.co.uk", value: shortAddresses[0] },
      { type: "AAAA", name: "example.co.uk", value: shortAddresses[1] },
    ]);
  });

  it("has its own challenge", async () => {
    const [one, other] = [await newDomain("same.example.com"), await newDomain("same.example.com")];
    expect(one.challenge).not.toBe(other.challenge);
  });

  it("is not visible to other accounts", async () => {
    const { id } = await newDomain("mine.example.com");
    const other = domainsOf(await actor("pro"));
    expect(await other.list()).toEqual([]);
    for (const verb of ["verify", "delete"] as const) {
      expect(await rejection(other[verb]({ id }))).toEqual({
        code: "NOT_FOUND",
        message: "Domain not found",
      });
    }
  });

  it("carries no links while it is pending", async () => {
    const { links, domain } = await newDomain("early.example.com");
    expect((await rejection(links.create({ url, domain }))).message).toMatch(
      /^domain: must be a verified custom domain of this account/,
    );
  });
});

describe("a name", () => {
  it.each([
    ["https://go.example.com", "domain: must be a host name alone, without https://"],
    ["127.1", "domain: must be a host name, not an IP address"],
    ["github.io", "domain: must be a name of your own: anyone can register names under github.io"],
    ["go.short.test", "domain: must not be one of this service's own hosts"],
    ["api.terse.test", "domain: must not be one of this service's own hosts"],
    ["x".repeat(1001), "domain: must have at most 236 characters"],
  ])("is refused: %s", async (domain, message) => {
    const { create, list } = domainsOf(await actor("pro"));
    expect(await rejection(create({ domain }))).toEqual({ code: "BAD_REQUEST", message });
    expect(await list()).toEqual([]);
  });

  it("that another account has verified is a conflict, pending it is not", async () => {
    const { challenge, domains, id } = await newDomain("held.example.com");
    await newDomain("held.example.com");
    prove(dns, "held.example.com", challenge);
    await domains.verify({ id });
    expect(await rejection(newDomain("held.example.com"))).toEqual({
      code: "CONFLICT",
      message:
        "domain: another account has verified held.example.com: delete it there first, or choose another name",
    });
  });
});

describe("an account", () => {
  it("has one domain, whatever its status", async () => {
    const message = "Your plan includes 1 custom domain: delete one to add another";
    for (const status of ["pending", "verified", "failed"] as const) {
      const owner = await actor("pro");
      await addDomain(core, owner.account.id, `${status}.example.com`, status);
      for (const domain of ["second.example.com", `${status}.example.com`]) {
        expect(await rejection(domainsOf(owner).create({ domain }))).toEqual({ code: "FORBIDDEN", message });
      }
    }
  });

  it.each([
    ["five names", (at: number) => `five-${at}.example.com`],
    ["one name five times", () => "once.example.com"],
  ])("that adds %s at once has one of them, and is refused four times", async (_, name) => {
    for (let round = 0; round < 5; round++) {
      const domains = domainsOf(await actor("pro"));
      const outcomes = await Promise.all(
        Array.from({ length: 5 }, (_unused, at) =>
          domains.create({ domain: name(at) }).then(
            () => "created",
            (error: { code: string }) => error.code,
          ),
        ),
      );
      expect(outcomes.toSorted()).toEqual([...Array<string>(4).fill("FORBIDDEN"), "created"]);
      expect(await domains.list()).toHaveLength(1);
    }
  });

  it("may have another one after it has deleted the first", async () => {
    const { domains, id } = await newDomain("first.example.com");
    await domains.delete({ id });
    await domains.create({ domain: "next.example.com" });
    expect((await domains.list()).map(({ domain }) => domain)).toEqual(["next.example.com"]);
  });

  it("whose plan was downgraded keeps its domain, and may verify and delete it", async () => {
    const { actor: owner, domain, id } = await newVerified("cut.example.com");
    await core.accounts.setPlan(owner.account.email, "free");
    const account = { ...owner.account, plan: "free" as const };
    const domains = domainsOf({ ...owner, account });
    expect((await rejection(domains.list())).code).toBe("FORBIDDEN");
    expect((await rejection(domains.create({ domain }))).code).toBe("FORBIDDEN");
    expect((await domains.verify({ id })).status).toBe("verified");
    expect(await domains.delete({ id })).toEqual({ id, deleted: true });
  });
});

describe("a domain that is deleted", () => {
  it("is gone, and cannot be deleted again or verified", async () => {
    const { domains, id } = await newVerified("gone.example.com");
    expect(await domains.delete({ id })).toEqual({ id, deleted: true });
    expect(await domains.list()).toEqual([]);
    expect((await rejection(domains.verify({ id }))).code).toBe("NOT_FOUND");
    expect((await rejection(domains.delete({ id }))).code).toBe("NOT_FOUND");
    expect(await core.domains.isServed("gone.example.com")).toBe(false);
  });

  it("leaves its links and their clicks in the account, under its name", async () => {
    const { domains, links, id, domain } = await newVerified("kept.example.com");
    const link = await links.create({ url, domain });
    await core.clicks.record({ link_id: link.id, user_agent: "Mozilla/5.0 Firefox/140.0" });
    const before = await links.get({ id: link.id });
    await domains.delete({ id });
    expect(await links.get({ id: link.id })).toEqual(before);
    expect((await links.list()).data).toEqual([before]);
    expect((await links.update({ id: link.id, title: "Still mine" })).title).toBe("Still mine");
    expect((await rejection(links.create({ url, domain }))).code).toBe("BAD_REQUEST");
    // Without links that may be restored, it is an ordinary host that others may link to.
    const there = { url: `https://${domain}/` };
    expect((await rejection(links.create(there))).message).toContain("loop");
    await links.delete({ id: link.id });
    expect((await links.create(there)).destination).toBe(there.url);
  });

  it("comes back with its links if the same account verifies it again, with a new challenge", async () => {
    const { domains, links, id, domain, challenge } = await newVerified("back.example.com");
    const link = await links.create({ url, domain });
    await domains.delete({ id });
    const again = await domains.create({ domain });
    expect(again).toMatchObject({ id, status: "pending", verified_at: null });
    expect(challengeOf(again)).not.toBe(challenge);
    expect((await domains.verify({ id })).status).toBe("pending");
    prove(dns, domain, challengeOf(again));
    expect((await domains.verify({ id })).status).toBe("verified");
    expect((await links.list({ search: link.slug })).data).toEqual([link]);
  });

  it("is free for others, who get none of its links", async () => {
    const { domains, links, id, domain } = await newVerified("passed-on.example.com");
    const { slug } = await links.create({ url, domain });
    await domains.delete({ id });
    const next = await newDomain(domain);
    prove(dns, domain, next.challenge);
    expect((await next.domains.verify({ id: next.id })).status).toBe("verified");
    expect((await next.links.list()).data).toEqual([]);
    // Others may take the slug.
    expect((await next.links.create({ url, domain, slug })).slug).toBe(slug);
    expect((await rejection(domains.create({ domain }))).code).toBe("CONFLICT");
  });

  it("goes with its account", async () => {
    const { actor: owner, links, domain } = await newVerified("left.example.com");
    await links.create({ url, domain });
    const { pool } = depsOf(core);
    await pool.query("delete from users where id = $1", [owner.account.id]);
    expect((await pool.query("select from domains where domain = $1", [domain])).rowCount).toBe(0);
  });
});
