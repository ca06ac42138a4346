import { spawn } from "node:child_process";
import { createTestCore } from "@terse/core/testing";
import { expect, it, onTestFinished } from "vitest";
import { isMissing, tempFolder, until } from "../../packages/testkit/src/index.ts";
import { nextPort } from "../../packages/testkit/src/ports.ts";
import { proxies, startNode, visitor } from "./proxies.ts";

it.skipIf(isMissing("haproxy", { version: "-v" }))(
  "HAProxy leaves a killed node before its next check, so that visitors get answers when the other is not ready either",
  async () => {
    const { core, actor, databaseUrl, close } = await createTestCore();
    onTestFinished(close);
    const { slug } = await core.caller(await actor()).links.create({ url: "https://example.com/" });
    const folder = await tempFolder();
    const [first, second, https] = [nextPort(), nextPort(), nextPort()];
    const remaining = await startNode(first, folder, databaseUrl, { DRAIN_DELAY: "300" });
    const killed = await startNode(second, folder, databaseUrl);
    const nodes = [first, `${second} inter 1h`];
    const [command, ...args] = await proxies.haproxy({ folder, http: nextPort(), https, nodes });
    const proxy = spawn(command, args, { stdio: ["ignore", "ignore", "pipe"] });
    let log = "";
    proxy.stderr.setEncoding("utf8").on("data", (part: string) => (log += part));
    onTestFinished(async () => {
      proxy.kill();
      for (const node of [remaining, killed]) {
        node.stop("SIGKILL");
        await node.end();
      }
    });
    const ask = visitor(https, slug);
    const askOften = async () => Promise.all(Array.from({ length: 10 }, ask));
    const answered = Array.from({ length: 10 }, () => "302");
    await until(async () => (await ask()) === "302");

    killed.stop("SIGKILL");
    await killed.end();
    expect(await askOften()).toEqual(answered);
    remaining.stop(); // from now on it is not ready, and serves for DRAIN_DELAY
    await until(() => log.includes("Server short/node1 is DOWN"));
    expect(await askOften()).toEqual(answered);
  },
);
