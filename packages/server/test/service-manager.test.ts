import { spawn, spawnSync } from "node:child_process";
import { join } from "node:path";
import { isMissing, tempFolder, until } from "@terse/testkit";
import { expect, it, onTestFinished } from "vitest";

const missing = ["systemd-notify", "socat"].filter((name) => isMissing(name));
const module = new URL("../src/node/service-manager.ts", import.meta.url).href;

it.skipIf(missing.length > 0)("systemd is told when the service is ready, alive and stopping", async () => {
  const socket = join(await tempFolder(), "notify.sock");
  const receiver = spawn("socat", ["-u", `UNIX-RECV:${socket}`, "STDOUT"]);
  let received = "";
  receiver.stdout.on("data", (bytes: Buffer) => (received += bytes.toString()));
  onTestFinished(() => void receiver.kill());
  await until(() => spawnSync("test", ["-S", socket]).status === 0);
  const script = `import { createServiceManager } from ${JSON.stringify(module)};
    const manager = createServiceManager(process.env);
    manager.ready();
    setTimeout(() => manager.stopping(), 400);
    setInterval(() => {}, 1000);`;
  const service = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    env: { ...process.env, NOTIFY_SOCKET: socket, WATCHDOG_USEC: "200000" },
  });
  onTestFinished(() => void service.kill());
  await until(() => ["READY=1", "WATCHDOG=1", "STOPPING=1"].every((message) => received.includes(message)));
  expect(received.indexOf("READY=1")).toBeLessThan(received.indexOf("STOPPING=1"));
});

it("nothing happens without a service manager, or without its program", async () => {
  const { createServiceManager } = await import("../src/node/service-manager.ts");
  createServiceManager({}).ready();
  const { PATH } = process.env;
  onTestFinished(() => void (process.env.PATH = PATH));
  process.env.PATH = "/nowhere";
  const manager = createServiceManager({ NOTIFY_SOCKET: "/nowhere/socket" });
  manager.ready();
  manager.stopping();
  await new Promise((resolve) => setImmediate(resolve));
});
