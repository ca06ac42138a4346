import type { Call, LinkDeps } from "../call.ts";
import { systemCallFor } from "../../rpc/call.ts";
import { inTransaction } from "../../db/transaction.ts";
import type { HistoricLink, HistoricLinkResult } from "../import.types.ts";
import type { Account } from "../../kernel/context.ts";
import { startedBy } from "../../history/change.ts";
import { bytesIn, type Checked, checkLinks, foreseeRoom, makeRows, screenLinks } from "./accept.ts";
import { type DifferencesAllowed, foresee, insertAll, type Inserted, refuseHeld } from "./insert-all.ts";
import { type CreatedOrRefused, Outcome } from "./outcome.ts";
import { createdThen, setImportedClicks } from "./past.ts";

interface Import {
  links: readonly HistoricLink[];
  /** The ids of the links, in their order; new ones if missing */
  ids?: readonly string[];
  allowed: DifferencesAllowed;
}

/** See HistoryImporter.addLinks. */
export async function importLinks(
  deps: LinkDeps,
  account: Account,
  { links, ids, allowed }: Import,
): Promise<HistoricLinkResult[]> {
  const ctx = startedBy(systemCallFor(deps, account), { kind: "import", name: null });
  const outcome = new Outcome(links.length, "continue");
  const checked = await acceptable(ctx, links, outcome);
  const identified = checked.map((link) => ({ ...link, id: ids?.[link.index] }));
  // What is here already needs no room.
  const missing = await refuseHeld(deps, deps.pool, account.id, identified, outcome, allowed);
  const made = await makeRows(ctx, missing, outcome);
  const accepted = createdThen(made, (index) => links[index] ?? {});
  let inserted: Inserted[] = [];
  let results: HistoricLinkResult[] = [];
  try {
    await inTransaction(deps.pool, async (database) => {
      // Two imports of the same rows insert the same ids, each in the order of its own slugs.
      if (ids)
        await database.query("select pg_advisory_xact_lock(hashtextextended('import ' || $1, 0))", [
          account.id,
        ]);
      const added = await insertAll(deps, database, account.id, accepted, outcome, allowed);
      results = resultsOf(outcome, checked);
      const totals = results.flatMap((result, at) =>
        "id" in result ? [{ id: result.id, imported_clicks: links[at]?.imported_clicks }] : [],
      );
      await setImportedClicks(database, account.id, totals);
      inserted = added;
      return true;
    });
  } finally {
    deps.storage.release(
      account.id,
      accepted.length - inserted.length,
      bytesIn(accepted) - bytesIn(inserted),
    );
  }
  for (const { row } of inserted) deps.invalidate(row);
  return results;
}

/** See HistoryImporter.foreseeLinks. */
export async function foreseeLinks(
  deps: LinkDeps,
  account: Account,
  { links, allowed }: Import,
): Promise<HistoricLinkResult[]> {
  const ctx = systemCallFor(deps, account);
  const outcome = new Outcome(links.length, "continue");
  const checked = await acceptable(ctx, links, outcome);
  await foresee(deps, account.id, await foreseeRoom(ctx, checked, outcome), outcome, allowed);
  return resultsOf(outcome, checked);
}

async function acceptable(ctx: Call, links: readonly HistoricLink[], outcome: Outcome) {
  const fields = links.map((link) => link.fields);
  return screenLinks(ctx, await checkLinks(ctx, fields, outcome), outcome);
}

function resultsOf(outcome: Outcome, checked: readonly Checked[]): HistoricLinkResult[] {
  const destinations = new Map(checked.map(({ index, input }) => [index, input.url]));
  return outcome.answer().results.map((result) => toResult(result, destinations.get(result.index) ?? ""));
}

function toResult({ id, short_url = "", error }: CreatedOrRefused, destination: string): HistoricLinkResult {
  if (id !== undefined)
    return { status: error === undefined ? "created" : "exists", id, short_url, destination };
  return error === undefined ? { status: "possible" } : { status: "refused", reason: error };
}
