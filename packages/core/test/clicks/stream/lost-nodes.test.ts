import { spawn } from "node:child_process";
import { once } from "node:events";
import { open, readFile, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { tempFolder, until } from "@terse/testkit";
import { natsMissing, startNats } from "@terse/testkit/nats";
import { redisMissing, startRedis } from "@terse/testkit/redis";
import { afterAll, describe, expect, it } from "vitest";
import { openClickStream } from "../../../src/clicks/stream/click-stream.ts";
import { createTestCore } from "../../../src/testing.ts";
import { url as destination } from "../../helpers.ts";
import { countsOf, exactly } from "../drain/helpers.ts";
import { newStream, streamDrainOf } from "./helpers.ts";

const nodes = Number(process.env.NODES ?? 20);

const { core, actor, close } = await createTestCore();
afterAll(close);
const owner = await actor();

/** A node under load, with a link of its own. Nobody counts from its disk. */
async function startNode(url: string, shipping: string) {
  const folder = await tempFolder();
  const report = await open(join(folder, "report"), "a+");
  const { id: link } = await core.caller(owner).links.create({ url: destination });
  const disk = join(folder, "clicks");
  const script = join(import.meta.dirname, "node.ts");
  const child = spawn(process.execPath, [script, disk, url, shipping, link], {
    stdio: ["ignore", report.fd, "inherit"],
  });
  const ended = once(child, "exit");
  const reported = join(folder, "report");
  return {
    link,
    isBusy: async () => (await stat(reported)).size > 14 * 500,
    kill: () => child.kill("SIGKILL"),
    /** Removes the disk; returns how many clicks there were, when each was answered, and whether the stream was away at the end. */
    async lose(): Promise<{ got: number; answered: number[]; wasUnavailable: boolean }> {
      await ended;
      await rm(disk, { recursive: true });
      await report.close();
      const lines = (await readFile(reported, "latin1")).trimEnd().split("\n");
      const events = lines.filter((line) => line.startsWith("click_"));
      return {
        got: Number(lines.findLast((line) => line.startsWith("got "))?.slice(4)),
        answered: lines.filter((line) => /^\d/.test(line)).map(Number),
        wasUnavailable: events.at(-1) === "click_stream_unavailable",
      };
    },
  };
}

/** Kills nodes, removes their disks and counts; returns the clicks that were answered and lost, and their time in ms. */
async function trial(url: string, shipping: string): Promise<{ answered: number; lost: number; ms: number }> {
  const all = await Promise.all(Array.from({ length: nodes }, () => startNode(url, shipping)));
  await until(async () => (await Promise.all(all.map(({ isBusy }) => isBusy()))).every(Boolean), 120_000);
  for (const { kill } of all) kill();
  const answers = await Promise.all(all.map(({ lose }) => lose()));
  const drain = streamDrainOf(core, url);
  const rest = openClickStream(url);
  await until(async () => (await rest.read(null, 1)).length === 0, 120_000);
  await rest.close();
  await drain.stop();

  const sum = { answered: 0, lost: 0, ms: 0 };
  for (const [at, { link }] of all.entries()) {
    const { got = 0, answered = [], wasUnavailable = true } = answers[at] ?? {};
    const counts = await countsOf(core, link);
    expect(counts).toEqual(exactly(counts.links));
    // A click may be in the stream before it is answered.
    expect(counts.links).toBeLessThanOrEqual(got);
    const lost = answered.slice(counts.links);
    // A busy machine may not answer for a second; then only the disk has the clicks.
    if (wasUnavailable) continue;
    sum.answered += answered.length;
    sum.lost += lost.length;
    if (lost.length > 0) sum.ms = Math.max(sum.ms, (answered.at(-1) ?? 0) - (lost[0] ?? 0));
  }
  return sum;
}

describe.each([
  { name: "Redis", missing: redisMissing, start: () => startRedis({ durable: true }) },
  { name: "JetStream", missing: natsMissing, start: startNats },
])("twenty nodes that are lost with their disks, with a stream in $name", ({ name, missing, start }) => {
  it.skipIf(missing)(
    "lose no answered click with sync, and the last few with async; none counts twice",
    { timeout: 600_000, tags: ["long"] },
    async () => {
      const server = await start();
      for (const shipping of ["async", "sync"]) {
        const { answered, lost, ms } = await trial(newStream(server.url), shipping);
        console.log(
          `${name}, ${shipping}: ${answered} answered, ${lost} lost, of the last ${ms} ms of a node`,
        );
        if (shipping === "sync") expect(lost).toBe(0);
      }
    },
  );
});
