import { once } from "node:events";
import { readFileSync, utimesSync } from "node:fs";
import { createHostLists } from "../../packages/core/src/safety/screening/host-lists.ts";

/** A host list, or a Set of the same names, in a process of its own. */
const [kind = "", path = ""] = process.argv.slice(2);
const probes = 200_000;
const reloads = 3;

const mebibytes = (bytes: number) => bytes / 2 ** 20;
const resident = () => {
  globalThis.gc?.();
  return process.memoryUsage.rss();
};

process.channel?.ref(); // keeps the process alive: the lists' timers do not
const before = resident();
const growth = () => mebibytes(resident() - before);
const isCovered = kind === "set" ? coveredBySet() : await coveredByLists();

function coveredBySet() {
  const names = new Set(namesIn(readFileSync(path, "latin1")));
  const answers = { growth: growth() };
  return {
    answers,
    covers(host: string): boolean {
      for (let name = host; ; ) {
        if (names.has(name)) return true;
        const dot = name.indexOf(".");
        if (dot === -1) return false;
        name = name.slice(dot + 1);
      }
    },
  };
}

async function coveredByLists() {
  let longest = 0;
  let isLoading = true;
  let used = process.threadCpuUsage();
  const turn = () => {
    const { user, system } = process.threadCpuUsage(used);
    longest = Math.max(longest, (user + system) / 1000);
    used = process.threadCpuUsage();
    if (isLoading) setImmediate(turn);
  };
  const changed = new EventTarget();
  const lists = createHostLists({ paths: [path], onEvent: () => {}, pollMs: 50 });
  lists.onChange(() => changed.dispatchEvent(new Event("change")));
  setImmediate(turn);
  await lists.start();
  isLoading = false;
  const answers = {
    growth: growth(),
    "longest turn": longest,
    "growth after reloads": 0,
    "highest growth": 0,
  };
  for (let at = 1; at <= reloads; at++) {
    const change = once(changed, "change");
    utimesSync(path, at, at);
    await change;
  }
  answers["growth after reloads"] = growth();
  answers["highest growth"] = mebibytes(process.resourceUsage().maxRSS * 1024 - before);
  return { answers, covers: lists.isBlocked };
}

/** Copies, since a part of a text keeps all of it in memory */
function namesIn(text: string): string[] {
  return text.split("\n").map((line) => Buffer.from(line.slice("0.0.0.0 ".length)).toString("latin1"));
}

/** Hosts from all over the list, `www.` before every other one */
function listedHosts(): string[] {
  const names = namesIn(readFileSync(path, "latin1"));
  const step = Math.floor(names.length / probes);
  return Array.from({ length: probes }, (_, at) =>
    Buffer.from((at % 2 === 0 ? "" : "www.") + names[(at * 7919 * step) % names.length]).toString("latin1"),
  );
}

const listed = listedHosts();
const unlisted = listed.map((host) => Buffer.from(host.replaceAll(".", "q.")).toString("latin1"));

/** CPU time of a look-up in nanoseconds */
function measure(hosts: readonly string[]): number {
  const used = process.threadCpuUsage();
  let found = 0;
  for (const host of hosts) if (isCovered.covers(host)) found += 1;
  const { user, system } = process.threadCpuUsage(used);
  const expected = hosts === listed ? hosts.length : 0;
  if (found !== expected) throw new Error(`${found} hosts were found, not ${expected}`);
  return ((user + system) * 1000) / hosts.length;
}

process.on("message", (question: string) => {
  const answers: Record<string, number> = isCovered.answers;
  const value =
    question === "listed" || question === "unlisted"
      ? measure(question === "listed" ? listed : unlisted)
      : (answers[question] ?? null);
  process.send?.({ value });
});
process.send?.(0);
