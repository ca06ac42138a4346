import { readFileSync } from "node:fs";
import { request } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { until } from "@terse/testkit";
import { expect, onTestFinished, test } from "vitest";
import { newDataDir, remove } from "./process.ts";
import { ownerKey, shorten, startService } from "./service.ts";

/** Follows a link on a connection of its own; returns the status, or the code of the error. */
const visit = (url: string) =>
  new Promise<number | string>((resolve) => {
    const sent = request(url, { agent: false }, (answer) => {
      answer.resume();
      answer.on("end", () => resolve(answer.statusCode ?? 0));
      answer.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    });
    sent.on("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    sent.end();
  });

test.runIf(process.platform === "linux")(
  "while the only redirect worker is killed and replaced, no connection is refused",
  async () => {
    const dataDir = await newDataDir();
    onTestFinished(() => remove(dataDir));
    const service = await startService(dataDir, { env: { REDIRECT_WORKERS: "1" } });
    const link = await shorten(service, await ownerKey(dataDir), "https://example.com/there");
    const main = service.child.pid ?? 0;
    const workers = () =>
      readFileSync(`/proc/${main}/task/${main}/children`, "utf8")
        .split(" ")
        .filter((pid) => pid !== "" && /worker\.[jt]s/.test(readFileSync(`/proc/${pid}/cmdline`, "latin1")));

    let isOver = false;
    const outcomes = new Map<number | string, number>();
    const visitors = Array.from({ length: 8 }, async () => {
      while (!isOver) {
        const outcome = await visit(link.shortUrl);
        outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1);
        await sleep(2);
      }
    });
    for (let kill = 0; kill < 3; kill++) {
      const answered = outcomes.get(302) ?? 0;
      await until(() => (outcomes.get(302) ?? 0) > answered + 50);
      const [victim = ""] = workers();
      process.kill(Number(victim), "SIGKILL");
      await until(() => workers().length === 1 && workers()[0] !== victim);
    }
    const answered = outcomes.get(302) ?? 0;
    await until(() => (outcomes.get(302) ?? 0) > answered + 50);
    isOver = true;
    await Promise.all(visitors);
    // What a killed worker was answering is cut off.
    const cut = outcomes.get("ECONNRESET") ?? 0;
    expect(Object.fromEntries(outcomes)).toEqual({ 302: outcomes.get(302), ...(cut && { ECONNRESET: cut }) });
    expect(cut).toBeLessThanOrEqual(3 * visitors.length);
    expect(await service.stop("SIGTERM")).toBe(0);
    expect(await visit(link.shortUrl)).toBe("ECONNREFUSED");
  },
);
