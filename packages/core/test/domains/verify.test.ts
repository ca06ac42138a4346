import { describe, expect, it } from "vitest";
import { until } from "@terse/testkit";
import { callProcedure } from "../../src/index.ts";
import { addDomain, depsOf, rejection, url } from "../helpers.ts";
import { anotherCore } from "../redirects/helpers.ts";
import { challengeOf, prove, testDns } from "@terse/testkit/dns";
import { setUp, shortAddresses } from "./setup.ts";

const test = await setUp();
const { core, dns, time, pass, newDomain, newVerified, domainsOf } = test;

describe("a domain whose records are right", () => {
  it("is verified from now on, and both checks report what was found", async () => {
    const { domains, links, id, domain, challenge } = await newDomain("go.example.com");
    prove(dns, domain, challenge);
    const verified = await domains.verify({ id });
    expect(verified).toStrictEqual({
      ...(await domains.list())[0],
      checks: [
        {
          type: "TXT",
          name: `_terse-challenge.${domain}`,
          expected: challenge,
          found: [challenge],
          ok: true,
        },
        {
          type: "CNAME",
          name: domain,
          expected: "short.test",
          found: ["short.test", ...shortAddresses],
          ok: true,
        },
      ],
    });
    expect(verified).toMatchObject({ status: "verified", verified_at: time.now.toISOString() });
    pass(5);
    expect((await domains.verify({ id })).verified_at).toBe(verified.verified_at);
    expect((await links.create({ url, domain })).shortUrl).toMatch("http://go.example.com/");
  });

  it.each<[string, string[]]>([
    ["beside other TXT records", ["v=spf1 -all", "", "x".repeat(250), "{challenge}"]],
    ["with blanks around", [" {challenge} "]],
  ])("is verified %s", async (what, texts) => {
    const { domains, id, domain, challenge } = await newDomain(`t${what.length}.example.com`);
    prove(dns, domain, ...texts.map((text) => text.replace("{challenge}", challenge)));
    expect((await domains.verify({ id })).status).toBe("verified");
  });

  it("is verified if its TXT record is split into several strings", async () => {
    const { domains, id, domain, challenge } = await newDomain("cut.example.com");
    prove(dns, domain);
    dns.set("TXT", `_terse-challenge.${domain}`, [challenge.slice(0, 10), challenge.slice(10)]);
    expect(await domains.verify({ id })).toMatchObject({
      status: "verified",
      checks: [{ found: [challenge] }, {}],
    });
  });

  it("is verified in any case, and with a chain of CNAMEs", async () => {
    const { domains, id, domain, challenge } = await newDomain("chain.example.com");
    dns.set("TXT", `_terse-challenge.${domain}`, challenge);
    dns.set("CNAME", domain, "Edge.Example.NET");
    dns.set("CNAME", "edge.example.net", "SHORT.test");
    expect(await domains.verify({ id })).toMatchObject({
      status: "verified",
      checks: [{}, { found: ["edge.example.net", "short.test", ...shortAddresses] }],
    });
  });

  it.each([
    ["all of the short-link host's addresses", [...shortAddresses]],
    ["one of them", [shortAddresses[0]]],
    ["the other one", [shortAddresses[1]]],
  ])("is verified where it is an apex with %s", async (what, addresses) => {
    const { domains, id, domain, challenge } = await newDomain(`apex${what.length}.example`);
    dns.set("TXT", `_terse-challenge.${domain}`, challenge);
    dns.set("A", domain, ...addresses.filter((address) => address.includes(".")));
    dns.set("AAAA", domain, ...addresses.filter((address) => address.includes(":")));
    expect(await domains.verify({ id })).toMatchObject({
      status: "verified",
      checks: [{}, { type: "A", expected: shortAddresses.join(", "), found: addresses, ok: true }],
    });
  });

  it("is verified if its provider flattens its CNAME", async () => {
    const { domains, id, domain, challenge } = await newDomain("flat.example.com");
    dns.set("TXT", `_terse-challenge.${domain}`, challenge);
    dns.set("A", domain, shortAddresses[0]);
    expect((await domains.verify({ id })).status).toBe("verified");
  });
});

