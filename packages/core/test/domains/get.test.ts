import { describe, expect, it } from "vitest";
import { setUp } from "./setup.ts";
import { url } from "../helpers.ts";

const { dns, newDomain, newVerified } = await setUp();

describe("a domain in detail", () => {
  it("has its zone, the zone's name servers, and the number of the account's links", async () => {
    const { domains, links, id, domain } = await newVerified("go.details.example");
    dns.set("NS", "details.example", "Ns2.Provider.example", "ns1.provider.example");
    await links.create({ url, domain });
    await links.create({ url, domain });
    await links.create({ url });
    expect(await domains.get({ id })).toStrictEqual({
      ...(await domains.list())[0],
      zone: "details.example",
      name_servers: ["ns1.provider.example", "ns2.provider.example"],
      links: 2,
      links_of_others: 0,
    });
  });

  it("has its own name servers if it is a zone of its own", async () => {
    const { domains, id, domain } = await newDomain("go.own-zone.example");
    dns.set("NS", "own-zone.example", "ns.parent.example");
    dns.set("NS", domain, "ns.child.example");
    expect((await domains.get({ id })).name_servers).toEqual(["ns.child.example"]);
  });

  it("says that resolvers do not answer, and still has the rest", async () => {
    const { domains, id } = await newDomain("go.no-answer.example");
    dns.become("refusing");
    expect(await domains.get({ id })).toMatchObject({ name_servers: null, links: 0 });
    dns.become("well");
    expect((await domains.get({ id })).name_servers).toEqual([]);
  });
});
