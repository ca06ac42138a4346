import { AppError, type Core, type LinkFilter } from "@terse/core";
import { Command, InvalidArgumentError } from "commander";
import { runAdmin } from "../run-admin.ts";
import { type AccountOptions, accountNamed, withAccountOptions } from "./account-option.ts";

interface FindOptions extends AccountOptions {
  host?: string;
  slug?: string;
  newest?: true;
  limit: number;
}

const findHelp = `
"more" is true if there are more links than --limit. --host reads all links, which takes a few seconds per million.`;

function limit(text: string): number {
  const number = Number(text);
  if (/^\d{1,5}$/.test(text) && number >= 1 && number <= 10_000) return number;
  throw new InvalidArgumentError("It must be a whole number from 1 to 10000.");
}

/** `link find`: {links: [{id, short_url, destination, …, account}], more} */
export const findLinks = () =>
  withAccountOptions(new Command("find"))
    .description(
      "Find links of all accounts, newest first; by one of --host, --slug, --email, --account, --newest",
    )
    .option("--host <host>", "where they lead: this host or one below it, by their destination or a rule")
    .option("--slug <slug>", "slug or short URL")
    .option("--newest", "those that were made last")
    .option("--limit <number>", "links to print", limit, 100)
    .addHelpText("after", findHelp)
    .action((options: FindOptions) =>
      runAdmin(async (core) => core.moderation.findLinks(await filterOf(core, options), options.limit)),
    );

async function filterOf(
  core: Core,
  { host, slug, newest, email, account }: FindOptions,
): Promise<LinkFilter> {
  const given = [host, slug, newest, email ?? account].filter((value) => value !== undefined);
  if (given.length !== 1) {
    throw new AppError("BAD_REQUEST", "Give exactly one of --host, --slug, --newest, --email and --account");
  }
  if (host !== undefined) return { host };
  if (slug !== undefined) return { slug };
  if (newest) return { newest };
  return { accountId: (await accountNamed(core, { email, account } as AccountOptions)).id };
}

const bucketHelp = "\nThe id of a bucket, or of a link on its page, stands for the whole bucket.";

const withId = (command: Command) =>
  command
    .requiredOption("--id <id>", "the link's id, as printed by `link find` and `report list`")
    .addHelpText("after", bucketHelp);

/** `link disable`: the link after the change */
export const disableLink = () =>
  withId(new Command("disable"))
    .description("Disable a link: it answers 410, and its owner can neither change nor delete it")
    .requiredOption("--reason <text>", "why; its owner sees this")
    .action(({ id, reason }: { id: string; reason: string }) =>
      runAdmin((core) => core.moderation.disableLink(id, reason)),
    );

/** `link enable`: the link after the change */
export const enableLink = () =>
  withId(new Command("enable"))
    .description("Enable a link that was disabled")
    .action(({ id }: { id: string }) => runAdmin((core) => core.moderation.enableLink(id)));

/** `link delete`: {id, deleted: true} */
export const deleteLink = () =>
  withId(new Command("delete"))
    .description("Delete a link; its slug is free at once, also for its owner: `disable` keeps it taken")
    .action(({ id }: { id: string }) =>
      runAdmin(async (core) => {
        await core.moderation.deleteLink(id);
        return { id, deleted: true };
      }),
    );
