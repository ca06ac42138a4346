import { isDeepStrictEqual } from "node:util";
import { AppError, notFound } from "../../kernel/errors.ts";
import { refuseDisabled } from "../find.ts";
import { type Columns, nameOf, readColumns, wholeColumns } from "./fields.ts";
import type { Subject } from "./undo-subjects.ts";

/** What undoing a change does with one link. */
export type Step =
  | { kind: "update"; id: string; columns: Columns; now: Columns }
  | { kind: "restore"; id: string; columns: Columns }
  | { kind: "remove"; id: string; now: Columns };

/** Throws 409 if a later change touched the same fields and they are not as the change left them; 403 if it is disabled. */
export function stepOf(changeId: string, subject: Subject): Step {
  const { link_id: id, before, after, now, touched } = subject;
  if (after === null) {
    if (before === null || now !== null)
      throw new AppError("CONFLICT", `id: link ${id} exists; it was restored after change ${changeId}`);
    return { kind: "restore", id, columns: before };
  }
  if (now === null) {
    // Only a deletion has the link's id among its columns.
    const deletion = touched?.["id"];
    if (deletion === undefined) throw notFound("Link");
    const message = `id: change ${changeId} cannot be undone, because change ${deletion} deleted the link later; undo that one first`;
    throw new AppError("CONFLICT", message);
  }
  refuseDisabled("link", readColumns(now));
  refuseTouched(changeId, subject, now);
  return before === null ? { kind: "remove", id, now } : { kind: "update", id, columns: before, now };
}

/** A creation has set all columns; what the service counts in some of them does not matter. */
function refuseTouched(changeId: string, { before, after, then, touched }: Subject, now: Columns): void {
  const set = before === null ? wholeColumns : Object.keys(after ?? {});
  for (const column of set) {
    const later = touched?.[column];
    if (later === undefined || isDeepStrictEqual(now[column], then?.[column])) continue;
    const message = `${nameOf(column)}: change ${changeId} cannot be undone, because change ${later} changed it later; undo that one first`;
    throw new AppError("CONFLICT", message);
  }
}
