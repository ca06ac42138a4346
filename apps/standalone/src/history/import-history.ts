import { setTimeout as wait } from "node:timers/promises";
import {
  type PersonalAccount,
  type Core,
  countOf,
  type HistoricVisit,
  type ImportPosition,
} from "@terse/core";
import { noResultFile, openResultFile } from "../import/result-file.ts";
import { confirm } from "./confirm.ts";
import { startProgress } from "../progress.ts";
import { type ImportReport, Report } from "./report.ts";
import { refusalOfBroken, type Source, type SourceLink, type TakenLink } from "./source.ts";

export interface HistoryJob {
  source: Source;
  account: PersonalAccount;
  /** Imports nothing, and says what would become of each link */
  dryRun: boolean;
  /** Starts without a question */
  yes: boolean;
  /** Absolute path of a CSV file; null writes none */
  result: string | null;
  interrupt: AbortSignal;
  /** Shows lines to the operator */
  say: (text: string) => void;
  /** Visits in one transaction, about. 10,000 delay counting of other clicks by less than a second. */
  visitsAtOnce?: number;
}

/** Links in one transaction */
const linksAtOnce = 500;

const columns = [
  "name",
  "destination",
  "status",
  "short_url",
  "reason",
  "visits",
  "imported_clicks",
] as const;

/**
 * Imports links of another service, then their visits, in portions that are each done as a whole. Says before what will be
 * lost, and asks. Throws if interrupted; repeating an import continues where it stopped.
 */
export async function importHistory(core: Core, job: HistoryJob): Promise<ImportReport> {
  try {
    return await importFrom(core, job);
  } finally {
    await job.source.close?.().catch(() => {});
  }
}

async function importFrom(core: Core, job: HistoryJob): Promise<ImportReport> {
  const { source, dryRun, interrupt, say } = job;
  const { links, visits, losses } = await source.survey();
  const what = `${source.title}: ${countOf(links, "link")} and ${countOf(visits, "visit")}. Not imported:`;
  say(`${[what, ...losses].join("\n- ")}\n`);
  if (!dryRun && !job.yes) await confirm(`Import them for ${job.account.email}?`, interrupt);

  const report = new Report();
  const done = { links: 0, visits: 0 };
  const format = "{bar} {percentage}% · {links} links · {visits} visits · {eta_formatted} left";
  const progress = startProgress(format, Math.max(1, links + (dryRun ? 0 : visits)), done);
  const count = (kind: keyof typeof done, more: number) => {
    done[kind] += more;
    progress?.increment(more, done);
  };
  try {
    const taken = await importLinks(core, job, report, () => count("links", 1));
    if (!dryRun) await importVisits(core, job, taken, report, (more) => count("visits", more));
  } finally {
    progress?.stop();
  }
  say(report.problems(job.result));
  return report.totals(source.name);
}

async function importLinks(
  core: Core,
  { source, account, dryRun, result, interrupt }: HistoryJob,
  report: Report,
  onLink: () => void,
): Promise<TakenLink[]> {
  const taken: TakenLink[] = [];
  const file = result === null ? noResultFile : await openResultFile(result, columns);
  const submit = dryRun ? core.history.previewLinks : core.history.addLinks;

  async function add(links: readonly SourceLink[]): Promise<void> {
    const refusals = new Map(
      links.map((link) => [link, link.refusal ?? refusalOfBroken(link.fields)] as const),
    );
    const allowed = links.filter((link) => refusals.get(link) === undefined);
    const answers = allowed.length === 0 ? [] : await submit(account, allowed);
    const answerOf = new Map(allowed.map((link, at) => [link, answers[at]]));
    const rows = links.map((link) => {
      const answer = answerOf.get(link) ?? { status: "refused", reason: refusals.get(link) ?? "" };
      report.link(link, answer);
      onLink();
      if ("id" in answer) taken.push({ name: link.name, id: answer.id, visits: link.visits });
      return { ...rowOf(link), short_url: "", reason: "", ...answer };
    });
    await file.write(rows);
    interrupt.throwIfAborted();
  }

  try {
    let portion: SourceLink[] = [];
    for await (const link of source.links()) {
      portion.push(link);
      if (portion.length < linksAtOnce) continue;
      await add(portion);
      portion = [];
    }
    await add(portion);
    await file.publish();
  } catch (error) {
    await file.discard();
    throw error;
  }
  return taken;
}

const rowOf = ({ name, fields, visits, imported_clicks = 0 }: SourceLink) => ({
  name,
  destination: (fields as { url?: string }).url ?? "",
  visits,
  imported_clicks,
});

async function importVisits(
  core: Core,
  { source, account, interrupt, visitsAtOnce = 10_000 }: HistoryJob,
  taken: readonly TakenLink[],
  report: Report,
  onVisits: (count: number) => void,
): Promise<void> {
  const positions = new Map<string, ImportPosition>();
  for (let at = 0; at < taken.length; at += 1000) {
    const ids = taken.slice(at, at + 1000).map(({ id }) => id);
    for (const [id, position] of await core.history.positionsOf(source.name, ids))
      positions.set(id, position);
  }

  async function add(visits: readonly HistoricVisit[]): Promise<void> {
    interrupt.throwIfAborted();
    if (visits.length === 0) return;
    const startedAt = performance.now();
    report.counted(await core.history.addVisits(account, source.name, visits, positions));
    for (const { link_id, position, time } of visits) positions.set(link_id, { position, last_at: time });
    onVisits(visits.length);
    // A service that runs beside has the database to itself for a part of the time.
    await wait((performance.now() - startedAt) / 4);
  }

  let portion: HistoricVisit[] = [];
  for await (const group of source.visits(taken, positions, report)) {
    portion = portion.concat(group);
    if (portion.length < visitsAtOnce) continue;
    await add(portion);
    portion = [];
  }
  await add(portion);
}
