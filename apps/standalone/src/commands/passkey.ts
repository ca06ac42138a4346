import { AppError } from "@terse/core";
import type { Invocation } from "@terse/cli";
import { runAdmin } from "../run-admin.ts";
import { accountNamed } from "./account.ts";

/** {passkeys: [{id, name, synced, created_at, last_used_at}]} */
export const list = (call: Invocation): Promise<void> =>
  runAdmin(async (core) => ({
    passkeys: await core.passkeys.list((await accountNamed(core, call)).id),
  }));

/** {id, deleted: true} */
export const remove = ({ text }: Invocation): Promise<void> =>
  runAdmin(async (core) => {
    const id = text("id") ?? "";
    if (!(await core.passkeys.remove(id))) throw new AppError("NOT_FOUND", `No passkey has the id ${id}`);
    return { id, deleted: true };
  });
