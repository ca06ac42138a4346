import { afterAll, describe, expect, it } from "vitest";
import { startDns } from "@terse/testkit/dns";
import { type Answer, startApp } from "./client.ts";

const dns = await startDns();
afterAll(() => dns.close());
const app = await startApp({ dnsServers: [dns.address] });

interface Domain {
  id: string;
  status: string;
  dns: { type: string; name: string; value: string }[];
}
const dataOf = (answer: Answer) => (answer.json as { data: Domain }).data;
const fields = [
  "id",
  "domain",
  "owned",
  "shared_with",
  "status",
  "dns",
  "created_at",
  "verified_at",
  "root_url",
  "not_found_url",
  "expired_url",
  "import_from",
  "imported_links",
  "apple_app_site_association",
  "assetlinks",
];

it("is not verified by a prefetch or a HEAD request, and no answer is cached", async () => {
  const { key } = await app.key("pro");
  const added = dataOf(await app.ask("POST", "/v1/domains", { key, json: { domain: "ahead.example.com" } }));
  const path = `/v1/domains/${added.id}/verify`;
  for (const { type, name, value } of added.dns) dns.set(type as "TXT" | "CNAME", name, value);
  const status = async () => dataOf(await app.ask("GET", `/v1/domains/${added.id}`, { key })).status;
  for (const purpose of ["prefetch", "prefetch;prerender"]) {
    const headers = { "Sec-Purpose": purpose };
    const looks = [
      await app.ask("GET", path, { key, headers }),
      await app.askTrpc("domains.verify", { id: added.id }, { key, headers }),
    ];
    for (const look of looks)
      expect([look.status, look.headers.get("cache-control")]).toEqual([200, "no-store"]);
    expect(dataOf(looks[0] as Answer)).toMatchObject({
      status: "pending",
      checks: [{ ok: true }, { ok: true }],
    });
  }
  await app.ask("HEAD", path, { key });
  expect(await status()).toBe("pending");
  const verified = await app.ask("GET", path, { key });
  expect([dataOf(verified).status, verified.headers.get("cache-control")]).toEqual(["verified", "no-store"]);
  expect(await status()).toBe("verified");
});

describe("a custom domain", () => {
  it("is added, verified, listed and deleted", async () => {
    const { key } = await app.key("pro");
    const domain = "go.example.com";
    const added = await app.ask("POST", "/v1/domains", { key, json: { domain: "GO.example.com." } });
    expect([added.status, Object.keys(dataOf(added))]).toEqual([201, fields]);
    expect(dataOf(added)).toMatchObject({ domain, status: "pending", verified_at: null });
    const { id } = dataOf(added);

    const early = await app.ask("GET", `/v1/domains/${id}/verify`, { key });
    expect([early.status, Object.keys(dataOf(early))]).toEqual([200, [...fields, "checks"]]);
    expect(dataOf(early)).toMatchObject({ status: "pending", checks: [{ found: [] }, { found: [] }] });

    const [txt, cname] = dataOf(added).dns;
    dns.set("TXT", txt?.name ?? "", txt?.value ?? "");
    dns.set("CNAME", cname?.name ?? "", cname?.value ?? "");
    const verified = await app.ask("GET", `/v1/domains/${id}/verify`, { key });
    expect(dataOf(verified)).toMatchObject({ status: "verified", checks: [{ ok: true }, { ok: true }] });

    const link = await app.ask("POST", "/v1/links", { key, json: { url: "https://example.com/", domain } });
    expect([link.status, link.json]).toMatchObject([201, { data: { domain } }]);

    const list = await app.ask("GET", "/v1/domains", { key });
    expect(list.json).toMatchObject({ data: [{ id, status: "verified" }], error: null, meta: null });
    const gone = await app.ask("DELETE", `/v1/domains/${id}`, { key });
    expect([gone.status, gone.json]).toEqual([200, { data: { id, deleted: true }, error: null, meta: null }]);
    expect((await app.ask("GET", "/v1/domains", { key })).json).toMatchObject({ data: [] });
    expect((await app.ask("GET", `/v1/domains/${id}/verify`, { key })).status).toBe(404);
  });
});
