import type { AccountCall } from "../call.ts";
import { addedTo, assertNoKnownLoops, assertNotOwnHost, findLoops } from "../../domains/redirect-loops.ts";
import { AppError, notFound } from "../../kernel/errors.ts";
import { requireFeature } from "../../kernel/plans.ts";
import { ownDomainId } from "../../kernel/host-names.ts";
import { assertNotBlocked } from "../../safety/screening/screening.ts";
import { screeningOf, domainUnverified, verifiedDomains } from "../accept.ts";
import { requireStoredOptions, type StoredOptions } from "../options.ts";
import { type Columns, destinationsIn, nameOf, readColumns, wholeColumns } from "./change.view.ts";
import { cannotUndo, type Changed, columnsBefore, type Subject } from "./undo-read.ts";
import { handOverCheck } from "../makers.ts";
import { assertEnabled } from "../link.row.ts";
import { isDeepStrictEqual } from "node:util";

type Check = (step: Step) => Promise<void>;
type Stored = StoredOptions & { destination: string; domain_id: string };

/** The rules of creating and updating, applied to an undo. Looks up all hosts at once, before links are locked. */
export async function checksOf(ctx: AccountCall, changed: Changed): Promise<Check> {
  const { deps, account } = ctx;
  const before = await columnsBefore(deps.pool, account.id, changed);
  const urls = before.flatMap(destinationsIn);
  const screening = await screeningOf(deps, urls);
  const loops = await findLoops(
    deps,
    account.id,
    urls.map(([, url]) => url),
  );
  const assertMayHandOver = before.some(({ made_by }) => made_by !== undefined)
    ? await handOverCheck(ctx)
    : () => {};
  const domains = new Set((await verifiedDomains(ctx)).values());

  return async (step) => {
    if (step.kind === "remove") return;
    if (step.kind === "update" && step.columns["made_by"] !== undefined) assertMayHandOver(step.now);
    const now = step.kind === "update" ? (readColumns(step.now) as unknown as Stored) : undefined;
    const next = { ...now, ...readColumns(step.columns) } as Stored;
    requireStoredOptions(ctx, next, now);
    const added = addedTo(
      step.kind === "update" ? destinationsIn(step.now) : [],
      destinationsIn(step.columns),
    );
    assertNotOwnHost(deps, added);
    await assertNotBlocked(screening, added);
    assertNoKnownLoops(loops, added);
    if (next.domain_id === ownDomainId || next.domain_id === now?.domain_id) return;
    requireFeature(deps.plans, account.plan, "custom_domains");
    if (!domains.has(next.domain_id)) throw domainUnverified();
  };
}

/** The steps of undoing a change for one link. */
export type Step =
  | { kind: "update"; id: string; columns: Columns; now: Columns }
  | { kind: "restore"; id: string; columns: Columns }
  | { kind: "remove"; id: string; now: Columns };

/** Throws 409 if a later change touched the same fields and they are not as the change left them; 403 if it is disabled. */
export function stepOf(changeId: string, subject: Subject): Step {
  const { link_id: id, before, after, current: now, touched } = subject;
  if (after === null) {
    if (before === null || now !== null)
      throw new AppError(
        "CONFLICT",
        cannotUndo(
          `link ${id} exists; it was restored after change ${changeId}`,
          { reason: "restored", change: changeId, link: id },
          "id",
        ),
      );
    return { kind: "restore", id, columns: before };
  }
  if (now === null) {
    // Only a deletion has the link's id among its columns.
    const deletion = touched?.["id"];
    if (deletion === undefined) throw notFound("Link");
    const message = `change ${changeId} cannot be undone, because change ${deletion} deleted the link later; undo that one first`;
    const params = { reason: "deleted_later", change: changeId, by: deletion };
    throw new AppError("CONFLICT", cannotUndo(message, params, "id"));
  }
  assertEnabled("link", readColumns(now));
  assertUntouched(changeId, subject, now);
  return before === null ? { kind: "remove", id, now } : { kind: "update", id, columns: before, now };
}

/** A creation has set all columns; counters among them do not matter. */
function assertUntouched(
  changeId: string,
  { before, after, withAfter, touched }: Subject,
  now: Columns,
): void {
  const set = before === null ? wholeColumns : Object.keys(after ?? {});
  const issues = set.flatMap((column) => {
    const later = touched?.[column];
    if (later === undefined || isDeepStrictEqual(now[column], withAfter?.[column])) return [];
    const message = `change ${changeId} cannot be undone, because change ${later} changed it later; undo that one first`;
    return cannotUndo(message, { reason: "changed_later", change: changeId, by: later }, nameOf(column));
  });
  if (issues.length > 0) throw new AppError("CONFLICT", issues);
}