describe("a domain whose records are not right", () => {
  it("stays pending while there are none, and says so", async () => {
    const { domains, id } = await newDomain("none.example.com");
    expect(await domains.verify({ id })).toMatchObject({
      status: "pending",
      verified_at: null,
      checks: [
        { found: [], ok: false },
        { found: [], ok: false },
      ],
    });
  });

  it("shows its public addresses, but none of an internal network that the resolver knows", async () => {
    const { domains, id, domain } = await newDomain("internal.example.com");
    dns.set("A", domain, "10.1.2.3", "192.168.7.7", "9.9.9.9", shortAddresses[0]);
    dns.set("AAAA", domain, "fd00::12", "2620:fe::fe");
    const [, check] = (await domains.verify({ id })).checks;
    expect(check).toMatchObject({ ok: false });
    expect(check?.found?.toSorted()).toEqual(
      ["2620:fe::fe", "9.9.9.9", "an address that is not public", shortAddresses[0]].toSorted(),
    );
  });

  it.each<[string, (domain: string, challenge: string) => void, boolean[]]>([
    [
      "another challenge",
      (domain, challenge) => prove(dns, domain, challenge.toUpperCase(), `${challenge}x`),
      [false, true],
    ],
    [
      "the challenge at another name",
      (domain, challenge) => {
        prove(dns, domain);
        dns.set("TXT", domain, challenge);
      },
      [false, true],
    ],
    [
      "no CNAME",
      (domain, challenge) => dns.set("TXT", `_terse-challenge.${domain}`, challenge),
      [true, false],
    ],
    [
      "a CNAME to elsewhere",
      (domain, challenge) => {
        prove(dns, domain, challenge);
        dns.set("CNAME", domain, "elsewhere.example.net");
        dns.set("A", "elsewhere.example.net", "198.51.100.1");
      },
      [true, false],
    ],
    [
      "a CNAME to a name that ends alike",
      (domain, challenge) => {
        prove(dns, domain, challenge);
        dns.set("CNAME", domain, "notshort.test");
      },
      [true, false],
    ],
    [
      "a CNAME to itself",
      (domain, challenge) => {
        prove(dns, domain, challenge);
        dns.set("CNAME", domain, domain);
      },
      [true, false],
    ],
    [
      "another address besides",
      (domain, challenge) => {
        dns.set("TXT", `_terse-challenge.${domain}`, challenge);
        dns.set("A", domain, shortAddresses[0], "198.51.100.1");
      },
      [true, false],
    ],
    [
      "an IPv6 address of somebody else",
      (domain, challenge) => {
        dns.set("TXT", `_terse-challenge.${domain}`, challenge);
        dns.set("A", domain, shortAddresses[0]);
        dns.set("AAAA", domain, "2001:db8::bad");
      },
      [true, false],
    ],
  ])("stays pending with %s", async (what, set, oks) => {
    const { domains, id, domain, challenge } = await newDomain(`w${what.length}-${oks.join("")}.example.com`);
    set(domain, challenge);
    const { status, checks } = await domains.verify({ id });
    expect([status, ...checks.map(({ ok }) => ok)]).toEqual(["pending", ...oks]);
    expect(await core.domains.isServed(domain)).toBe(false);
  });

  it("shows answers of foreign servers shortened", async () => {
    const { domains, id, domain } = await newDomain("chatty.example.com");
    const texts = Array.from({ length: 30 }, (_, at) => [`${at}`, "\0".repeat(100)]);
    dns.set("TXT", `_terse-challenge.${domain}`, ...texts.slice(0, 3), ["x".repeat(255), "x".repeat(100)]);
    const [check] = (await domains.verify({ id })).checks;
    expect(check?.found?.map((text) => text.length)).toEqual([101, 101, 101, 255]);
  });
});

