import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:https";
import { join } from "node:path";
import { createTestCore, type TestCore } from "@terse/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isMissing, run, tempFolder, until } from "../../packages/testkit/src/index.ts";
import { makeCertificate } from "../../packages/testkit/src/certificate.ts";
import { nextPort } from "../../packages/testkit/src/ports.ts";
import { root } from "../pnpm.ts";

/** The proxies as `deploy/` configures them, with two nodes that are restarted one after the other under load. */

const host = "go.example.com";
const deployed = (file: string) => readFileSync(join(root, "deploy", file), "utf8");

interface Place {
  folder: string;
  http: string;
  https: string;
  nodes: readonly string[];
}

/** Each returns the command that starts the proxy with the file of `deploy/`, on other ports and with a test's certificate. */
const proxies: Record<string, (place: Place) => Promise<readonly [string, ...string[]]>> = {
  async caddy({ folder, http, https, nodes }) {
    const forTest = `{\n\thttp_port ${http}\n\thttps_port ${https}\n\tlocal_certs\n\tskip_install_trust\n\tadmin off\n\tstorage file_system ${folder}\n`;
    const config = join(folder, "Caddyfile");
    writeFileSync(config, deployed("Caddyfile").replace(/^\{\n/m, forTest));
    const names = [`TERSE_API=api.example.com`, `TERSE_SHORT=${host}`, `TERSE_MCP=mcp.example.com`];
    const upstreams = nodes.map((port) => `127.0.0.1:${port}`).join(" ");
    const nodeList = `TERSE_SHORT_NODES=${upstreams}`;
    return ["env", ...names, nodeList, "caddy", "run", "--config", config, "--adapter", "caddyfile"];
  },
  async haproxy({ folder, http, https, nodes }) {
    const { cert, key } = await makeCertificate(folder);
    const both = [cert, key].map((path) => readFileSync(path, "utf8"));
    writeFileSync(join(folder, "both.pem"), both.join("\n"));
    const servers = nodes.map((port, at) => `\tserver node${at + 1} 127.0.0.1:${port}`).join("\n");
    const config = join(folder, "haproxy.cfg");
    writeFileSync(config, deployed("haproxy.cfg").replaceAll("\tserver node1 127.0.0.1:3001", servers));
    const settings = ["TERSE_API=api.example.com", "TERSE_MCP=mcp.example.com"];
    const binds = [`TERSE_HTTP=127.0.0.1:${http}`, `TERSE_HTTPS=127.0.0.1:${https}`];
    const certificates = `TERSE_CERTS=${join(folder, "both.pem")}`;
    return ["env", ...settings, ...binds, certificates, "haproxy", "-db", "-f", config];
  },
};

describe.each(Object.entries(proxies))("a rolling restart behind %s", (name, commandFor) => {
  let test: TestCore;
  const running: { stop(): unknown }[] = [];
  beforeAll(async () => {
    test = await createTestCore();
  });
  afterAll(async () => {
    for (const each of running) each.stop();
    await test.close();
  });

  it.skipIf(isMissing(name, { version: "-v" }))(
    "loses no redirect",
    { tags: ["long"], timeout: 300_000 },
    async () => {
      const folder = await tempFolder();
      const https = nextPort();
      const ports = [nextPort(), nextPort()];
      const owner = test.core.caller(await test.actor());
      const { slug } = await owner.links.create({ url: "https://example.com/" });
      const startNode = async (port: string) => {
        const node = run(join(root, "apps/redirect/src/main.ts"), {
          PATH: process.env.PATH,
          DATABASE_URL: test.databaseUrl,
          SHORT_BASE: `https://${host}`,
          REDIRECT_PORT: port,
          ADMIN_PORT: "0",
          REDIRECT_WORKERS: "0",
          DATA_DIR: join(folder, port),
          TRUSTED_PROXIES: "127.0.0.1",
        });
        await node.line();
        running.push(node);
        return node;
      };
      const nodes = await Promise.all(ports.map(startNode));
      const [command, ...args] = await commandFor({ folder, http: nextPort(), https, nodes: ports });
      const proxy: ChildProcess = spawn(command, args, { stdio: "ignore" });
      running.push({ stop: () => proxy.kill() });
      const ask = visitor(https, slug);
      await until(async () => (await ask()) === "302");

      const results = new Map<string, number>();
      let isOver = false;
      const visitors = Array.from({ length: 20 }, async () => {
        while (!isOver) {
          const result = await ask();
          results.set(result, (results.get(result) ?? 0) + 1);
        }
      });
      for (const [at, node] of nodes.entries()) {
        node.stop();
        await node.end();
        nodes[at] = await startNode(ports[at] ?? "");
      }
      isOver = true;
      await Promise.all(visitors);
      console.log(`${name}: ${JSON.stringify(Object.fromEntries(results))}`);
      expect([...results.keys()]).toEqual(["302"]);
      proxy.kill();
      await once(proxy, "exit");
      // They write to the folder that is removed next.
      for (const node of nodes) {
        node.stop();
        await node.end();
      }
    },
  );
});

/** Returns the function that asks for the link once and returns the status, or the error's code. */
function visitor(port: string, slug: string): () => Promise<string> {
  const agent = new Agent({ keepAlive: true, rejectUnauthorized: false, servername: host });
  return () =>
    new Promise((resolve) => {
      request({ agent, port, host: "127.0.0.1", path: `/${slug}`, headers: { host } }, (answer) => {
        answer.resume();
        answer.once("end", () => resolve(String(answer.statusCode)));
      })
        .once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
        .end();
    });
}
