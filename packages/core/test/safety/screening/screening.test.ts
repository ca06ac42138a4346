import { createMeter } from "../../../src/kernel/meter.ts";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempFolder } from "@terse/testkit";
import { testDns } from "@terse/testkit/dns";
import { expect, it, onTestFinished } from "vitest";
import { createDns } from "../../../src/kernel/dns.ts";
import { createShortHost } from "../../../src/kernel/host-names.ts";
import { createFilteringResolver } from "../../../src/safety/screening/filtering-resolver.ts";
import { createHostLists } from "../../../src/safety/screening/host-lists.ts";
import { assertNotBlocked, createScreening } from "../../../src/safety/screening/screening.ts";

const shortHost = createShortHost("https://short.example");

async function setUp({ withResolver = true } = {}) {
  const dns = await testDns();
  dns.set("A", "good.example.com", "1.2.3.4");
  dns.set("A", "bad.example.com", "0.0.0.0");
  const path = join(await tempFolder(), "phishing.txt");
  await writeFile(path, "listed.example.com");
  const clock = () => new Date();
  const resolver = createFilteringResolver({
    server: dns.address,
    unfiltered: createDns([dns.address], shortHost, clock),
    ownHosts: [],
    shortHost,
    clock,
    onEvent: () => {},
    timeoutMs: 3000,
  });
  const lists = createHostLists({ paths: [path], onEvent: () => {} });
  onTestFinished(lists.close);
  await lists.start();
  return { dns, screening: createScreening(lists, withResolver ? resolver : null, createMeter()) };
}

it("a host that a list or the resolver blocks is found", async () => {
  const { screening } = await setUp();
  const blocked = async (...hosts: string[]) => [...(await screening.allBlocked(hosts))];
  expect(await blocked()).toEqual([]);
  expect(await blocked("good.example.com")).toEqual([]);
  expect(await blocked("good.example.com", "a.listed.example.com")).toEqual(["a.listed.example.com"]);
  expect(await blocked("good.example.com", "bad.example.com")).toEqual(["bad.example.com"]);
});

it("the resolver is not asked about a host that a list blocks", async () => {
  const { screening, dns } = await setUp();
  expect(await screening.allBlocked(["listed.example.com"])).toEqual(new Set(["listed.example.com"]));
  expect(dns.asked).toEqual([]);
});

it("all blocked hosts of an import are found", async () => {
  const { screening } = await setUp();
  const many = Array.from({ length: 120 }, (_, index) => `h${index}.listed.example.com`);
  const blocked = await screening.allBlocked([
    "good.example.com",
    "bad.example.com",
    ...many,
    "bad.example.com",
  ]);
  expect(blocked).toEqual(new Set(["bad.example.com", ...many]));
});

it("lists alone decide without a resolver", async () => {
  const { screening, dns } = await setUp({ withResolver: false });
  expect(await screening.allBlocked(["bad.example.com", "listed.example.com"])).toEqual(
    new Set(["listed.example.com"]),
  );
  expect(dns.asked).toEqual([]);
});

it("a URL that leads to a blocked host is refused with the name of its field", async () => {
  const { screening } = await setUp({ withResolver: false });
  const good = ["url", "https://good.example.com/"] as const;
  await assertNotBlocked(screening, [good]);
  const bad = ["geo_rules[1].url", "https://www.listed.example.com:8443/login"] as const;
  await expect(assertNotBlocked(screening, [good, bad])).rejects.toMatchObject({
    code: "BAD_REQUEST",
    message: "geo_rules[1].url: leads to www.listed.example.com, which is blocked as harmful",
  });
});
