import { AppError } from "@terse/core";
import type { Invocation } from "@terse/cli";
import { readConfig } from "../config.ts";
import { runAdmin } from "../run-admin.ts";

/** {id, workspace: {id, name}, name, created_at, last_used_at, url, token} */
export const token = ({ text }: Invocation): Promise<void> =>
  runAdmin(async (core) => ({
    ...(await core.scim.issue(text("workspace") ?? "", text("name"))),
    url: `${readConfig().BASE_URL}/scim/v2`,
  }));

/** {tokens: [{id, workspace, name, created_at, last_used_at}]} */
export const list = ({ text }: Invocation): Promise<void> =>
  runAdmin(async (core) => ({ tokens: await core.scim.list(text("workspace") ?? "") }));

/** {id, deleted: true} */
export const revoke = ({ text }: Invocation): Promise<void> =>
  runAdmin(async (core) => {
    const id = text("id") ?? "";
    // It may be the token itself by mistake, so the message must not repeat it.
    if (!(await core.scim.revoke(id)))
      throw new AppError("NOT_FOUND", "No directory's token has this --id; `scim list` prints them");
    return { id, deleted: true };
  });
