import type { Pool } from "pg";
import type { StorageQuota } from "../../accounts/storage.ts";
import { inTransaction } from "../../db/connection.ts";
import type { Database } from "../../db/statements.ts";
import { type Account, toAccount } from "../../kernel/context.ts";
import { AppError } from "../../kernel/errors.ts";
import { bytesOf } from "../link-bytes.ts";

/** Links that a domain gets this way, in all and in an hour: otherwise the other service's owner could fill the database. */
const maxImportedLinks = 100_000;
const maxAnHour = 5_000;

interface FoundLink {
  id: string;
  domain_id: string;
  slug: string;
  destination: string;
  /** Host of the destination */
  host: string;
  created_at: Date;
}

/** Inserts a link, unless its slug is taken or its destination is a short-link host. Returns whether it did. */
export type InsertFound = (database: Database, link: FoundLink & { account_id: string }) => Promise<boolean>;

/** "too many": the domain has received its maximum of links for this hour. An AppError: the account has no room. */
type Outcome = "stored" | "not stored" | "too many" | AppError;

/**
 * Stores a link that the service `base` had, for the account of its domain, unless the domain has changed since, its
 * account is suspended or has another plan, the destination is a short-link host, or a limit is reached. A slug taken
 * in the meantime stays as it is.
 */
export async function storeFound(
  deps: { pool: Pool; storage: StorageQuota; insertFound: InsertFound },
  base: string,
  link: FoundLink,
): Promise<Outcome> {
  const { pool, storage, insertFound } = deps;
  const { rows } = await pool.query<Account & { isFull: boolean }>({
    name: "account-of-found-link",
    text: `select u.id, u.email, u.name, u.plan,
             imported_in_hour >= $3 and imported_hour = date_trunc('hour', $2::timestamptz) as "isFull"
           from domains d join workspaces u on u.id = d.account_id where d.id = $1`,
    values: [link.domain_id, link.created_at, maxAnHour],
  });
  const [row] = rows;
  if (!row) return "not stored";
  if (row.isFull) return "too many";
  const account = toAccount(row);
  const room = { links: 1, bytes: bytesOf(link) };
  const insert = () =>
    inTransaction(pool, async (database) => {
      const account_id = await countFound(database, base, link);
      return account_id !== undefined && insertFound(database, { ...link, account_id });
    });
  try {
    const isStored = await storage.reserve(
      { kind: "account", account, credential: "internal" },
      room,
      insert,
    );
    if (isStored) return "stored";
    storage.release(account.id, room.links, room.bytes);
    return "not stored";
  } catch (error) {
    if (error instanceof AppError && error.code === "FORBIDDEN") return error;
    throw error;
  }
}

/** Counts a link of a domain, and returns the domain's account; undefined if the domain may get no link. */
async function countFound(
  database: Database,
  base: string,
  { domain_id, created_at }: FoundLink,
): Promise<string | undefined> {
  const { rows } = await database.query<{ account_id: string }>({
    name: "count-found-link",
    text: `update domains d set imported_links = imported_links + 1,
             imported_in_hour = case when imported_hour = date_trunc('hour', $4::timestamptz) then imported_in_hour + 1 else 1 end,
             imported_hour = date_trunc('hour', $4::timestamptz)
           from workspaces u
           where d.id = $1 and d.status = 'verified' and d.import_from = $2 and d.imported_links < $3
             and (d.imported_hour is distinct from date_trunc('hour', $4::timestamptz) or d.imported_in_hour < $5)
             and u.id = d.account_id and u.plan <> 'free' and u.suspended_at is null and u.deletes_at is null
           returning d.account_id`,
    values: [domain_id, base, maxImportedLinks, created_at, maxAnHour],
  });
  return rows[0]?.account_id;
}
