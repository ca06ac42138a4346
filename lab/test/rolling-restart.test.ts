import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createTestCore, type TestCore } from "@terse/core/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isMissing, tempFolder, until } from "../../packages/testkit/src/index.ts";
import { nextPort } from "../../packages/testkit/src/ports.ts";
import { proxies, startNode, visitor } from "./proxies.ts";

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

  it.skipIf(isMissing(name, { version: "-v" }))("loses no redirect", { timeout: 300_000 }, async () => {
    const folder = await tempFolder();
    const https = nextPort();
    const ports = [nextPort(), nextPort()];
    const owner = test.core.caller(await test.actor());
    const { slug } = await owner.links.create({ url: "https://example.com/" });
    const start = async (port: string) => {
      const node = await startNode(port, folder, test.databaseUrl);
      running.push(node);
      return node;
    };
    const nodes = await Promise.all(ports.map(start));
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
      nodes[at] = await start(ports[at] ?? "");
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
  });
});
