import { DeadlockException, UniqueConstraintViolationException } from "@mikro-orm/core";
import type { Deps } from "../deps.ts";
import { refuseLoops } from "../domains/index.ts";
import { AppError } from "../errors.ts";
import { generateSlug } from "./slug.ts";

/** How an insert ended that lets the database decide. */
export type InsertOutcome = "inserted" | "slug taken" | "loop";

/** With 1.5 × 10^12 slugs a second collision in a row means something else is wrong. */
const attempts = 5;

/**
 * Inserts under the slug that was asked for, or under a generated one that is free, and answers which. 409 where the
 * slug is taken, 400 where one of the destinations is a loop.
 */
export async function claimSlug(
  deps: Deps,
  wanted: string | undefined,
  destinations: Parameters<typeof refuseLoops>[1],
  insert: (slug: string) => Promise<InsertOutcome>,
): Promise<string> {
  for (let attempt = 1; attempt <= attempts; attempt++) {
    const slug = wanted ?? generateSlug(deps.randomBytes);
    const outcome = await insert(slug);
    if (outcome === "inserted") return slug;
    if (outcome === "loop") await refuseLoops(deps, destinations);
    else if (wanted !== undefined) throw slugTaken(wanted);
  }
  throw new Error(`No free slug was found in ${attempts} attempts`);
}

const slugTaken = (slug: string) =>
  new AppError("CONFLICT", `slug: "${slug}" is already taken on this domain; choose another one`);

/**
 * What an update's failure means for the slug that it wanted: 409 where that is taken. Two that want each other's slug
 * wait in a ring: PostgreSQL ends one, and neither slug was free.
 */
export function explainRename(error: unknown, wanted: string | undefined): unknown {
  const taken = error instanceof UniqueConstraintViolationException || error instanceof DeadlockException;
  return taken && wanted !== undefined ? slugTaken(wanted) : error;
}
