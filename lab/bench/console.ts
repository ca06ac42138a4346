import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { createCore } from "@terse/core";
import { launchBrowser } from "@terse/testkit/chromium";
import type { Pool } from "pg";
import type { Page } from "playwright-core";
import { median } from "./compare.ts";
import { makeLinks, openDatabase, openPool } from "./database.ts";
import { packAll } from "./pack-all.ts";
import { startHttpService } from "./service.ts";
import { createVisits } from "../clicks/visits.ts";

const links = 100_000;
const clicks = 1_000_000;
const days = 90;
const hourMs = 3_600_000;
const dayMs = 24 * hourMs;
const rounds = 15;
const patienceMs = 20_000;
const shortBase = "http://short.test";

/** What a person does, from the press to the answer in the page. */
interface Step {
  name: string;
  /** Milliseconds that it may take */
  target: number;
  /** The page before the step */
  path: string;
  /** Selector of what is there before the step begins; the step is loading the page if there is no `act` */
  ready: string;
  act?: (page: Page, round: number) => Promise<unknown>;
  /** JavaScript that is true once the page shows the answer */
  shown: (round: number) => string;
}

const firstRow = "document.querySelector('main [role=listitem]') !== null";
const textHas = (selector: string, text: string) =>
  `document.querySelector(${JSON.stringify(selector)})?.textContent.includes(${JSON.stringify(text)})`;

const steps: Step[] = [
  {
    name: "the list of links, from an empty page",
    target: 1000,
    path: "/",
    ready: "",
    shown: () => firstRow,
  },
  {
    name: "a search, from the last key",
    target: 150,
    path: "/",
    ready: "main [role=listitem]",
    act: (page, round) => page.getByRole("searchbox").fill(`query=${50_000 + round}`),
    shown: () => textHas(".total", "1 link"),
  },
  {
    name: "a filter, from the choice",
    target: 200,
    path: "/",
    ready: "main [role=listitem]",
    act: (page) => page.getByLabel("State").selectOption("inactive"),
    // Of 10,000; a filter counts the first thousand, and all 100,000 are "10,000+".
    shown: () => textHas(".total", "1,000+ links"),
  },
  {
    name: "analytics of 90 days, from an empty page",
    target: 1000,
    path: "/analytics?period=90d",
    ready: "",
    shown: () => "document.querySelector('main .totals') !== null",
  },
  {
    name: "analytics, filtered by pressing a country",
    target: 200,
    path: "/analytics?period=90d",
    ready: "main section[aria-label=Places] li button",
    // The second of the list, so that most clicks do not fit.
    act: (page) => page.locator("main section[aria-label=Places] li button").nth(1).click(),
    shown: () => "document.querySelectorAll('main section[aria-label=Places] li button').length === 1",
  },
];

/**
 * Measures the console in Chromium, with an account of 100,000 links and a million clicks: how long a person waits for each
 * step, and the longest delay between an interaction and the next frame. `--only TEXT` leaves out steps whose names do not match
 * this regular expression.
 */
export async function run(): Promise<void> {
  const { values } = parseArgs({
    args: process.argv.slice(3),
    options: { only: { type: "string", default: "" } },
  });
  const only = new RegExp(values.only);
  const folder = mkdtempSync(join(tmpdir(), "terse-bench-"));
  const database = await openDatabase();
  process.stderr.write(`  ${links.toLocaleString("en")} links …\n`);
  await makeLinks(database, links);
  const pool = openPool(database.url, 1);
  const { rows } = await pool.query<{ id: string }>("select id from links limit 10000");
  await fill(
    database.url,
    pool,
    folder,
    rows.map(({ id }) => id),
  );
  await pool.query("update links set is_active = false where slug like '%7'");
  await pool.query("vacuum analyze");
  await pool.end();
  const { token } = await database.core.sessions.create(database.account.id);
  const service = await startHttpService(database.url);
  const browser = await launchBrowser([]);
  const context = await browser.newContext({ viewport: { width: 1280, height: 800 } });
  await context.addCookies([{ name: "session", value: token, url: service.url }]);
  const page = await context.newPage();
  await page.addInitScript(observeInteractions);
  let slowest = 0;
  console.log("\n| Step | Target | Median of 15 |\n|---|---|---|");
  for (const step of steps.filter(({ name }) => only.test(name))) {
    const times: number[] = [];
    for (let round = -1; round < rounds; round++) {
      const time = await measure(page, service.url, step, round + 1);
      if (round >= 0) times.push(time);
      slowest = Math.max(slowest, await page.evaluate<number>("globalThis.slowestInteraction"));
    }
    console.log(`| ${step.name} | ${step.target} ms | ${Math.round(median(times))} ms |`);
  }
  console.log(`| from any interaction to the next frame, at most | 200 ms | ${Math.round(slowest)} ms |`);
  await browser.close();
  await service.stop();
  await database.close();
  rmSync(folder, { recursive: true });
}

/** Counts a million clicks of 90 days, through the drain, which packs those of settled days. */
async function fill(databaseUrl: string, pool: Pool, folder: string, ids: readonly string[]): Promise<void> {
  // Nothing is packed in the first hour of a day.
  const end = new Date(Date.now() - hourMs);
  const core = await createCore({
    databaseUrl,
    shortBase,
    clock: () => end,
    clickLog: { folder, fsync: "off" },
  });
  process.stderr.write(`  ${clicks.toLocaleString("en")} clicks …\n`);
  const visit = createVisits(ids);
  const start = Date.now() - days * dayMs;
  for (let day = 0; day < days; day++) {
    const count = Math.ceil(clicks / days);
    await Promise.all(Array.from({ length: count }, () => core.clicks.record(visit(start + day * dayMs))));
    while ((await core.clicks.drain()) > 0);
  }
  await packAll(core, pool, end);
  await core.close();
}

/** Notes the longest event of a page (Event Timing). */
const observeInteractions = `
  globalThis.slowestInteraction = 0;
  new PerformanceObserver((list) => {
    for (const { duration, interactionId } of list.getEntries())
      if (interactionId) globalThis.slowestInteraction = Math.max(globalThis.slowestInteraction, duration);
  }).observe({ type: "event", durationThreshold: 16, buffered: true });
`;

/** Milliseconds from the action, or from the navigation's start, to the first frame with the answer. */
async function measure(page: Page, url: string, step: Step, round: number): Promise<number> {
  const { path, ready, act, shown } = step;
  await page.goto("about:blank");
  const frameWithAnswer = `new Promise((resolve, reject) => {
    setTimeout(() => reject(new Error("The page does not show the answer")), ${patienceMs});
    const look = () => (${shown(round)}) ? resolve(performance.now()) : requestAnimationFrame(look);
    look();
  })`;
  if (!act) {
    await page.goto(url + path, { waitUntil: "commit" });
    return page.evaluate<number>(frameWithAnswer);
  }
  await page.goto(url + path);
  await page.locator(ready).first().waitFor();
  await page.evaluate(
    "globalThis.begun = 0; addEventListener('pointerdown', begin, true); addEventListener('input', begin, true); function begin() { begun = performance.now(); }",
  );
  const answered = page.evaluate<number>(`${frameWithAnswer}.then((end) => end - begun)`);
  await act(page, round);
  return answered;
}
