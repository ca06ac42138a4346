import { afterAll } from "vitest";
import type { Actor } from "../../src/index.ts";
import { createTestCore } from "../../src/testing.ts";
import { challengeOf, prove, startDns } from "@terse/testkit/dns";

export const shortAddresses = ["203.0.113.7", "2001:db8::7"] as const;

/** A core that uses a resolver of this test file and a settable clock; both close after the tests. */
export async function setUp() {
  const time = { now: new Date("2026-03-01T12:00:00.000Z") };
  const dns = await startDns();
  dns.set("A", "short.test", shortAddresses[0]);
  dns.set("AAAA", "short.test", shortAddresses[1]);
  const test = await createTestCore({
    clock: () => time.now,
    dnsServers: [dns.address],
    ownHosts: ["api.terse.test"],
  });
  afterAll(async () => {
    await test.close();
    await dns.close();
  });
  const pass = (hours: number) => {
    time.now = new Date(time.now.getTime() + hours * 3_600_000);
  };
  const domainsOf = (actor: Actor) => test.core.caller(actor).domains;

  /** Creates a Pro account with an unverified domain. */
  async function newDomain(domain: string) {
    const actor = await test.actor("pro");
    const { links } = test.core.caller(actor);
    const domains = domainsOf(actor);
    const made = await domains.create({ domain });
    return { actor, links, domains, domain, id: made.id, challenge: challengeOf(made) };
  }
  /** Creates a Pro account with a verified domain. */
  async function newVerified(domain: string) {
    const made = await newDomain(domain);
    prove(dns, domain, made.challenge);
    const { status } = await made.domains.verify({ id: made.id });
    if (status !== "verified") throw new Error(`${domain} is ${status}`);
    return made;
  }
  return { ...test, dns, time, pass, domainsOf, newDomain, newVerified };
}
