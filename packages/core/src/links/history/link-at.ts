import type { AccountCall } from "../call.ts";
import { isDeepStrictEqual } from "node:util";
import type { findLink } from "../find.ts";
import { linksAt, ownColumns, readColumns } from "./change.view.ts";
import { completeSince } from "../../history/trim.ts";

type StoredLink = Awaited<ReturnType<typeof findLink>>;

/** A link of the account as it was at a time, and what is to be said about that in sentences. */
export async function linkAt(
  { deps, account }: AccountCall,
  link: StoredLink,
  at: Date | undefined,
): Promise<{ link: StoredLink; reasons: string[] }> {
  if (at === undefined || at >= deps.clock()) return { link, reasons: [] };
  const columns = (await linksAt(deps.pool, [link.id], at)).get(link.id) ?? {};
  const decisive = ["disabled_at", ...ownColumns];
  const then = Object.fromEntries(
    Object.entries(readColumns(columns)).filter(([column]) => decisive.includes(column)),
  );
  const past: StoredLink = { ...link, ...then };
  const reasons: string[] = [];
  const isDifferent = decisive.some(
    (column) => !isDeepStrictEqual(valueOf(link, column), valueOf(past, column)),
  );
  if (at < link.created_at) {
    reasons.push(`The link did not exist yet: it was created at ${link.created_at.toISOString()}.`);
    if (isDifferent) reasons.push("It was changed since then; this is how it was created.");
    return { link: past, reasons };
  }
  if (isDifferent) reasons.push("The link was changed since then; this is how it was.");
  const since = await completeSince(deps, account.id);
  if (at < since && link.updated_at > at) {
    reasons.push(`Changes before ${since.toISOString()} are not kept, so it may have been different.`);
  }
  return { link: past, reasons };
}

const valueOf = (link: StoredLink, column: string) => link[column as keyof StoredLink] ?? null;
