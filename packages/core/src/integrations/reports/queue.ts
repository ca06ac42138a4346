import type { Base } from "../../db/base.ts";
import { isoTime } from "../../kernel/time.ts";
import { ownerEmail } from "../../accounts/workspaces/membership.ts";
import { isId } from "../../kernel/validation/ids.ts";
import type { Report, ReportQueue } from "./reports.types.ts";

const maxListed = 1000;

/** Implements `ReportQueue`. */
export function createReportQueue({ pool, clock }: Pick<Base, "pool" | "clock">): ReportQueue {
  return {
    async list({ all = false } = {}) {
      const { rows } = await pool.query<Report>(
        `select r.id, r.link_id, r.short_url, r.destination, r.reason, r.details, r.network,
           case when l.id is null then 'deleted' when l.disabled_at is null then 'enabled' else 'disabled' end as link,
           r.created_at, r.closed_at,
           case when u.id is not null then json_build_object('id', u.id, 'email', ${ownerEmail("u")}) end as account
         from reports r left join links l on l.id = r.link_id left join workspaces u on u.id = r.account_id
         ${all ? "" : "where r.closed_at is null"}
         order by r.created_at desc, r.id desc limit ${maxListed}`,
      );
      return rows.map((row) => ({
        ...row,
        created_at: isoTime(row.created_at),
        closed_at: isoTime(row.closed_at),
      }));
    },
    async close(which) {
      const [column, id] = "id" in which ? (["id", which.id] as const) : (["link_id", which.linkId] as const);
      if (!isId(id)) return 0;
      const { rowCount } = await pool.query(
        `update reports set closed_at = $2 where ${column} = $1 and closed_at is null`,
        [id, clock()],
      );
      return rowCount ?? 0;
    },
  };
}
