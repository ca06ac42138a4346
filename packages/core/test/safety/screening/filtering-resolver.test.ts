import { until } from "@terse/testkit";
import { testDns } from "@terse/testkit/dns";
import { expect, it } from "vitest";
import { createDns } from "../../../src/kernel/dns.ts";
import type { CoreEvent } from "../../../src/kernel/events.ts";
import { createShortHost } from "../../../src/kernel/host-names.ts";
import {
  createFilteringResolver,
  type FilteringResolverOptions,
} from "../../../src/safety/screening/filtering-resolver.ts";
import { dropping } from "./helpers.ts";

const shortHost = createShortHost("https://short.example");
const somewhere = "1.2.3.4";

/** A resolver has long enough to answer on a machine that stands still for a second. */
const patientMs = 3000;
const impatientMs = 300;

async function setUp({ server, sinkholes, timeoutMs = patientMs }: Partial<FilteringResolverOptions> = {}) {
  const [filtering, unfiltered] = [await testDns(), await testDns()];
  const time = { now: new Date("2026-01-01T00:00:00Z") };
  const clock = () => time.now;
  const events: CoreEvent[] = [];
  const resolver = createFilteringResolver({
    server: server ?? filtering.address,
    sinkholes,
    unfiltered: createDns([unfiltered.address], shortHost, clock),
    ownHosts: ["short.example"],
    shortHost,
    clock,
    onEvent: (event) => events.push(event),
    timeoutMs,
  });
  /** Creates a name that exists, and sets what the filtering resolver answers for it */
  function set(name: string, ...filtered: string[]) {
    for (const address of filtered) filtering.set(address.includes(":") ? "AAAA" : "A", name, address);
    unfiltered.set("A", name, somewhere);
  }
  const pass = (ms: number) => {
    time.now = new Date(time.now.getTime() + ms);
  };
  /** Asks when a resolver that was down is tried again */
  const isBlockedLater = (host: string) => {
    pass(5000);
    return resolver.isBlocked(host);
  };
  return { pass, isBlockedLater, filtering, unfiltered, events, set, isBlocked: resolver.isBlocked };
}

it.each([
  ["the unspecified address", "0.0.0.0"],
  ["the unspecified IPv6 address", "::"],
  ["an OpenDNS block page", "146.112.61.108"],
  ["the same as an IPv6 address", "::ffff:146.112.61.108"],
  ["an AdGuard block page", "94.140.14.35"],
])("%s means blocked, without a second question", async (_, sinkhole) => {
  const { set, isBlocked, unfiltered } = await setUp();
  set("bad.example.com", sinkhole);
  expect(await isBlocked("bad.example.com")).toBe(true);
  expect(unfiltered.asked).toEqual([]);
});

it("an address means not blocked, without a second question", async () => {
  const { set, isBlocked, unfiltered } = await setUp();
  set("good.example.com", somewhere);
  expect(await isBlocked("good.example.com")).toBe(false);
  expect(unfiltered.asked).toEqual([]);
});

it("sinkholes can be chosen", async () => {
  const { set, isBlocked } = await setUp({ sinkholes: ["9.9.9.9", "2606:4700::0001"] });
  set("four.example.com", "9.9.9.9");
  set("six.example.com", "2606:4700:0::1");
  expect(await isBlocked("four.example.com")).toBe(true);
  expect(await isBlocked("six.example.com")).toBe(true);
});

it.each([
  ["no such name", []],
  ["the visitor's own machine", ["127.0.0.1"]],
  ["a private address", ["192.168.1.1"]],
])("%s means blocked where an unfiltered resolver has a public address", async (_, filtered) => {
  const { set, isBlocked } = await setUp();
  set("bad.example.com", ...filtered);
  expect(await isBlocked("bad.example.com")).toBe(true);
});

it("a name that does not exist is not blocked", async () => {
  const { isBlocked, unfiltered } = await setUp();
  expect(await isBlocked("nobody.example.com")).toBe(false);
  expect(unfiltered.asked).toContain("nobody.example.com");
});

