import { DeadlockException, UniqueConstraintViolationException } from "@mikro-orm/core";
import type { QueryResult } from "pg";
import type { Deps } from "../deps.ts";
import { type Destinations, hostsOf, refuseLoops } from "../domains/index.ts";
import { AppError } from "../kernel/errors.ts";
import { generateSlug } from "./slug.ts";

/** With 1.5 × 10^12 slugs a second collision in a row means something else is wrong. */
export const maxSlugAttempts = 5;

/** PostgreSQL's code for a unique constraint that would be violated. */
const uniqueViolation = "23505";

interface SlugInsert {
  /** The slug that was asked for; without one, any that is free */
  slug: string | undefined;
  /** Whose it will be; null for nobody's */
  accountId: string | null;
  destinations: Destinations;
}

/**
 * Inserts under a slug, and answers which. `insert` lets the database decide, in one statement: it fails where the slug
 * is taken, and inserts nothing where a custom domain among `hosts` makes a loop. Here that becomes 409 and 400.
 */
export async function insertWithUniqueSlug(
  deps: Deps,
  { slug: wanted, accountId, destinations }: SlugInsert,
  insert: (slug: string, hosts: readonly string[]) => Promise<QueryResult>,
): Promise<string> {
  const hosts = hostsOf(destinations);
  for (let attempt = 1; attempt <= maxSlugAttempts; attempt++) {
    const slug = wanted ?? generateSlug(deps.randomBytes);
    try {
      const { rowCount } = await insert(slug, hosts);
      if (rowCount !== 0) return slug;
      await refuseLoops(deps, accountId, destinations);
    } catch (error) {
      if ((error as { code?: unknown }).code !== uniqueViolation) throw error;
      if (wanted !== undefined) throw slugTaken(wanted);
    }
  }
  throw new Error(`No free slug was found in ${maxSlugAttempts} attempts`);
}

export const slugTakenMessage = (slug: string) =>
  `slug: "${slug}" is already taken on this domain; choose another one`;

const slugTaken = (slug: string) => new AppError("CONFLICT", slugTakenMessage(slug));

/** A link, or a bucket's page, that was to have another slug. */
interface Rename {
  id: string;
  domain_id: string;
  slug: string | undefined;
}

/**
 * What an update's failure means for the slug that it wanted: 409 where that is taken. Updates that wait for each other
 * in a ring are ended by PostgreSQL, one of them: where two wanted each other's slug, neither was free; else 503 asks to
 * try again.
 */
export async function slugUpdateError(
  { pool }: Deps,
  error: unknown,
  { id, domain_id, slug }: Rename,
): Promise<unknown> {
  if (error instanceof UniqueConstraintViolationException && slug !== undefined) return slugTaken(slug);
  if (!(error instanceof DeadlockException)) return error;
  if (slug !== undefined) {
    const text = "select from links where domain_id = $1 and slug = $2 and id <> $3";
    const { rowCount } = await pool.query(text, [domain_id, slug, id]);
    if (rowCount === 1) return slugTaken(slug);
  }
  const message = "Another change was made at the same time; try again";
  return new AppError("SERVICE_UNAVAILABLE", message, { retryAfter: 1, cause: error });
}
