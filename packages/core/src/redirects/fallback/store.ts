import type { Base } from "../../db/base.ts";
import { type Account, toAccount } from "../../kernel/context.ts";
import { AppError } from "../../kernel/errors.ts";
import { bytesOf } from "../link-bytes.ts";
import { noLoop } from "../destination.ts";
import type { RedirectDeps } from "../redirect-deps.ts";

/** Links that a domain gets this way, in all and in an hour: who controls the other service could otherwise fill the database. */
const maxImportedLinks = 100_000;
const maxAnHour = 5_000;

interface FoundLink {
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

/** "too many": the domain has got as many links as it may in this hour. An AppError: the account has no room. */
type Outcome = "stored" | "not stored" | "too many" | AppError;

/**
 * Stores a link for the account of its domain, unless the domain has changed meanwhile, its account is suspended or has another
 * plan, the destination is a short-link host, or a limit is reached. A slug that was taken meanwhile stays as it is.
 */
export async function storeFound(
  { pool, storage }: Pick<RedirectDeps, "pool" | "storage">,
  link: FoundLink,
): Promise<Outcome> {
  const { rows } = await pool.query<Account & { isFull: boolean }>({
    name: "account-of-found-link",
    text: `select u.id, u.email, u.name, u.plan,
             imported_in_hour >= $3 and imported_hour = date_trunc('hour', $2::timestamptz) as "isFull"
           from domains d join users u on u.id = d.account_id where d.id = $1`,
    values: [link.domainId, link.now, maxAnHour],
  });
  const [row] = rows;
  if (!row) return "not stored";
  if (row.isFull) return "too many";
  const account = toAccount(row);
  const room = { links: 1, bytes: bytesOf(link) };
  try {
    const isStored = await storage.reserve({ kind: "account", account, credential: "internal" }, room, () =>
      insert(pool, link),
    );
    if (isStored) return "stored";
    storage.release(account.id, room.links, room.bytes);
    return "not stored";
  } catch (error) {
    if (error instanceof AppError && error.code === "FORBIDDEN") return error;
    throw error;
  }
}

async function insert(pool: Base["pool"], link: FoundLink): Promise<boolean> {
  const { rowCount } = await pool.query({
    name: "store-found-link",
    text: `with counted as (
             update domains d set imported_links = imported_links + 1,
               imported_in_hour = case when imported_hour = date_trunc('hour', $8::timestamptz) then imported_in_hour + 1 else 1 end,
               imported_hour = date_trunc('hour', $8::timestamptz)
             from users u
             where d.id = $1 and d.status = 'verified' and d.import_from = $2 and d.imported_links < $3
               and (d.imported_hour is distinct from date_trunc('hour', $8::timestamptz) or d.imported_in_hour < $9)
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
      maxAnHour,
    ],
  });
  return rowCount !== 0;
}
