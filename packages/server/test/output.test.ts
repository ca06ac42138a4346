import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { open } from "node:fs/promises";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";

/** Runs logging.ts with `stdout` as its standard output. */
function run(lines: number, end: "at once" | "later" | "by itself", stdout: "pipe" | number = "pipe") {
  const child = spawn(process.execPath, [join(import.meta.dirname, "logging.ts"), `${lines}`, end], {
    stdio: ["ignore", stdout, "pipe"],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  return child;
}

it.skipIf(!existsSync("/dev/full"))(
  "a full disk neither crashes a process nor keeps it from exiting",
  async () => {
    const full = await open("/dev/full", "w");
    for (const end of ["at once", "later", "by itself"] as const) {
      const child = run(3, end, full.fd);
      let errors = "";
      child.stderr?.setEncoding("utf8").on("data", (text: string) => (errors += text));
      const [code] = (await once(child, "close")) as [number];
      expect([end, code, errors]).toEqual([end, end === "by itself" ? 0 : 7, ""]);
    }
    await full.close();
  },
);

it("lines arrive complete and in order, however slowly they are read", async () => {
  const child = run(10_000, "by itself");
  let text = "";
  child.stdout?.setEncoding("utf8");
  for await (const chunk of child.stdout ?? []) {
    text += chunk as string;
    await new Promise(setImmediate);
  }
  const lines = text
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line) as { at: number; msg: string });
  expect(lines.map(({ at }) => at)).toEqual(Array.from({ length: 10_000 }, (_, at) => at));
  expect(new Set(lines.map(({ msg }) => msg))).toEqual(new Set(["größer"]));
});

it("the last lines before an exit arrive", async () => {
  const child = run(20, "at once");
  let text = "";
  child.stdout?.setEncoding("utf8").on("data", (chunk: string) => (text += chunk));
  await once(child, "close");
  expect(text.trim().split("\n")).toHaveLength(20);
});
