import { inTransaction } from "../../db/transaction.ts";
import type { Deps } from "../../deps.ts";
import type { HistoricLink, HistoricLinkResult } from "../../imports/index.ts";
import type { Account } from "../../kernel/context.ts";
import type { Call } from "../../rpc/procedure.ts";
import { bytesIn, checkLinks, foreseeRoom, makeRows, screenLinks } from "./accept.ts";
import { foresee, type Inserted, insertAll } from "./insert-all.ts";
import { type CreatedOrRefused, Outcome } from "./outcome.ts";

/** See HistoryImporter.addLinks. */
export async function importLinks(
  deps: Deps,
  account: Account,
  links: readonly HistoricLink[],
): Promise<HistoricLinkResult[]> {
  const ctx = callOf(deps, account);
  const outcome = new Outcome(links.length, "continue");
  const made = await makeRows(ctx, await acceptable(ctx, links, outcome), outcome);
  const accepted = made.map((link) => {
    const { created_at = link.row.created_at } = links[link.index] ?? {};
    return { ...link, row: { ...link.row, created_at } };
  });
  let inserted: Inserted[] = [];
  let results: HistoricLinkResult[] = [];
  try {
    await inTransaction(deps.pool, async (database) => {
      const added = await insertAll(deps, database, account.id, accepted, outcome);
      results = outcome.answer().results.map(toResult);
      const totals = results.flatMap((result, at) => {
        const total = links[at]?.imported_clicks ?? 0;
        return "id" in result && total > 0 ? [{ id: result.id, total }] : [];
      });
      await database.query(
        `update links set imported_clicks = total
         from unnest($2::uuid[], $3::bigint[]) as t (id, total)
         where links.id = t.id and account_id = $1 and imported_clicks < total`,
        [account.id, totals.map(({ id }) => id), totals.map(({ total }) => total)],
      );
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
  const ctx = callOf(deps, account);
  const outcome = new Outcome(links.length, "continue");
  const fitting = await foreseeRoom(ctx, await acceptable(ctx, links, outcome), outcome);
  await foresee(deps, account.id, fitting, outcome);
  return outcome.answer().results.map(toResult);
}

async function acceptable(ctx: Call, links: readonly HistoricLink[], outcome: Outcome) {
  const fields = links.map((link) => link.fields);
  return screenLinks(ctx, await checkLinks(ctx, fields, outcome), outcome);
}

/** What a call of the account itself would have. */
function callOf(deps: Deps, account: Account): Call & { account: Account } {
  const em = deps.orm.em.fork();
  em.setFilterParams("account", { id: account.id });
  return { deps, em, account, actor: { kind: "account", account, credential: "internal" }, reply: {} };
}

function toResult({ id, short_url = "", error }: CreatedOrRefused): HistoricLinkResult {
  if (id !== undefined) return { status: error === undefined ? "created" : "exists", id, short_url };
  return error === undefined ? { status: "possible" } : { status: "refused", reason: error };
}
