import { inTransaction } from "../../db/transaction.ts";
import type { Deps } from "../../deps.ts";
import type { HistoricLink, HistoricLinkResult } from "../../imports/index.ts";
import type { Account } from "../../kernel/context.ts";
import { callInNameOf } from "../../rpc/account-call.ts";
import type { Call } from "../../rpc/procedure.ts";
import { bytesIn, checkLinks, foreseeRoom, makeRows, screenLinks } from "./accept.ts";
import { foresee, type Inserted, insertAll } from "./insert-all.ts";
import { type CreatedOrRefused, Outcome } from "./outcome.ts";
import { createdThen, setImportedClicks } from "./past.ts";

/** See HistoryImporter.addLinks. */
export async function importLinks(
  deps: Deps,
  account: Account,
  links: readonly HistoricLink[],
): Promise<HistoricLinkResult[]> {
  const ctx = callInNameOf(deps, account);
  const outcome = new Outcome(links.length, "continue");
  const made = await makeRows(ctx, await acceptable(ctx, links, outcome), outcome);
  const accepted = createdThen(made, (index) => links[index] ?? {});
  let inserted: Inserted[] = [];
  let results: HistoricLinkResult[] = [];
  try {
    await inTransaction(deps.pool, async (database) => {
      const added = await insertAll(deps, database, account.id, accepted, outcome);
      results = outcome.answer().results.map(toResult);
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
  deps: Deps,
  account: Account,
  links: readonly HistoricLink[],
): Promise<HistoricLinkResult[]> {
  const ctx = callInNameOf(deps, account);
  const outcome = new Outcome(links.length, "continue");
  const fitting = await foreseeRoom(ctx, await acceptable(ctx, links, outcome), outcome);
  await foresee(deps, account.id, fitting, outcome);
  return outcome.answer().results.map(toResult);
}

async function acceptable(ctx: Call, links: readonly HistoricLink[], outcome: Outcome) {
  const fields = links.map((link) => link.fields);
  return screenLinks(ctx, await checkLinks(ctx, fields, outcome), outcome);
}

function toResult({ id, short_url = "", error }: CreatedOrRefused): HistoricLinkResult {
  if (id !== undefined) return { status: error === undefined ? "created" : "exists", id, short_url };
  return error === undefined ? { status: "possible" } : { status: "refused", reason: error };
}
