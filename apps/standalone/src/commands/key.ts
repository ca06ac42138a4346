import { AppError } from "@terse/core";
import type { Invocation } from "@terse/cli";
import { runAdmin } from "../run-admin.ts";
import { accountByEmail, accountNamed } from "./account.ts";

/** {id, name, prefix, scopes, expires_at, created_at, last_used_at, key} */
export const create = (call: Invocation): Promise<void> =>
  runAdmin(async (core) => {
    const account = await accountByEmail(core, call);
    return core.keys.issue(account.id, call.text("name"), {
      scopes: call
        .text("scopes")
        ?.split(",")
        .map((scope) => scope.trim()),
      expires_at: call.text("expires-at"),
    });
  });

/** {keys: [{id, name, prefix, scopes, expires_at, created_at, last_used_at}]} */
export const list = (call: Invocation): Promise<void> =>
  runAdmin(async (core) => ({ keys: await core.keys.list((await accountNamed(core, call)).id) }));

const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;

/** {id, deleted: true}, as over REST */
export const revoke = ({ text }: Invocation): Promise<void> =>
  runAdmin(async (core) => {
    const id = text("id") ?? "";
    // The value may be a key or its prefix by mistake, so the message must not repeat it.
    if (!uuid.test(id)) throw new AppError("BAD_REQUEST", "--id is not the id of an API key");
    if (!(await core.keys.revoke(id))) throw new AppError("NOT_FOUND", `No API key has the id ${id}`);
    return { id, deleted: true };
  });
