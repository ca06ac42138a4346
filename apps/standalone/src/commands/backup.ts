import { resolve } from "node:path";
import type { Invocation } from "@terse/cli";
import { backupTo } from "../backup/backup-to.ts";
import { moveTo } from "../backup/move-to.ts";
import { checkFile, restoreFrom } from "../backup/restore-from.ts";
import { runOnDatabase } from "../run-admin.ts";
import { given } from "./account.ts";

/** {file, bytes, created_at, migration, tables: {name: rows}, click_count, clicks_in_log, seconds} */
export const backup = ({ args: [file = ""] }: Invocation): Promise<void> =>
  runOnDatabase((opened) => backupTo(resolve(file), opened));

/** As `backup`, and {settings_differ: {name: {backup, now}}} */
export function restore({ args: [name = ""], is }: Invocation): Promise<void> {
  const file = resolve(name);
  if (is("check")) return checkFile(file);
  return runOnDatabase((opened) => restoreFrom(file, { ...opened, force: is("force") }));
}

/** {to, tables: {name: {rows, checksum}}, click_count, seconds, next} */
export const move = ({ text, is }: Invocation): Promise<void> =>
  moveTo({ ...given({ to: text("to"), toFile: text("to-file") }), force: is("force") });
