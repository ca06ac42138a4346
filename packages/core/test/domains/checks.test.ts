import { spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { graceMs } from "../../src/domains/checks.ts";
import type { CoreEvent } from "../../src/index.ts";
import { until } from "@terse/testkit";
import { depsOf, rejection, url } from "../helpers.ts";
import { anotherCore, answer, watchingCore } from "../redirects/helpers.ts";
import { prove, testDns, unprove } from "@terse/testkit/dns";
import { setUp } from "./setup.ts";

const test = await setUp();
/** For tests with few domains: a look-up without an answer takes 3.5 seconds, and not all run at once. */
const few = await setUp();
const { core, dns, time, pass, newDomain, newVerified } = test;
const graceHours = graceMs / 3_600_000;

/** Runs the due checks an hour later, on the given node or the test's own. */
async function anHourLater(node = core): Promise<number> {
  pass(1);
  return node.domains.checkDue();
}

describe("the hourly check", () => {
  it("verifies a domain whose owner has set its records since", async () => {
    const { domains, domain, challenge } = await newDomain("later.example.com");
    await anHourLater();
    expect(await domains.list()).toMatchObject([{ status: "pending" }]);
    prove(dns, domain, challenge);
    await anHourLater();
    expect(await domains.list()).toMatchObject([{ status: "verified", verified_at: time.now.toISOString() }]);
  });

  it("skips a domain that was checked within the hour", async () => {
    const { domain } = await newDomain("recent.example.com");
    await anHourLater();
    const before = dns.asked.length;
    pass(0.99);
    await core.domains.checkDue();
    expect(dns.asked.slice(before).filter((name) => name.includes(domain))).toEqual([]);
  });

  it("stops checking a name after a month; its owner may still verify it", async () => {
    const { domains, id, domain, challenge } = await newDomain("forgotten.example.com");
    pass(31 * 24);
    prove(dns, domain, challenge);
    await anHourLater();
    expect(await domains.list()).toMatchObject([{ status: "pending" }]);
    expect((await domains.verify({ id })).status).toBe("verified");
  });

  it("is done by one node for each domain, however many run, and skips none", async () => {
    const made: string[] = [];
    for (let at = 0; at < 25; at++) made.push((await newDomain(`many-${at}.example.com`)).domain);
    const nodes = await Promise.all(
      [1, 2, 3].map(() =>
        anotherCore(test.databaseUrl, { dnsServers: [dns.address], clock: () => time.now }),
      ),
    );
    const before = dns.asked.length;
    pass(1);
    const counts = await Promise.all(nodes.map((node) => node.domains.checkDue()));
    expect(counts.reduce((sum, count) => sum + count)).toBeGreaterThanOrEqual(25);
    const challenges = dns.asked.slice(before).filter((name) => name.startsWith("_terse-challenge.many-"));
    expect(challenges.toSorted()).toEqual(made.map((domain) => `_terse-challenge.${domain}`).toSorted());
  });

  it("marks a name as failed that another account verified first", async () => {
    const domain = "lost.example.com";
    const [one, other] = [await newDomain(domain), await newDomain(domain)];
    prove(dns, domain, one.challenge, other.challenge);
    await one.domains.verify({ id: one.id });
    await anHourLater();
    expect(await other.domains.list()).toMatchObject([{ status: "failed" }]);
    expect(await one.domains.list()).toMatchObject([{ status: "verified" }]);
  });

  it("does not touch deleted domains", async () => {
    const { domains, id, domain } = await newVerified("deleted.example.com");
    await domains.delete({ id });
    await anHourLater();
    expect(await core.domains.isServed(domain)).toBe(false);
  });
});

describe("a verified domain whose records are taken away", () => {
  it("is served for a grace period, then fails, and is verified again when they are back", async () => {
    const node = await watchingCore(test.databaseUrl, { clock: () => time.now });
    const { domains, links, domain, challenge } = await newVerified("broken.example.com");
    const { slug } = await links.create({ url, domain });
    const status = async () => (await domains.list())[0]?.status;
    const verifiedAt = (await domains.list())[0]?.verified_at;
    expect(await answer(node, slug, domain)).toBe(url);

    unprove(dns, domain);
    await anHourLater();
    pass(graceHours - 2);
    await anHourLater();
    expect(await status()).toBe("verified");
    expect(await answer(node, slug, domain)).toBe(url);

    await anHourLater();
    expect(await domains.list()).toMatchObject([{ status: "failed", verified_at: null }]);
    await until(async () => (await answer(node, slug, domain)) === "not_found");
    expect(await core.domains.isServed(domain)).toBe(false);
    expect((await rejection(links.create({ url, domain }))).code).toBe("BAD_REQUEST");

    prove(dns, domain, challenge);
    await anHourLater();
    expect(await status()).toBe("verified");
    expect((await domains.list())[0]?.verified_at).not.toBe(verifiedAt);
    await until(async () => (await answer(node, slug, domain)) === url);
  });

  it("gets a new grace period each time they were right in between", async () => {
    const { domains, id, domain, challenge } = await newVerified("flapping.example.com");
    for (let round = 0; round < 3; round++) {
      unprove(dns, domain);
      expect(await domains.verify({ id })).toMatchObject({ status: "verified", checks: [{ ok: false }, {}] });
      pass(graceHours - 1);
      expect((await domains.verify({ id })).status).toBe("verified");
      prove(dns, domain, challenge);
      expect((await domains.verify({ id })).status).toBe("verified");
    }
  });

  it("can be verified by any account once it has failed", async () => {
    const domain = "sold.example.com";
    const seller = await newVerified(domain);
    unprove(dns, domain);
    await seller.domains.verify({ id: seller.id });
    pass(graceHours);
    await seller.domains.verify({ id: seller.id });
    const buyer = await newDomain(domain);
    prove(dns, domain, buyer.challenge, seller.challenge);
    expect((await buyer.domains.verify({ id: buyer.id })).status).toBe("verified");
    expect((await rejection(seller.domains.verify({ id: seller.id }))).code).toBe("CONFLICT");
  });

  it.each(["silent", "failing"] as const)(
    "is served on while resolvers are %s, however long",
    async (mood) => {
      const own = await testDns();
      const node = await anotherCore(few.databaseUrl, {
        dnsServers: [own.address],
        clock: () => few.time.now,
      });
      const { domains, domain } = await few.newVerified(`${mood}.example.net`);
      own.become(mood);
      few.pass(graceHours * 3);
      await node.domains.checkDue();
      few.pass(graceHours * 3);
      await node.domains.checkDue();
      expect(await domains.list()).toMatchObject([{ domain, status: "verified" }]);
    },
  );
});

describe("a core that checks domains", () => {
  it("reports a domain that is verified, and one that failed", async () => {
    const events: CoreEvent[] = [];
    const node = await anotherCore(test.databaseUrl, {
      dnsServers: [dns.address],
      clock: () => time.now,
      onEvent: (event) => events.push(event),
    });
    const { domain, id, challenge } = await newDomain("told.example.com");
    prove(dns, domain, challenge);
    await anHourLater(node);
    unprove(dns, domain);
    await anHourLater(node);
    pass(graceHours);
    await node.domains.checkDue();
    expect(events.filter((event) => event["domain"] === domain)).toEqual([
      { code: "domain_verified", level: "info", message: "a custom domain was verified", id, domain },
      { code: "domain_failed", level: "warn", message: "a custom domain failed verification", id, domain },
    ]);
  });

  it("does not keep the process alive", async () => {
    const library = pathToFileURL(join(import.meta.dirname, "../../src/index.ts")).href;
    const program = `import { createCore } from ${JSON.stringify(library)};
      const core = await createCore({ databaseUrl: "postgres://127.0.0.1:1/none", shortBase: "http://short.test" });
      core.domains.startChecks();`;
    const child = spawn(process.execPath, ["--input-type=module", "--eval", program], { stdio: "inherit" });
    onTestFinished(() => void child.kill("SIGKILL"));
    expect(await once(child, "exit")).toEqual([0, null]);
  });

  it("is closed during a check, which then changes nothing", async () => {
    const own = await testDns();
    own.become("silent");
    const node = await anotherCore(few.databaseUrl, { dnsServers: [own.address], clock: () => few.time.now });
    node.domains.startChecks();
    const { domains, domain } = await few.newVerified("closed.example.com");
    few.pass(1);
    const check = node.domains.checkDue();
    await until(() => own.asked.includes(domain));
    await node.domains.close();
    await check;
    expect(await domains.list()).toMatchObject([{ status: "verified" }]);
  });

  it("holds no transaction and no connection during look-ups", async () => {
    const own = await testDns();
    own.become("silent");
    const node = await anotherCore(few.databaseUrl, { dnsServers: [own.address], clock: () => few.time.now });
    const { domain } = await few.newDomain("patient.example.com");
    few.pass(1);
    const check = node.domains.checkDue();
    await until(() => own.asked.includes(domain));
    const { pool } = depsOf(node);
    expect(pool.totalCount - pool.idleCount).toBe(0);
    await node.domains.close();
    await check;
  });
});
