import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { LinkRule } from "@terse/core";
import { compare } from "./compare.ts";
import { openDatabase } from "./database.ts";
import { startPinned } from "./processes.ts";
import { userAgent, wrk } from "./wrk.ts";

const seconds = 4;
const rounds = 7;
const url = "https://example.com/some/path?with=a&query=1";

const visit = {
  user_agent: userAgent,
  language: "de-AT,de;q=0.9,en-US;q=0.8,en;q=0.7",
  referrer: "https://www.news.example/article",
};
const headers = [`Accept-Language: ${visit.language}`, `Referer: ${visit.referrer}`];

/** Of every kind of condition; the last rule applies to the visitor of the benchmark. */
const conditions: LinkRule["when"][] = [
  { country: ["AT", "CH"] },
  { continent: ["AS", "OC"] },
  { language: ["fr", "it"] },
  { device: ["mobile", "tablet"] },
  { os: ["iOS"], browser: ["Safari"] },
  { referrer: ["other.example", "social.example"] },
  { query: [{ name: "utm_source", value: "mail" }] },
  { ip: ["10.0.0.0/8", "2001:db8::/32"] },
  { weekly: { tz: "Pacific/Auckland", days: ["mon"], from: "00:00", to: "00:01" } },
  { os: ["Linux"], language: ["de"], referrer: ["news.example"], after: "2026-01-01T00:00:00Z" },
];
const rules: LinkRule[] = conditions.map((when, at) => ({ when, url: `${url}-${at}` }));

/** Compares redirects of a link with ten rules to those of a plain link, by the same process. */
export async function run(): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), "terse-bench-"));
  const database = await openDatabase();
  const { links } = database.core.caller({
    kind: "account",
    account: database.account,
    credential: "internal",
  });
  await links.create({ url, slug: "plain" });
  const { id } = await links.create({ url, slug: "ruled", rules });
  const server = await startPinned("redirect-process.ts", [
    database.url,
    join(folder, "clicks"),
    "http://short.test",
  ]);
  const round = (path: string) => async () =>
    (await wrk(server.port, path, seconds, undefined, headers)).perSecond;
  console.log(`\nA link with ${rules.length} rules, ${seconds} s per round`);
  await compare({
    unit: "redirects/s",
    rounds,
    baseline: { name: "a plain link", round: round("/plain") },
    product: { name: "the last of ten rules", round: round("/ruled") },
  });
  const { location } = await links.explain({ id, ...visit });
  if (location !== rules.at(-1)?.url) throw new Error(`Another rule decided: ${location}`);
  await server.stop();
  await database.close();
  rmSync(folder, { recursive: true });
}
