import { createHash } from "node:crypto";
import type { Database } from "../../db/statements.ts";
import { startedBy } from "../../history/change.ts";
import type { Account } from "../../kernel/context.ts";
import { systemCallFor } from "../../rpc/call.ts";
import { acceptAll, checkAll, parseLinks, screenAll, type WantedLink } from "../accept.ts";
import type { LinkDeps } from "../call.ts";
import type { HistoricLink, HistoricLinkResult, Importer, ImportRow } from "../import.types.ts";
import { setImportedClicks } from "../insert.ts";
import { insertMany, previewInsertion, withoutExisting } from "./insert-many.ts";
import type { CreatedOrRefused } from "./bulk.schema.ts";
import { type DifferencesAllowed, Outcome } from "./outcome.ts";

/** See Importer. */
export const createImporter = (deps: LinkDeps): Importer => ({
  async importBatch(account, rows) {
    const links = rows.map((row) => ({ ...row, id: idOf(account, row) }));
    const results = await importLinks(deps, account, { links, allowed: "none" });
    return results.map((result) => {
      if (result.status === "refused") return { status: "rejected", reason: result.reason };
      if (result.status === "possible") throw new Error("An import was only tried");
      return result;
    });
  },
});

/** Returns a UUID of version 8 (RFC 9562 section 5.8) from a hash of what identifies the row. */
function idOf(account: Account, { fields, occurrence }: ImportRow): string {
  const { url, slug, domain } = fields as Readonly<Record<string, unknown>>;
  const texts = [url, slug, domain].map((text) => (typeof text === "string" ? text.trim() : ""));
  const key = JSON.stringify([account.id, ...texts, occurrence]);
  const bytes = createHash("sha256").update(key).digest().subarray(0, 16);
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80;
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80;
  return bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}

interface Import {
  /** Those without an id get a new one. */
  links: readonly (HistoricLink & { id?: string })[];
  allowed: DifferencesAllowed;
}

/** See HistoryImporter.addLinks. */
export async function importLinks(
  deps: LinkDeps,
  account: Account,
  { links, allowed }: Import,
): Promise<HistoricLinkResult[]> {
  const { ctx, outcome, wanted, checked } = await checkImport(deps, account, { links, allowed });
  const missing = await withoutExisting(ctx, deps.pool, checked, outcome);
  let results: HistoricLinkResult[] = [];
  const end = async (database: Database) => {
    results = resultsOf(outcome, wanted);
    const totals = results.flatMap((result, at) =>
      "id" in result ? [{ id: result.id, imported_clicks: links[at]?.imported_clicks }] : [],
    );
    await setImportedClicks(database, account.id, totals);
  };
  await insertMany(ctx, await acceptAll(ctx, missing, outcome.refuse), outcome, end);
  return results;
}

/** See HistoryImporter.previewLinks. */
export async function previewLinks(
  deps: LinkDeps,
  account: Account,
  links: Import,
): Promise<HistoricLinkResult[]> {
  const { ctx, outcome, wanted, checked } = await checkImport(deps, account, links);
  await previewInsertion(ctx, checked, outcome);
  return resultsOf(outcome, wanted);
}

async function checkImport(deps: LinkDeps, account: Account, { links, allowed }: Import) {
  const ctx = startedBy(systemCallFor(deps, account), { kind: "import", name: null });
  const outcome = new Outcome(links.length, "continue", allowed);
  const { refuse } = outcome;
  const wanted = await parseLinks(ctx, links, refuse);
  const checked = await screenAll(ctx, await checkAll(ctx, wanted, refuse), refuse);
  return { ctx, outcome, wanted, checked };
}

function resultsOf(outcome: Outcome, links: readonly WantedLink[]): HistoricLinkResult[] {
  const destinations = new Map(links.map(({ index, input }) => [index, input.url]));
  return outcome.answer().results.map((result) => toResult(result, destinations.get(result.index) ?? ""));
}

function toResult({ id, short_url = "", error }: CreatedOrRefused, destination: string): HistoricLinkResult {
  if (id !== undefined)
    return { status: error === undefined ? "created" : "exists", id, short_url, destination };
  return error === undefined ? { status: "possible" } : { status: "refused", reason: error };
}
