import { spawn } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { expect, it } from "vitest";

const module = new URL("../src/shutdown.ts", import.meta.url).href;

/** Runs a process with this `stop` function (JavaScript), and sends it signals with pauses (ms) in between. */
async function run(stop: string, signals: readonly (NodeJS.Signals | number)[]) {
  const script = `import { onShutdown } from ${JSON.stringify(module)};
    const sleep = (ms) => new Promise((done) => setTimeout(done, ms));
    onShutdown(async (signal) => { console.log("stop", signal); ${stop} });
    setInterval(() => {}, 1000);
    console.log("ready");`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script]);
  const output = { out: "", err: "" };
  child.stderr.on("data", (chunk) => {
    output.err += chunk;
  });
  const ready = new Promise<void>((resolve) => {
    child.stdout.on("data", (chunk) => {
      output.out += chunk;
      if (output.out.includes("ready")) resolve();
    });
  });
  const exited = new Promise<number | null>((resolve) => child.once("close", (code) => resolve(code)));
  await ready;
  for (const step of signals) {
    if (typeof step === "string") child.kill(step);
    else {
      // Measured from the handling of the previous signal, because the machine may be busy.
      while (!output.out.includes("stop")) await sleep(5);
      await sleep(step);
    }
  }
  return { code: await exited, stops: output.out.match(/stop \w+/g) ?? [], err: output.err };
}

it.each(["SIGINT", "SIGTERM", "SIGHUP"] as const)("%s stops once and exits with 0", async (signal) => {
  expect(await run("await sleep(50)", [signal])).toEqual({ code: 0, stops: [`stop ${signal}`], err: "" });
});

it("a failure to stop exits with 1 and one line", async () => {
  const { code, err } = await run("throw new Error('the database\\nhangs')", ["SIGTERM"]);
  expect(code).toBe(1);
  expect(err).toBe("Stopping failed: the database hangs\n");
});

it("one Ctrl-C that npm repeats still stops gracefully", async () => {
  expect(await run("await sleep(400)", ["SIGINT", 50, "SIGINT"])).toMatchObject({
    code: 0,
    stops: ["stop SIGINT"],
  });
});

it("a second Ctrl-C exits at once with 130", async () => {
  expect(await run("await sleep(20000)", ["SIGINT", 700, "SIGINT"])).toMatchObject({
    code: 130,
    stops: ["stop SIGINT"],
  });
});

it("further SIGTERMs change nothing", async () => {
  const signals = ["SIGTERM", 700, "SIGTERM"] as const;
  expect(await run("await sleep(1000)", signals)).toMatchObject({ code: 0, stops: ["stop SIGTERM"] });
});
