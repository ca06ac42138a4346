import type { Invocation } from "@terse/cli";
import { runAdmin } from "../run-admin.ts";

/** {workspace, lines, unchained, position, hash, broken} */
export const verify = ({ text }: Invocation): Promise<void> =>
  runAdmin(async (core) => {
    const check = await core.activity.verify(text("workspace") ?? "");
    if (check.broken) process.exitCode = 1;
    return check;
  });
