import { readFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import type { IncomingHttpHeaders, RequestListener } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { getCACertificates, setDefaultCACertificates } from "node:tls";
import { makeCertificate } from "@terse/testkit/certificate";
import { startDns } from "@terse/testkit/dns";
import { afterAll } from "vitest";
import { callback } from "./program.ts";

const host = "program.example";

/**
 * The site of a program that is known by a document: a host on this machine, with a certificate that this process trusts and a name
 * that only `dnsServers` know. It ends after the tests of the file.
 */
export async function startProgramSite() {
  const folder = await mkdtemp(join(tmpdir(), "terse-test-"));
  const { cert, key } = await makeCertificate(folder, undefined, host);
  const trusted = getCACertificates();
  setDefaultCACertificates([...trusted, readFileSync(cert, "utf8")]);

  const asked: { path: string; headers: IncomingHttpHeaders }[] = [];
  const pages: Record<string, RequestListener> = {};
  const site = createServer({ cert: readFileSync(cert), key: readFileSync(key) }, (request, response) => {
    const { url = "", headers } = request;
    asked.push({ path: url, headers });
    const page = pages[url];
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
    setDefaultCACertificates(trusted);
    await rm(folder, { recursive: true });
  });
  return {
    host,
    /** Its address, without a slash at the end */
    base,
    /** Requests so far */
    asked,
    /** What it answers, by path */
    pages,
    dnsServers: [dns.address],
    /** For the option of the core that allows requests into private networks */
    outboundNetworks: ["127.0.0.1/32"],
    /** Serves a document at a path, and returns the client's id. */
    publish(path: string, document: object = {}): string {
      const id = base + path;
      const described = { client_id: id, client_name: "Published", redirect_uris: [callback], ...document };
      const headers = { "Content-Type": "application/json; charset=utf-8" };
      pages[path] = (_, response) => void response.writeHead(200, headers).end(JSON.stringify(described));
      return id;
    },
  };
}
