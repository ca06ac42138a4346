import type { Call } from "./call.ts";
import { AppError, notFound } from "../kernel/errors.ts";
import { isId } from "../kernel/validation/ids.ts";
import { LinkEntity } from "./link.entity.ts";

/** Returns the account's link with this id; 404 if the account has none, even if another account has it. */
export async function findLink({ em }: Call, id: string) {
  const link = isId(id) ? await em.findOne(LinkEntity, { id }) : null;
  if (!link) throw notFound("Link");
  return link;
}

/** Refuses (403) to change or delete what an operator disabled: its slug would be free for the same link again. */
export function refuseDisabled(
  what: "link" | "bucket",
  row: { disabled_at?: Date | null | undefined; disabled_reason?: string | null | undefined },
): void {
  if (row.disabled_at == null) return;
  const reason = row.disabled_reason ? ` (${row.disabled_reason})` : "";
  throw new AppError(
    "FORBIDDEN",
    `The operator of this service disabled this ${what}${reason}; ask them to enable or delete it`,
  );
}
