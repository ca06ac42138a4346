import type { Database } from "../../db/statements.ts";
import { AppError } from "../../kernel/errors.ts";

/** A change that is to be undone. */
interface Target {
  by_kind: string;
  undoes: string | null;
  undone_by: string | null;
  /** True while a job makes the change */
  is_growing: boolean;
}

/** Locks a change of the account. Undefined if the id is of no recorded change; it may be that of a creation. */
export async function lockTarget(
  database: Database,
  accountId: string,
  id: string,
): Promise<Target | undefined> {
  const { rows } = await database.query<Target>({
    name: "lock-change",
    text: `select by_kind, undoes, undone_by,
             exists (select from jobs where jobs.id = changes.id and ended_at is null) as is_growing
           from changes where id = $1 and account_id = $2 for update`,
    values: [id, accountId],
  });
  return rows[0];
}

/** Throws 403 for a change by the operator, and 409 for one that is undone already, or that a job still makes. */
export function refuseTarget(id: string, { by_kind, undone_by, is_growing }: Target): void {
  if (by_kind === "admin") {
    throw new AppError("FORBIDDEN", "The operator of this service made this change; ask them to undo it");
  }
  if (undone_by !== null) {
    throw new AppError(
      "CONFLICT",
      `Change ${id} was undone by change ${undone_by}; undo that one to redo it`,
    );
  }
  if (is_growing) {
    throw new AppError("CONFLICT", `Change ${id} is still being made by a job: wait for it, or cancel it`);
  }
}