describe("resolvers that do not answer", () => {
  const bothSilent = [
    { found: null, ok: false },
    { found: null, ok: false },
  ];

  it.each(["failing", "refusing"] as const)("that are %s leave a domain unchanged", async (mood) => {
    const own = await testDns();
    const node = await anotherCore(test.databaseUrl, { dnsServers: [own.address] });
    const { actor, id } = await newVerified(`${mood}.example.com`);
    own.become(mood);
    const answer = await node.caller(actor).domains.verify({ id });
    expect(answer).toMatchObject({ status: "verified", checks: bothSilent });
  });

  it("at all give a status within five seconds, for a subdomain and for an apex", async () => {
    const own = await testDns();
    own.become("silent");
    const isPendingSoon = async (domain: string) => {
      const node = await anotherCore(test.databaseUrl, { dnsServers: [own.address] });
      const { domains } = node.caller(await test.actor("pro"));
      const made = await within(5000, domains.create({ domain }));
      expect(made.dns).toMatchObject([{ type: "TXT" }, { type: "CNAME", value: "short.test" }]);
      const answer = await within(5000, domains.verify({ id: made.id }));
      expect(answer).toMatchObject({ status: "pending", checks: bothSilent });
      expect(await within(5000, domains.list())).toHaveLength(1);
    };
    await Promise.all(["go-silent.example.com", "silent.example"].map(isPendingSoon));
  });

  it("are skipped if another one answers", async () => {
    const own = await testDns();
    own.become("silent");
    const node = await anotherCore(test.databaseUrl, { dnsServers: [own.address, dns.address] });
    const { actor, id, domain, challenge } = await newDomain("passed-over.example.com");
    prove(dns, domain, challenge);
    expect((await node.caller(actor).domains.verify({ id })).status).toBe("verified");
  });

  it("verify nothing if only half of the records is right", async () => {
    const { domains, id, domain } = await newDomain("half.example.com");
    dns.set("CNAME", domain, "short.test");
    expect(await domains.verify({ id })).toMatchObject({
      status: "pending",
      checks: [{ ok: false }, { ok: true }],
    });
  });
});

describe("a name that two accounts added", () => {
  it("goes to the account that verifies it first; the other one learns why it failed", async () => {
    const domain = "race.example.com";
    const [one, other] = [await newDomain(domain), await newDomain(domain)];
    prove(dns, domain, one.challenge, other.challenge);
    expect((await other.domains.verify({ id: other.id })).status).toBe("verified");
    expect(await rejection(one.domains.verify({ id: one.id }))).toEqual({
      code: "CONFLICT",
      message: `domain: another account has verified ${domain}: delete it there first, or choose another name`,
    });
    expect((await one.domains.list())[0]).toMatchObject({ status: "failed", verified_at: null });
    expect((await rejection(one.links.create({ url, domain }))).code).toBe("BAD_REQUEST");
  });

  it("goes to one of the accounts that verify it at the same moment", async () => {
    const domain = "photo-finish.example.com";
    const all = await Promise.all(Array.from({ length: 5 }, () => newDomain(domain)));
    prove(dns, domain, ...all.map(({ challenge }) => challenge));
    const outcomes = await Promise.all(
      all.flatMap(({ domains, id }) =>
        [1, 2].map(async () =>
          domains.verify({ id }).then(
            ({ status }) => `${id} ${status}`,
            (error: { code: string }) => `${id} ${error.code}`,
          ),
        ),
      ),
    );
    const [winner, ...more] = new Set(outcomes.filter((outcome) => outcome.endsWith("verified")));
    expect(more).toEqual([]);
    const lists = await Promise.all(all.map(({ domains }) => domains.list()));
    const held = lists.flat().filter(({ status }) => status === "verified");
    expect(held.map(({ id }) => `${id} verified`)).toEqual([winner]);
    expect(outcomes.filter((outcome) => outcome.endsWith("CONFLICT"))).toHaveLength(8);
  });

  it("can be verified by the other account when the first deletes it", async () => {
    const domain = "second-hand.example.com";
    const [one, other] = [await newVerified(domain), await addPending(domain)];
    prove(dns, domain, other.challenge);
    expect((await rejection(other.domains.verify({ id: other.id }))).code).toBe("CONFLICT");
    await one.domains.delete({ id: one.id });
    expect((await other.domains.verify({ id: other.id })).status).toBe("verified");
  });

  /** A domain that was pending before another account verified the name. */
  async function addPending(domain: string) {
    const actor = await test.actor("pro");
    await addDomain(core, actor.account.id, domain, "pending");
    const domains = domainsOf(actor);
    const [made] = await domains.list();
    if (!made) throw new Error("There is no domain");
    return { domains, id: made.id, challenge: challengeOf(made) };
  }
});

