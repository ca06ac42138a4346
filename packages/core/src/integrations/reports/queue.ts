import type { Base } from "../../db/base.ts";
import { isoTime } from "../../kernel/time.ts";
import { isId } from "../../kernel/validation/ids.ts";
import type { Report, ReportQueue } from "./reports.types.ts";

const maxListed = 1000;

type Row = Omit<Report, "account" | "created_at" | "closed_at"> & {
  account_id: string | null;
  email: string | null;
  created_at: number;
  closed_at: number | null;
};

/** Implements `ReportQueue`. */
export function createReportQueue({ pool, clock }: Pick<Base, "pool" | "clock">): ReportQueue {
  return {
    async list({ all = false } = {}) {
      const { rows } = await pool.query<Row>(
        `select r.id, r.link_id, r.short_url, r.destination, r.reason, r.details, r.network,
           (extract(epoch from r.created_at) * 1000)::float8 as created_at,
           (extract(epoch from r.closed_at) * 1000)::float8 as closed_at,
           r.account_id, u.email,
           case when l.id is null then 'deleted' when l.disabled_at is null then 'enabled' else 'disabled' end as link
         from reports r left join links l on l.id = r.link_id left join users u on u.id = r.account_id
         ${all ? "" : "where r.closed_at is null"}
         order by r.created_at desc, r.id desc limit ${maxListed}`,
      );
      return rows.map(toReport);
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

const toReport = ({ account_id, email, created_at, closed_at, ...report }: Row): Report => ({
  ...report,
  created_at: new Date(created_at).toISOString(),
  closed_at: isoTime(closed_at),
  account: account_id !== null && email !== null ? { id: account_id, email } : null,
});
