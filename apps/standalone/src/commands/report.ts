import { AppError } from "@terse/core";
import type { Invocation } from "@terse/cli";
import { runAdmin } from "../run-admin.ts";

/** {reports: [{id, link_id, short_url, destination, reason, details, …, account, link}]} */
export const list = ({ is }: Invocation): Promise<void> =>
  runAdmin(async (core) => ({ reports: await core.reportQueue.list({ all: is("all") }) }));

/** {closed} */
export const close = ({ text }: Invocation): Promise<void> =>
  runAdmin(async (core) => {
    const [id, link] = [text("id"), text("link")];
    if ((id === undefined) === (link === undefined))
      throw new AppError("BAD_REQUEST", "Give either --id or --link");
    const closed = await core.reportQueue.close(id === undefined ? { linkId: link as string } : { id });
    if (closed > 0) return { closed };
    throw new AppError(
      "NOT_FOUND",
      id === undefined ? `No open report is of the link ${link}` : `No open report has the id ${id}`,
    );
  });