it("a name that leads to the visitor's own machine or a private network for everybody is not blocked", async () => {
  const { filtering, unfiltered, isBlocked } = await setUp();
  for (const dns of [filtering, unfiltered]) dns.set("A", "local.example.com", "127.0.0.1");
  unfiltered.set("A", "intranet.example.com", "10.0.0.1");
  expect(await isBlocked("local.example.com")).toBe(false);
  expect(await isBlocked("intranet.example.com")).toBe(false);
});

it("no resolver is asked about addresses, private names and the service's own hosts", async () => {
  const { filtering, unfiltered, isBlocked } = await setUp();
  const hosts =
    "192.0.2.7,[2001:db8::1],localhost,a.localhost,nas.local,db.internal,nas.home.arpa,a.onion,short.example";
  for (const host of [...hosts.split(","), "go.short.example", "short.example."])
    expect(await isBlocked(host)).toBe(false);
  expect([...filtering.asked, ...unfiltered.asked]).toEqual([]);
});

it("an answer is remembered for ten minutes, and asked for once by many at the same time", async () => {
  const { set, isBlocked, filtering, pass } = await setUp();
  set("bad.example.com", "0.0.0.0");
  const questions = () => filtering.asked.length;
  const answers = await Promise.all(Array.from({ length: 20 }, () => isBlocked("bad.example.com")));
  expect(new Set(answers)).toEqual(new Set([true]));
  expect(questions()).toBe(2); // A and AAAA
  pass(599_000);
  expect(await isBlocked("bad.example.com.")).toBe(true);
  expect(questions()).toBe(2);
  pass(2000);
  expect(await isBlocked("bad.example.com")).toBe(true);
  expect(questions()).toBe(4);
});

it.each(["silent", "slow", "failing", "refusing"] as const)(
  "a filtering resolver that is %s blocks nothing; this and its recovery are reported once",
  async (mood) => {
    const { set, isBlocked, isBlockedLater, filtering, events } = await setUp({ timeoutMs: impatientMs });
    set("bad.example.com", "0.0.0.0");
    filtering.become(mood);
    expect(await isBlocked("bad.example.com")).toBe(false);
    await until(() => events.length > 0);
    const asked = filtering.asked.length;
    for (let at = 0; at < 5; at++) expect(await isBlocked(`other${at}.example.com`)).toBe(false);
    expect(filtering.asked.length).toBe(asked);
    filtering.become("well");
    await until(() => isBlockedLater("bad.example.com"));
    expect(events.map(({ code }) => code)).toEqual([
      "filtering_resolver_failing",
      "filtering_resolver_restored",
    ]);
  },
);

it("without an answer of the unfiltered resolver, denied names are accepted; this is reported once", async () => {
  const { set, isBlocked, isBlockedLater, unfiltered, events } = await setUp();
  set("denied.example.com");
  set("sunk.example.com", "0.0.0.0");
  unfiltered.become("silent");
  expect(await isBlocked("denied.example.com")).toBe(false);
  await until(() => events.length > 0);
  expect(await isBlocked("sunk.example.com")).toBe(true);
  unfiltered.become("well");
  await until(() => isBlockedLater("denied.example.com"));
  expect(events.map(({ code }) => code)).toEqual([
    "unfiltered_resolver_failing",
    "unfiltered_resolver_restored",
  ]);
});

it("a name whose own servers do not answer is no failure of the resolver", async () => {
  const upstream = await testDns();
  upstream.set("A", "bad.example.com", "0.0.0.0");
  const { isBlocked, events } = await setUp({ server: await dropping(upstream, "tarpit") });
  expect(await isBlocked("tarpit.example.com")).toBe(false);
  await until(() => upstream.asked.includes("example.com"));
  expect(await isBlocked("bad.example.com")).toBe(true);
  expect(events).toEqual([]);
});
