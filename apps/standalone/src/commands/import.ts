import { readFile } from "node:fs/promises";
import { Command } from "commander";
import { printable, reasonOf, UserError } from "@terse/server";
import { fileOfCaller } from "../config.ts";
import { importHistory } from "../history/import-history.ts";
import { isDatabaseUrl } from "../history/database-address.ts";
import { openKutt } from "../history/kutt/api.ts";
import { openKuttDatabase } from "../history/kutt/database.ts";
import { openShlink } from "../history/shlink/source.ts";
import type { Source } from "../history/source.ts";
import { tablesInDatabase } from "../history/yourls/database.ts";
import { openYourls, tablesInFile } from "../history/yourls/source.ts";
import { runAdmin } from "../run-admin.ts";
import { type EmailOptions, emailOption, unverifiedOption } from "./email-option.ts";

export const importCommand = () =>
  new Command("import")
    .description("Import links from another service, with the clicks that it counted")
    .addCommand(shlink())
    .addCommand(yourls())
    .addCommand(kutt())
    .addCommand(onMiss());

const help = `
Says what will not be imported, and asks before it begins; --yes begins at once. The service can keep running.

An import can be run again, even after it was interrupted or killed: no link and no click is imported twice, and what is new
there since then is added. docs/IMPORT.md says what becomes of what.

Exit code 0: everything was read; the JSON output has what became of it.
Exit code 1: the import did not complete; fix the problem in the message and run it again.`;

interface Options extends EmailOptions {
  domain?: string;
  dryRun?: true;
  yes?: true;
  result?: string;
}

const importer = (name: string) =>
  new Command(name)
    .addOption(emailOption())
    .addOption(unverifiedOption())
    .option(
      "--domain <domain>",
      "verified domain of the account that the links go to; default: the service's own host",
    )
    .option("--dry-run", "import nothing, and say what would become of each link")
    .option("--yes", "begin without a question")
    .option("--result <file>", "write a CSV file with what became of each link")
    .addHelpText("after", help);

/** All of these answer an ImportReport. */
const perform = (options: Options, open: (interrupt: AbortSignal) => Source | Promise<Source>) =>
  runAdmin(async (core, interrupt) =>
    importHistory(core, {
      account: await core.accounts.byEmail(options.email, options),
      source: await open(interrupt),
      dryRun: options.dryRun ?? false,
      yes: options.yes ?? false,
      result: options.result === undefined ? null : fileOfCaller(options.result),
      interrupt,
      say: (text) => void process.stderr.write(printable(text)),
    }),
  );

interface KeyOptions {
  key?: string;
  keyFile?: string;
}

const withKeyOptions = (command: Command) =>
  command
    .option("--key <key>", "an API key of the service; other users of this machine can see it")
    .option("--key-file <file>", "a file with the key");

const keyOf = async ({ key, keyFile }: KeyOptions): Promise<string> => {
  if ((key === undefined) === (keyFile === undefined))
    throw new UserError("Give the key, either by --key or by --key-file");
  return keyFile === undefined ? (key ?? "") : readSecret("key", keyFile);
};

async function readSecret(what: string, file: string): Promise<string> {
  const text = await readFile(fileOfCaller(file), "utf8").catch((error: unknown) => {
    throw new UserError(`The ${what} cannot be read: ${reasonOf(error)}`, { cause: error });
  });
  return text.trim();
}

interface DatabaseOptions extends Options {
  passwordFile?: string;
}

const withPasswordFile = (command: Command) =>
  command.option(
    "--password-file <file>",
    "a file with the database's password, if it is not in the address",
  );

const passwordOf = async ({ passwordFile }: DatabaseOptions) =>
  passwordFile === undefined ? undefined : readSecret("password", passwordFile);

const shlink = () =>
  withKeyOptions(importer("shlink"))
    .requiredOption("--url <url>", "address of the service")
    .description("Import short URLs and all their visits from Shlink 3 or newer")
    .action((options: Options & KeyOptions & { url: string }) =>
      perform(options, async (interrupt) => openShlink({ ...options, key: await keyOf(options), interrupt })),
    );

interface KuttOptions extends DatabaseOptions, KeyOptions {
  url?: string;
  user?: string;
}

const kutt = () =>
  withPasswordFile(withKeyOptions(importer("kutt")))
    .option("--url <url>", "address of the service")
    .option("--user <email>", "user of Kutt whose links are imported from the database; default: --email")
    .description("Import links from Kutt; its totals become `imported_clicks`")
    .argument("[database]", "postgres://user@host/database, instead of --url and a key")
    .action((database: string | undefined, options: KuttOptions) =>
      perform(options, async (interrupt) => {
        const { url, user = options.email } = options;
        if ((url === undefined) === (database === undefined))
          throw new UserError("Give either --url, or the address of the database");
        if (url !== undefined) return openKutt({ ...options, url, key: await keyOf(options), interrupt });
        const password = await passwordOf(options);
        return openKuttDatabase({ ...options, url: database ?? "", user, password, interrupt });
      }),
    );

const yourls = () =>
  withPasswordFile(importer("yourls"))
    .description("Import links and every logged click from a YOURLS database, or a dump of it")
    .option("--prefix <prefix>", "what the names of its tables begin with", "yourls_")
    .argument("<source>", "SQL file, as mysqldump or phpMyAdmin writes it, or mysql://user@host/database")
    .action((source: string, options: DatabaseOptions & { prefix: string }) =>
      perform(options, async (interrupt) => {
        const tables = isDatabaseUrl(source)
          ? await tablesInDatabase({
              ...options,
              url: source,
              password: await passwordOf(options),
              interrupt,
            })
          : tablesInFile(fileOfCaller(source), interrupt);
        return openYourls({ ...options, tables });
      }),
    );

const onMissHelp = `
While it is set, URL is asked once about a slug that the domain does not know, which then becomes a link. Requests go to public addresses
only, unless OUTBOUND_NETWORKS allows others. docs/IMPORT.md says more.`;

/** `import on-miss`: the domain, as the API shows it */
const onMiss = () =>
  new Command("on-miss")
    .description("Ask another service about slugs that a domain does not know")
    .addOption(emailOption())
    .addOption(unverifiedOption())
    .requiredOption("--domain <domain>", "verified domain of the account")
    .option("--from <url>", "address of the service that the domain was moved from")
    .option("--off", "ask no longer")
    .addHelpText("after", onMissHelp)
    .action((options: EmailOptions & { domain: string; from?: string; off?: true }) =>
      runAdmin(async (core) => {
        const { domain: name, from = null } = options;
        if ((from === null) !== (options.off ?? false)) throw new UserError("Give either --from or --off");
        const account = await core.accounts.byEmail(options.email, options);
        const { domains } = core.caller({ kind: "account", account, credential: "internal" });
        const domain = (await domains.list()).find((each) => each.domain === name);
        if (!domain) throw new UserError(`The account has no domain ${name}`);
        return domains.update({ id: domain.id, import_from: from });
      }),
    );
