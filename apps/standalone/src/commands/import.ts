import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import type { Invocation } from "@terse/cli";
import { printable, reasonOf, UserError } from "@terse/server";
import { isDatabaseUrl } from "../history/database-address.ts";
import { importHistory } from "../history/import-history.ts";
import { openKutt } from "../history/kutt/api.ts";
import { openKuttDatabase } from "../history/kutt/database.ts";
import { openShlink } from "../history/shlink/source.ts";
import type { Source } from "../history/source.ts";
import { tablesInDatabase } from "../history/yourls/database.ts";
import { openYourls, tablesInFile } from "../history/yourls/source.ts";
import { runAdmin } from "../run-admin.ts";
import { accountByEmail, given } from "./account.ts";

/** All importers answer an ImportReport. */
const perform = (call: Invocation, open: (interrupt: AbortSignal) => Source | Promise<Source>) =>
  runAdmin(async (core, interrupt) => {
    const result = call.text("result");
    return importHistory(core, {
      account: await accountByEmail(core, call),
      source: await open(interrupt),
      dryRun: call.is("dry-run"),
      yes: call.is("yes"),
      result: result === undefined ? null : resolve(result),
      interrupt,
      say: (text) => void process.stderr.write(printable(text)),
    });
  });

const domainOf = ({ text }: Invocation) => given({ domain: text("domain") });

const keyOf = async ({ text }: Invocation): Promise<string> => {
  const [key, file] = [text("key"), text("key-file")];
  if ((key === undefined) === (file === undefined))
    throw new UserError("Give the key, either by --key or by --key-file");
  return file === undefined ? (key ?? "") : readSecret("key", file);
};

async function readSecret(what: string, file: string): Promise<string> {
  const text = await readFile(resolve(file), "utf8").catch((error: unknown) => {
    throw new UserError(`The ${what} cannot be read: ${reasonOf(error)}`, { cause: error });
  });
  return text.trim();
}

const passwordOf = async ({ text }: Invocation) => {
  const file = text("password-file");
  return file === undefined ? undefined : readSecret("password", file);
};

export const shlink = (call: Invocation): Promise<void> =>
  perform(call, async (interrupt) =>
    openShlink({ ...domainOf(call), url: call.text("url") ?? "", key: await keyOf(call), interrupt }),
  );

export const kutt = (call: Invocation): Promise<void> =>
  perform(call, async (interrupt) => {
    const [database] = call.args;
    const url = call.text("url");
    if ((url === undefined) === (database === undefined))
      throw new UserError("Give either --url, or the address of the database");
    if (url !== undefined) return openKutt({ ...domainOf(call), url, key: await keyOf(call), interrupt });
    const user = call.text("user") ?? call.text("email") ?? "";
    const password = await passwordOf(call);
    return openKuttDatabase({ ...domainOf(call), url: database ?? "", user, password, interrupt });
  });

export const yourls = (call: Invocation): Promise<void> =>
  perform(call, async (interrupt) => {
    const [source = ""] = call.args;
    const prefix = call.text("prefix") ?? "yourls_";
    const tables = isDatabaseUrl(source)
      ? await tablesInDatabase({ url: source, prefix, password: await passwordOf(call), interrupt })
      : tablesInFile(resolve(source), interrupt);
    return openYourls({ ...domainOf(call), prefix, tables });
  });

/** The domain, as the API shows it */
export const onMiss = (call: Invocation): Promise<void> =>
  runAdmin(async (core) => {
    const [name, from = null] = [call.text("domain"), call.text("from")];
    if ((from === null) !== call.is("off")) throw new UserError("Give either --from or --off");
    const account = await accountByEmail(core, call);
    const { domains } = core.caller({ kind: "account", account, credential: "internal" });
    const domain = (await domains.list()).find((each) => each.owned && each.domain === name);
    if (!domain) throw new UserError(`The account has no domain ${name}`);
    return domains.update({ id: domain.id, import_from: from });
  });
