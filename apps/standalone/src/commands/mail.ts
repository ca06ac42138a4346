import type { Invocation } from "@terse/cli";
import { runAdmin } from "../run-admin.ts";

/** {is_set, mails: [{id, kind, address, status, subject, text, created_at, attempts, at, problem}]} */
export const list = ({ is }: Invocation): Promise<void> =>
  runAdmin(async ({ mails }) => {
    const all = await mails.list(1000);
    return {
      is_set: mails.isSet,
      mails: is("all") ? all : all.filter(({ status }) => status === "waiting" || status === "failed"),
    };
  });
