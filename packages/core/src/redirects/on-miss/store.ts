import type { Pool } from "pg";
import { noLoop } from "../loops.ts";

/** Links that a domain gets this way: who controls the other service could otherwise fill the database. */
const maxImportedLinks = 100_000;

export interface FoundLink {
  id: string;
  domainId: string;
  /** The service that gave the destination */
  base: string;
  slug: string;
  destination: string;
  /** Host of the destination */
  host: string;
  now: Date;
}

/**
 * Stores a link for the account of its domain, unless the domain has changed meanwhile, its account is suspended or has another
 * plan, the destination is a short-link host, or the limit is reached. A slug that was taken meanwhile stays as it is.
 */
export async function storeFound(pool: Pool, link: FoundLink): Promise<void> {
  await pool.query({
    name: "store-found-link",
    text: `with counted as (
             update domains d set imported_links = imported_links + 1
             from users u
             where d.id = $1 and d.status = 'verified' and d.import_from = $2 and d.imported_links < $3
               and u.id = d.account_id and u.plan <> 'free' and u.suspended_at is null and u.deletes_at is null
               and ${noLoop("array[$4::text]", "d.account_id")}
               and not exists (select from links where domain_id = $1 and slug = $5)
             returning d.account_id
           )
           insert into links (id, account_id, domain_id, slug, destination, created_at, updated_at)
           select $6, account_id, $1, $5, $7, $8, $8 from counted
           on conflict do nothing`,
    values: [
      link.domainId,
      link.base,
      maxImportedLinks,
      link.host,
      link.slug,
      link.id,
      link.destination,
      link.now,
    ],
  });
}
