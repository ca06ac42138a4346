import { type Issue, issue } from "../kernel/issues.ts";
import { isDeadlock, isUniqueViolation } from "../db/errors.ts";
import type { LinkDeps } from "./call.ts";
import { type Destinations, assertNoLoops } from "../domains/redirect-loops.ts";
import { AppError, concurrentChange, refusal } from "../kernel/errors.ts";
import { generateSlug } from "../kernel/slug.ts";

/** With 1.5 × 10^12 slugs, a second collision in a row already means that something else is wrong. */
export const maxSlugAttempts = 5;

/**
 * Inserts a link with the requested slug, or a generated one, and returns what `insert` returns. `insert` is one
 * statement, in which the database decides: it throws if the slug is taken (409), and returns undefined if a
 * destination makes a loop (400). A loop that has gone by the look-up is retried, then 503.
 */
export async function insertWithUniqueSlug<Inserted>(
  deps: Pick<LinkDeps, "pool" | "shortHost" | "randomBytes">,
  wanted: { slug: string | undefined; accountId: string | null; destinations: Destinations },
  insert: (slug: string) => Promise<Inserted | undefined>,
): Promise<Inserted> {
  const { slug: requested, accountId, destinations } = wanted;
  let wasLoop = false;
  for (let attempt = 1; attempt <= maxSlugAttempts; attempt++) {
    try {
      const inserted = await insert(requested ?? generateSlug(deps.randomBytes));
      if (inserted !== undefined) return inserted;
      wasLoop = true;
      await assertNoLoops(deps, accountId, destinations);
    } catch (error) {
      if (!isUniqueViolation(error)) throw error;
      if (requested !== undefined) throw slugTaken(requested);
    }
  }
  if (wasLoop) throw concurrentChange();
  throw new Error(`No free slug was found in ${maxSlugAttempts} attempts`);
}

export const slugTakenIssue = (slug: string): Issue =>
  issue("slug", "slug_taken", `"${slug}" is already taken on this domain; choose another one`, { slug });

export const slugTaken = (slug: string) => new AppError("CONFLICT", slugTakenIssue(slug));

/** Refuses a link that the account has with other fields; `url` may be among them. */
export const slugOfOther = (slug: string, differences: readonly string[]) =>
  refusal(
    "CONFLICT",
    "slug",
    "slug_taken",
    `"${slug}" is already taken on this domain by a link of yours that differs in ${differences.join(", ")}; change that link, or choose another slug`,
    { slug, differences },
  );

/**
 * Translates the failure of an update of a link, or of a bucket's page. `slug` is the new slug, if it was to change: 409 if the new slug is taken. PostgreSQL ends one of several updates that wait for
 * each other (a deadlock): 409 if another link has the slug, as when two links swap theirs, else 503 to try again.
 */
export async function slugUpdateError(
  { pool }: Pick<LinkDeps, "pool">,
  error: unknown,
  { id, domain_id, slug }: { id: string; domain_id: string; slug: string | undefined },
): Promise<unknown> {
  if (isUniqueViolation(error) && slug !== undefined) return slugTaken(slug);
  if (!isDeadlock(error)) return error;
  if (slug !== undefined) {
    const text = "select from links where domain_id = $1 and slug = $2 and id <> $3";
    const { rowCount } = await pool.query(text, [domain_id, slug, id]);
    if (rowCount === 1) return slugTaken(slug);
  }
  return concurrentChange(error);
}
