import type { AnalyticsDeps } from "../../analytics/call.ts";
import { inTransaction } from "../../db/connection.ts";
import { lease } from "../../db/lease.ts";
import { AppError } from "../../kernel/errors.ts";
import type { ReportSection } from "../../mail/mail.types.ts";
import { queueMail, takesMail } from "../../mail/queue.ts";
import { duePeriod, type Frequency } from "./period.ts";
import { readSection, type Subject } from "./section.ts";

/** A run ends after this many milliseconds; the next one continues. */
const maxMs = 20_000;
/** Far longer than a report takes; one that failed is made again then. */
const leaseMs = 10 * 60_000;
/** After this time, a report leaves out what still cannot be read. */
const lateMs = 6 * 3_600_000;

interface DueReport {
  account_id: string;
  frequency: Exclude<Frequency, "never">;
  zone: string;
  due_ms: number;
}

/** What a run has read, since the members of a workspace get their reports at the same time. */
type Sections = Map<string, ReportSection | null>;

/**
 * Makes the reports that are due, one after the other, and queues their mails. Safe on several nodes at once, and after a crash:
 * a row for the person and the period is in the transaction of the mail. After an outage only the last period is reported.
 */
export async function sendReports(deps: AnalyticsDeps): Promise<void> {
  const begun = performance.now();
  const sections: Sections = new Map();
  let failure: unknown;
  while (performance.now() - begun < maxMs) {
    const now = deps.clock();
    const [due] = await lease<DueReport>(deps.pool, {
      name: "lease-reports",
      table: "preferences",
      key: "account_id",
      due: `where report_at <= $1 and (report_leased_until is null or report_leased_until <= $1) order by report_at`,
      limit: 1,
      set: "report_leased_until = $2",
      returning: `preferences.account_id, report_frequency as frequency, coalesce(time_zone, 'UTC') as zone,
        (extract(epoch from report_at) * 1000)::float8 as due_ms`,
      values: [now, new Date(now.getTime() + leaseMs)],
    });
    if (!due) break;
    try {
      await sendReport(deps, due, now, sections);
    } catch (error) {
      // Without a free slot it is made later.
      if (!(error instanceof AppError) || error.code !== "SERVICE_UNAVAILABLE") failure ??= error;
    }
  }
  if (failure !== undefined) throw failure;
}

async function sendReport(deps: AnalyticsDeps, due: DueReport, now: Date, known: Sections): Promise<void> {
  const { account_id: id, frequency, zone, due_ms } = due;
  const { from, to, next } = duePeriod(frequency, zone, now);
  const days = { from, to, zone, isLate: now.getTime() - due_ms > lateMs };
  const sections: ReportSection[] = [];
  for (const subject of await subjectsOf(deps, id)) {
    const key = JSON.stringify({ ...subject, user: null, ...days });
    const section = known.get(key) ?? (known.has(key) ? null : await readSection(deps, subject, days));
    known.set(key, section);
    if (section) sections.push(section);
  }
  await inTransaction(deps.pool, async (database) => {
    const { rowCount } = await database.query({
      name: "report-once",
      text: "insert into report_periods (account_id, frequency, first_day, at) values ($1, $2, $3, $4) on conflict do nothing",
      values: [id, frequency, from, now],
    });
    const data = { frequency, from, to, sections };
    if (rowCount === 1 && sections.length > 0)
      await queueMail(database, deps, { person: id }, { kind: "report", data });
    // Unless the person has changed it in the meantime.
    await database.query({
      name: "report-done",
      text: `update preferences set report_at = $3, report_leased_until = null
             where account_id = $1 and report_at = $2 and report_frequency = $4`,
      values: [id, new Date(due_ms), next, frequency],
    });
  });
}

/** What a person gets a report on, as the memberships are now; nothing if they get no mail. */
async function subjectsOf({ pool }: AnalyticsDeps, personId: string): Promise<Subject[]> {
  const { rows } = await pool.query<Subject>({
    name: "subjects-of-report",
    text: `select w.id, w.name, w.plan, w.slug, m.role, t.name as tag,
             jsonb_build_object('id', p.id, 'email', p.email, 'name', p.name) as user
           from report_subjects s join workspaces p on p.id = s.account_id
           join members m on m.workspace_id = s.workspace_id and m.user_id = p.id
           join workspaces w on w.id = s.workspace_id and w.suspended_at is null and w.deletes_at is null
           left join tags t on t.id = s.tag_id
           where p.id = $1 and ${takesMail("p", "'reports'")}
           order by w.id = p.id desc, w.name, w.id, t.key nulls first`,
    values: [personId],
  });
  return rows;
}
