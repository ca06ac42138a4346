import type { SharedReportVisit, SharedReportAnswer, SharedReports } from "./shared-report.schema.ts";
import type { Report } from "../analytics.schema.ts";
import type { AnalyticsDeps } from "../call.ts";
import { accountScope, linkScope, type Period } from "../question.ts";
import { report } from "../report.ts";
import {
  hashToken,
  isPlausibleToken,
  lastUseLag,
  sharesOfVisit,
  verifyPassword,
} from "../../kernel/secrets.ts";
import { rolesWith } from "../../kernel/roles.ts";
import type { Plan } from "../../kernel/names.ts";
import type { PasswordAttempts } from "../../rpc/limits/limits.types.ts";
import { issueUnlockToken, isUnlockToken, unlockSeconds } from "../../redirects/rules/password.ts";

/** Milliseconds for which the figures of a shared report are shown again, and how many reports are kept */
const freshMs = 60_000;
const maxKept = 500;

interface Row {
  id: string;
  account_id: string;
  name: string;
  link_id: string | null;
  tag_key: string | null;
  password_hash: string | null;
  /** Milliseconds since the epoch */
  expires_ms: number;
  plan: Plan;
  stale: boolean;
}

/** Implements `SharedReports`. However many people read a report, a node makes it once a minute and period. */
export function createSharedReports(deps: AnalyticsDeps, passwordAttempts: PasswordAttempts): SharedReports {
  const { pool, clock, plans } = deps;
  const kept = new Map<string, { until: number; made: Promise<Report> }>();

  async function find(secret: string): Promise<Row | null> {
    if (!isPlausibleToken(secret)) return null;
    const { rows } = await pool.query<Row>({
      name: "open-shared-report",
      text: `select s.id, s.account_id, s.name, s.link_id, t.key as tag_key, s.password_hash,
               (extract(epoch from s.expires_at) * 1000)::float8 as expires_ms, u.plan,
               s.last_opened_at is null or s.last_opened_at < $2::timestamptz - interval '${lastUseLag}' as stale
             from shared_reports s join workspaces u on u.id = s.account_id left join tags t on t.id = s.tag_id
             where s.hash = $1 and s.active and s.expires_at > $2 and u.suspended_at is null and u.deletes_at is null
               and (s.created_by is null or exists (
                 select from members m where m.workspace_id = u.id and m.user_id = s.created_by and m.role = any ($3)))
               and (s.link_id is null or exists (
                 select from links l where l.id = s.link_id and l.account_id = s.account_id and l.disabled_at is null))`,
      values: [hashToken(secret), clock(), rolesWith("reports")],
    });
    const [row] = rows;
    return row && plans[row.plan].features.analytics ? row : null;
  }

  function reportOf(row: Row, period: Period): Promise<Report> {
    const now = clock().getTime();
    const key = `${row.id} ${period}`;
    const known = kept.get(key);
    if (known && known.until > now) return known.made;
    const made = make(row, period);
    kept.delete(key);
    kept.set(key, { until: now + freshMs, made });
    if (kept.size > maxKept) kept.delete(kept.keys().next().value ?? "");
    made.catch(() => kept.delete(key));
    return made;
  }

  async function make({ account_id, link_id, tag_key }: Row, period: Period): Promise<Report> {
    const scope = link_id === null ? accountScope(account_id) : linkScope(link_id, account_id);
    const { report: figuresNow } = await report(deps, scope, {
      span: { period },
      granularity: undefined,
      compare: false,
      tz: "UTC",
      filters: tag_key === null ? [] : [{ dimension: "tag", values: [tag_key], negated: false }],
      groupBy: [],
    });
    return figuresNow;
  }

  /** Checks the password, or the token of one that was right before; null lets the reader in. */
  async function unlock(row: Row, visit: SharedReportVisit): Promise<SharedReportAnswer | null> {
    const { id, password_hash: hash } = row;
    const { password, unlock_token = "", client } = visit;
    if (hash === null || isUnlockToken(unlock_token, hash, id, clock().getTime())) return null;
    if (password === undefined) return { kind: "password", wrong: false };
    const refusal = await passwordAttempts.take(id, client);
    if (refusal !== null) return { kind: "limited", seconds: refusal.reset };
    if (!(await verifyPassword(password, hash, sharesOfVisit(id, client))))
      return { kind: "password", wrong: true };
    await passwordAttempts.refund(id, client);
    return null;
  }

  return {
    async open(visit) {
      const refusal = await deps.limits.takeByClient("shared-reports", visit.client);
      if (refusal !== null) return { kind: "limited", seconds: refusal.reset };
      const row = await find(visit.secret);
      if (row === null) return { kind: "missing" };
      const locked = await unlock(row, visit);
      if (locked !== null) return locked;
      if (row.stale)
        await pool.query("update shared_reports set last_opened_at = $2 where id = $1", [row.id, clock()]);
      const { id, name, link_id, password_hash: hash } = row;
      return {
        kind: "report",
        name,
        expires_at: new Date(row.expires_ms),
        report: await reportOf(row, visit.period),
        isOfOneLink: link_id !== null,
        ...(hash !== null && {
          unlock: { token: issueUnlockToken(hash, id, clock().getTime()), seconds: unlockSeconds },
        }),
      };
    },
  };
}
