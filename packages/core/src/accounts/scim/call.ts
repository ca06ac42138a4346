import type { Source } from "../../kernel/context.ts";
import type { Action } from "../activity/activity.schema.ts";
import { type ActivityDeps, recordActivity, serviceActor } from "../activity/record.ts";
import type { AccountDeps } from "../call.ts";

/** What directories need. */
export type ScimDeps = ActivityDeps &
  Pick<AccountDeps, "plans" | "policy" | "randomBytes" | "refusals" | "limits" | "groupRoles">;

/** A request of a workspace's directory. */
export interface DirectoryCall {
  deps: ScimDeps;
  workspaceId: string;
  source: Source | undefined;
}

/** What a directory did, for the activity of its workspace or of another account. */
export type ActivityNote = readonly [action: Action, about: string | null, account?: string];

/** Records what a directory did, after the transaction. */
export async function recordNotes(
  deps: ActivityDeps,
  workspaceId: string,
  notes: readonly ActivityNote[],
  source?: Source,
): Promise<void> {
  for (const [action, about, account = workspaceId] of notes)
    await recordActivity(deps, serviceActor(account, source), action, about);
}
