import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import type { RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { makeCertificate } from "@terse/testkit/certificate";
import { startDns } from "@terse/testkit/dns";
import { afterAll, expect, it } from "vitest";
import { startApp } from "../client.ts";
import { allow, ask, callback, mcp, program, signedIn } from "./program.ts";

/** A host on this machine with a certificate that this process trusts. */
const host = "program.example";
const folder = await mkdtemp(join(tmpdir(), "terse-test-"));
const { cert, key } = await makeCertificate(folder, undefined, host);
afterAll(() => rm(folder, { recursive: true }));
const trusted = getCACertificates();
setDefaultCACertificates([...trusted, readFileSync(cert, "utf8")]);
afterAll(() => setDefaultCACertificates(trusted));

const asked: string[] = [];
const pages: Record<string, RequestListener> = {};
const site = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (request, response) => {
  asked.push(request.url ?? "");
  const page = pages[request.url ?? ""];
  if (page) page(request, response);
  else response.writeHead(404).end();
});
await new Promise<void>((resolve) => site.listen(0, "127.0.0.1", resolve));
const base = `https://${host}:${(site.address() as AddressInfo).port}`;
const dns = await startDns();
dns.set("A", host, "127.0.0.1");
afterAll(async () => {
  site.closeAllConnections();
  site.close();
  await dns.close();
});

const app = await startApp({ dnsServers: [dns.address], outboundNetworks: ["127.0.0.1/32"] });
const guarded = await startApp({ dnsServers: [dns.address] });
const person = await signedIn(app, await app.account("pro"));

/** Serves a document at a path, and returns the client's id. */
function publish(path: string, document: object = {}): string {
  const id = base + path;
  const described = { client_id: id, client_name: "Published", redirect_uris: [callback], ...document };
  pages[path] = (_, response) => void response.end(JSON.stringify(described));
  return id;
}

it("a program is known by the document at its id, which is read once in a while", async () => {
  const id = publish("/client.json", { scope: "everything", logo_uri: "http://10.0.0.1/logo.png" });
  const test = program(app, id);
  const page = await ask(person, test.request().url);
  expect(page.text).toContain("Published");
  expect(page.text).toContain(`It belongs to <strong>${new URL(base).host}</strong>`);
  expect(page.text).not.toContain('warning"');
  const { access_token } = await test.connect(person);
  expect(await app.core.credentials.byToken(access_token, mcp)).not.toBeNull();
  expect(asked.filter((path) => path === "/client.json")).toHaveLength(1);
});

it("a document says where answers go, and nothing else counts", async () => {
  const id = publish("/elsewhere.json", { redirect_uris: ["https://program.example/callback"] });
  expect((await ask(person, program(app, id).request().url)).status).toBe(400);
  const right = program(app, id).request({ redirect_uri: "https://program.example/callback" });
  expect((await allow(person, right.url)).host).toBe(host);
});

it.each<[string, () => string]>([
  ["another id in it", () => publish("/other.json", { client_id: `${base}/client.json` })],
  ["a secret", () => publish("/secret.json", { client_secret: "s" })],
  [
    "a way to prove itself by a secret",
    () => publish("/post.json", { token_endpoint_auth_method: "client_secret_post" }),
  ],
  ["no addresses", () => publish("/none.json", { redirect_uris: [] })],
  ["no document", () => `${base}/missing.json`],
  [
    "a document elsewhere",
    () => {
      const to = publish("/target.json");
      pages["/moved.json"] = (_, response) => void response.writeHead(302, { location: to }).end();
      return `${base}/moved.json`;
    },
  ],
  ["ten megabytes", () => publish("/large.json", { filler: "x".repeat(10_000_000) })],
  [
    "text",
    () => {
      pages["/text.json"] = (_, response) => void response.end("<!doctype html>");
      return `${base}/text.json`;
    },
  ],
  ["a user in its id", () => base.replace("https://", "https://user@")],
  ["no https", () => publish("/plain.json").replace("https:", "http:")],
])("a program with %s cannot be connected", async (_, make) => {
  const page = await ask(person, program(app, make()).request().url);
  expect([page.status, page.location]).toEqual([400, null]);
  expect(page.text).toContain("cannot be connected");
});

it("no document is read from a private network", async () => {
  const before = asked.length;
  const visitor = await signedIn(guarded, await guarded.account("pro"));
  const port = new URL(base).port;
  for (const id of [
    publish("/inside.json"),
    `https://127.0.0.1:${port}/inside.json`,
    `https://[::1]:${port}/inside.json`,
  ])
    expect((await ask(visitor, program(guarded, id).request().url)).status).toBe(400);
  expect(asked.length).toBe(before);
  expect(guarded.log.join("")).toContain("the description of a client cannot be read");
});

it("a document that does not come in time is given up", { tags: ["long"] }, async () => {
  pages["/slow.json"] = (_, response) => void response.write("{");
  const page = await ask(person, program(app, `${base}/slow.json`).request().url);
  expect(page.status).toBe(400);
});
