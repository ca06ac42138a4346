import { AppError } from "@terse/core";
import { Command } from "commander";
import { runAdmin } from "../run-admin.ts";

export const reportCommand = () =>
  new Command("report")
    .description("Manage the reports of short links by visitors")
    .addCommand(list())
    .addCommand(close());

/** `report list`: {reports: [{id, link_id, short_url, destination, reason, details, …, account, link}]} */
const list = () =>
  new Command("list")
    .description("List the open reports, newest first, at most 1,000")
    .option("--all", "closed reports, too; reports are deleted after 180 days")
    .action((options: { all?: boolean }) =>
      runAdmin(async (core) => ({ reports: await core.reportQueue.list(options) })),
    );

/** `report close`: {closed} */
const close = () =>
  new Command("close")
    .description("Close a report, or all reports of a link")
    .option("--id <id>", "the report's id, as printed by `report list`")
    .option("--link <id>", "the link's id, to close all of its reports")
    .action(({ id, link }: { id?: string; link?: string }) =>
      runAdmin(async (core) => {
        if ((id === undefined) === (link === undefined)) {
          throw new AppError("BAD_REQUEST", "Give either --id or --link");
        }
        const closed = await core.reportQueue.close(id === undefined ? { linkId: link as string } : { id });
        if (closed === 0)
          throw new AppError(
            "NOT_FOUND",
            id === undefined ? `No open report is of the link ${link}` : `No open report has the id ${id}`,
          );
        return { closed };
      }),
    );