it("shares one look-up between concurrent requests", async () => {
  const slow = await testDns();
  const node = await anotherCore(test.databaseUrl, { dnsServers: [slow.address] });
  const { actor, id, domain, challenge } = await newDomain("popular.example.com");
  prove(slow, domain, challenge);
  slow.become("slow");
  const answers = Promise.all(Array.from({ length: 50 }, () => node.caller(actor).domains.verify({ id })));
  await until(() => slow.asked.includes(`_terse-challenge.${domain}`));
  const { pool } = depsOf(node);
  // All requests have read their domain.
  await until(() => pool.waitingCount === 0 && pool.idleCount === pool.totalCount);
  slow.become("well");
  expect(new Set((await answers).map(({ status }) => status))).toEqual(new Set(["verified"]));
  expect(slow.asked.filter((name) => name === `_terse-challenge.${domain}`)).toHaveLength(1);
});

it("does not verify a domain that was deleted and added again during the check", async () => {
  const slow = await testDns();
  const node = await anotherCore(test.databaseUrl, { dnsServers: [slow.address] });
  const { actor, domains, id, domain, challenge } = await newDomain("swapped.example.com");
  prove(slow, domain, challenge);
  slow.become("slow");
  const answer = node.caller(actor).domains.verify({ id });
  await until(() => slow.asked.includes(`_terse-challenge.${domain}`));
  await domains.delete({ id });
  await domains.create({ domain });
  slow.become("well");
  expect(await answer).toMatchObject({ status: "pending", checks: [{ ok: true }, {}] });
  expect(await domains.list()).toMatchObject([{ id, status: "pending" }]);
});

/** Fails if the result takes longer. */
async function within<T>(ms: number, answer: Promise<T>): Promise<T> {
  let isThere = false;
  const arrive = () => {
    isThere = true;
  };
  answer.then(arrive, arrive);
  await until(() => isThere, ms);
  return answer;
}

describe("verification", () => {
  it("is limited to sixty a minute for an account, whatever it finds; others are not affected", async () => {
    const { actor, id } = await newDomain("often.example.com");
    const verify = async (context = core.createContext(actor)) => {
      await callProcedure(core.router.domains.verify, context, () => ({ id }));
      return context.reply.rateLimit;
    };
    for (let call = 1; call <= 60; call++) {
      expect(await verify()).toMatchObject({
        policy: "domain-verification",
        limit: 60,
        remaining: 60 - call,
      });
    }
    const refusal = await rejection(verify());
    expect(refusal).toMatchObject({ code: "TOO_MANY_REQUESTS" });
    expect(refusal.message).toMatch(/^Rate limit exceeded: 60 verifications a minute; try again in \d+ s$/);
    const other = await newDomain("seldom.example.com");
    expect((await other.domains.verify({ id: other.id })).status).toBe("pending");
  });
});
