import type { AccountCall } from "../call.ts";
import { addedTo, findLoops, refuseKnownLoops, refuseOwnHost } from "../../domains/redirect-loops.ts";
import { AppError } from "../../kernel/errors.ts";
import { demand } from "../../kernel/plans.ts";
import { ownDomainId } from "../../kernel/short-host.ts";
import { refuseBlocked } from "../../safety/screening/refuse-blocked.ts";
import { screeningOf } from "../bulk/screening.ts";
import { unverifiedReason, verifiedDomains } from "../new-link.ts";
import { demandStored, type StoredOptions } from "../options.ts";
import { destinationsIn, readColumns } from "./fields.ts";
import type { Step } from "./undo-step.ts";
import { type Changed, columnsBefore } from "./undo-subjects.ts";

type Check = (step: Step) => Promise<void>;
type Stored = StoredOptions & { destination: string; domain_id: string };

/** The rules of creating and updating, for what an undo brings back. Asks about all hosts at once, before links are locked. */
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
  const domains = new Set((await verifiedDomains(ctx)).values());

  return async (step) => {
    if (step.kind === "remove") return;
    const now = step.kind === "update" ? (readColumns(step.now) as unknown as Stored) : undefined;
    const next = { ...now, ...readColumns(step.columns) } as Stored;
    demandStored(ctx, next, now);
    const added = addedTo(
      step.kind === "update" ? destinationsIn(step.now) : [],
      destinationsIn(step.columns),
    );
    refuseOwnHost(deps, added);
    await refuseBlocked(screening, added);
    refuseKnownLoops(loops, added);
    if (next.domain_id === ownDomainId || next.domain_id === now?.domain_id) return;
    demand(deps.plans, account.plan, "custom_domains");
    if (!domains.has(next.domain_id)) throw new AppError("BAD_REQUEST", unverifiedReason);
  };
}
