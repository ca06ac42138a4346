import { AppError } from "@terse/core";
import type { Invocation } from "@terse/cli";
import { runAdmin } from "../run-admin.ts";
import { accountNamed } from "./account.ts";

/** {identities: [{id, provider, issuer, subject, created_at}]} */
export const list = (call: Invocation): Promise<void> =>
  runAdmin(async (core) => ({
    identities: await core.logins.identities((await accountNamed(core, call)).id),
  }));

/** {id, deleted: true} */
export const unlink = ({ text }: Invocation): Promise<void> =>
  runAdmin(async (core) => {
    const id = text("id") ?? "";
    if (!(await core.logins.unlink(id))) throw new AppError("NOT_FOUND", `No identity has the id ${id}`);
    return { id, deleted: true };
  });
