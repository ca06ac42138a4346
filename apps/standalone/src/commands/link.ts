import { resolve } from "node:path";
import { AppError, type Core, type LinkFilter } from "@terse/core";
import { type Invocation, UsageError } from "@terse/cli";
import { importFile } from "../import/import-file.ts";
import { runAdmin } from "../run-admin.ts";
import { accountNamed, given } from "./account.ts";

/** {file, result, total, created, exists, rejected, seconds, links_per_second} */
export function importLinks({ args: [file = ""], text, is }: Invocation): Promise<void> {
  const source = file === "-" ? null : resolve(file);
  const named = text("result");
  const result = named === undefined ? source && `${source}.result.csv` : resolve(named);
  return runAdmin((core, interrupt) =>
    importFile(core, {
      email: text("email") ?? "",
      ...(is("unverified") && { unverified: true as const }),
      ...given({ domain: text("domain"), columns: text("columns")?.split(",") }),
      source,
      result,
      interrupt,
    }),
  );
}

const maxFound = 10_000;

/** {links: [{id, short_url, destination, …, account}], more} */
export async function find(call: Invocation): Promise<void> {
  const limit = call.count("limit") ?? 100;
  if (limit > maxFound) throw new UsageError(`--limit: must be a number from 1 to ${maxFound}`);
  await runAdmin(async (core) => core.moderation.findLinks(await filterOf(core, call), limit));
}

async function filterOf(core: Core, call: Invocation): Promise<LinkFilter> {
  const [host, slug] = [call.text("host"), call.text("slug")];
  const chosen = [host, slug, call.is("newest") || undefined, call.text("email") ?? call.text("account")];
  if (chosen.filter((value) => value !== undefined).length !== 1)
    throw new AppError("BAD_REQUEST", "Give exactly one of --host, --slug, --newest, --email and --account");
  if (host !== undefined) return { host };
  if (slug !== undefined) return { slug };
  if (call.is("newest")) return { newest: true };
  return { accountId: (await accountNamed(core, call)).id };
}

/** The link after the change */
export const disable = ({ text }: Invocation): Promise<void> =>
  runAdmin((core) => core.moderation.disableLink(text("id") ?? "", text("reason") ?? ""));

/** The link after the change */
export const enable = ({ text }: Invocation): Promise<void> =>
  runAdmin((core) => core.moderation.enableLink(text("id") ?? ""));

/** {id, deleted: true} */
export const remove = ({ text }: Invocation): Promise<void> =>
  runAdmin(async (core) => {
    const id = text("id") ?? "";
    await core.moderation.deleteLink(id);
    return { id, deleted: true };
  });
