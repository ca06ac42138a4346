import { request } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { prove, startDns, type TestDns } from "@terse/testkit/dns";
import { until } from "@terse/testkit";
import { second } from "../../../packages/core/test/helpers.ts";
import { newDataDir, remove } from "./process.ts";
import { ownerKey, type Service, startService } from "./service.ts";

let dataDir: string;
let dns: TestDns;
let service: Service;

beforeAll(async () => {
  dns = await startDns();
  dataDir = await newDataDir();
  service = await startService(dataDir, { env: { DNS_SERVERS: dns.address } });
});
afterAll(async () => {
  await service.stop("SIGTERM");
  await dns.close();
  await remove(dataDir);
});

interface Domain {
  id: string;
  status: string;
  dns: { value: string }[];
}

async function ask<T>(method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(`${service.api}/v1${path}`, {
    method,
    headers: { Authorization: `Bearer ${await ownerKey(dataDir)}`, "Content-Type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  return ((await response.json()) as { data: T }).data;
}

/** Requests a short link with another Host header. */
const locationAt = (host: string, slug: string) =>
  new Promise<string | null>((resolve, reject) => {
    request(`${service.short}/${slug}`, { headers: { host } }, (response) => {
      response.resume();
      resolve(response.headers.location ?? null);
    })
      .on("error", reject)
      .end();
  });

test("a custom domain is verified with DNS_SERVERS, may get a certificate, and serves its links", async () => {
  const domain = "go.example.com";
  const certificateStatus = async () => (await fetch(`${service.api}/tls/ask?domain=${domain}`)).status;
  const { id, dns: records } = await ask<Domain>("POST", "/domains", { domain });
  expect((await ask<Domain>("GET", `/domains/${id}/verify`)).status).toBe("pending");
  expect(await certificateStatus()).toBe(404);

  prove(dns, domain, records[0]?.value ?? "");
  dns.set("CNAME", domain, records[1]?.value ?? "");
  expect((await ask<Domain>("GET", `/domains/${id}/verify`)).status).toBe("verified");
  expect(await certificateStatus()).toBe(200);

  const url = "https://example.com/there";
  const { slug } = await ask<{ slug: string }>("POST", "/links", { url, domain });
  expect(await locationAt(domain, slug)).toBe(url);
  expect(await locationAt("other.example.com", slug)).toBeNull();
  await ask("DELETE", `/domains/${id}`);
  await until(async () => (await locationAt(domain, slug)) === null, second);
});
