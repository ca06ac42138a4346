import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { compare } from "./compare.ts";
import { startPinned } from "./processes.ts";

const hosts = 1_000_000;
const rounds = 7;

/** What a host list with a million names takes in memory, and a look-up in time, against a Set of strings. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "terse-bench-"));
  const path = join(folder, "hosts.txt");
  writeFileSync(path, listOf(hosts));
  const start = (kind: "lists" | "set") => startPinned("screening-process.ts", [kind, path], ["--expose-gc"]);
  // What is compiled is kept when a process ends: those that are measured are not the first.
  await (await start("lists")).stop();
  const [baseline, product] = [await start("set"), await start("lists")];
  const lines: [what: string, unit: string, question: string][] = [
    ["resident growth", "MiB", "growth"],
    ["resident growth after reloads", "MiB", "growth after reloads"],
    ["highest resident growth", "MiB", "highest growth"],
    ["longest CPU time of a turn while loading", "ms", "longest turn"],
  ];
  console.log(`${hosts.toLocaleString("en")} hosts`);
  for (const [what, unit, question] of lines) {
    const [theirs, ours] = [await baseline.ask(question), await product.ask(question)];
    console.log(`  ${what.padEnd(42)} ${show(ours)} ${unit}, Set of strings ${show(theirs)} ${unit}`);
  }
  for (const kind of ["unlisted", "listed"]) {
    const round = (server: typeof product) => async () => Number((await server.ask(kind)).value);
    console.log(`Look-ups of ${kind} hosts, each with its parent domains`);
    await compare({
      unit: "ns",
      rounds,
      baseline: { name: "Set of strings", round: round(baseline) },
      product: { name: "host lists", round: round(product) },
    });
  }
  await baseline.stop();
  await product.stop();
  rmSync(folder, { recursive: true });
}

const show = ({ value }: Record<string, unknown>) => (value === null ? "–" : Number(value).toFixed(1));

/** A hosts file with names such as real lists have: 8 to 16 characters, half of them below another name. */
function listOf(count: number): string {
  const tops = ["com", "net", "org", "info", "top", "xyz", "co.uk", "shop"];
  let state = 1;
  const next = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
  const word = (length: number) => Array.from({ length }, () => String.fromCharCode(97 + next(26))).join("");
  const names = Array.from({ length: count }, () => {
    const below = next(2) === 0 ? "" : `${word(3 + next(6))}.`;
    return `0.0.0.0 ${below}${word(8 + next(9))}.${tops[next(tops.length)]}`;
  });
  return names.join("\n");
}
