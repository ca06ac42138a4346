import type { Base } from "../../db/base.ts";
import { v7 as uuidv7 } from "uuid";
import { addressNetwork, ipv6Network } from "../../kernel/addresses.ts";
import { coreEvent } from "../../kernel/events.ts";
import type { Limits } from "../../rpc/limits/limits.ts";
import { maxReportDetails, type Reports } from "./reports.types.ts";

/** Open reports of a link that are stored */
const maxOpen = 100;
/** Characters of a destination that are copied */
const maxDestination = 2000;

/** Implements `Reports`. */
export function createReports({
  pool,
  shortHost,
  clock,
  onEvent,
  limits,
}: Pick<Base, "pool" | "shortHost" | "clock" | "onEvent"> & { limits: Limits }): Reports {
  return {
    async submit({ link_id, reason, details, address }) {
      const client = ipv6Network(address, 64) ?? address;
      const refusal = await limits.takeByClient("reports", client);
      if (refusal !== null) return refusal.reset;
      const link = await read(link_id);
      if (link === undefined) return null;
      const short_url = shortHost.urlOf(link.slug, link.domain);
      const report = { id: uuidv7(), link_id, short_url, reason };
      const { rowCount } = await pool.query({
        name: "insert-report",
        text: `insert into reports (id, link_id, account_id, short_url, destination, reason, details, network, created_at)
               select $1, $2, (select id from workspaces where id = $3 for key share), $4, $5, $6, $7, $8, $9
               where (select count(*) from reports where link_id = $2 and closed_at is null) < ${maxOpen}
               on conflict (link_id, network) where closed_at is null do nothing`,
        values: [
          report.id,
          link_id,
          link.account_id,
          short_url,
          link.destination.slice(0, maxDestination),
          reason,
          plain(details),
          addressNetwork(address),
          clock(),
        ],
      });
      if (rowCount === 1) onEvent(coreEvent("link_reported", report));
      return null;
    },
  };

  /** The links of a bucket belong to the bucket's account. */
  async function read(linkId: string) {
    const { rows } = await pool.query<{
      slug: string;
      domain: string;
      destination: string;
      account_id: string | null;
    }>({
      name: "reported-link",
      text: `select l.slug, d.domain, l.destination, coalesce(l.account_id, b.account_id) as account_id
             from links l join domains d on d.id = l.domain_id left join buckets b on b.id = l.bucket_id
             where l.id = $1`,
      values: [linkId],
    });
    return rows[0];
  }
}

/** Characters that would change how an operator's terminal or page shows the text (UAX #9 for the last ones). */
const unsafe = /(?!\n)[\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g;

/** Returns the text as it is stored; null if nothing is left. */
function plain(details: string): string | null {
  const text = details
    .replaceAll("\r\n", "\n")
    .slice(0, maxReportDetails)
    .toWellFormed()
    .replace(unsafe, " ")
    .trim();
  return text === "" ? null : text;
}
