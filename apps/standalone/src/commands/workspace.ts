import type { Invocation } from "@terse/cli";
import { runAdmin } from "../run-admin.ts";

const named = ({ text }: Invocation): string => text("workspace") ?? "";

/** {workspaces: [{id, slug, name, plan, personal, owner, members, created_at, …}]} */
export const list = (): Promise<void> =>
  runAdmin(async (core) => ({ workspaces: await core.workspaces.list() }));

/** {id, slug, name, plan, personal, owner, members, created_at, suspended_at, deletes_at} */
export const show = (call: Invocation): Promise<void> => runAdmin((core) => core.workspaces.get(named(call)));

/** As `show`, after the change */
export const setPlan = (call: Invocation): Promise<void> =>
  runAdmin((core) => core.workspaces.setPlan(named(call), call.text("plan") ?? ""));
