import { Command } from "commander";
import { backupTo } from "../backup/backup-to.ts";
import { moveTo } from "../backup/move-to.ts";
import { checkFile, restoreFrom } from "../backup/restore-from.ts";
import { fileOfCaller } from "../config.ts";
import { runOnDatabase } from "../run-admin.ts";

const backupHelp = `
The service can keep running. The file has one snapshot of the database, and the clicks in the click log of this data folder that
are not counted in it. Of several nodes, each has a click log of its own: they stay with the nodes.
The file has all personal data of the service. Only its owner can read it; encrypt it before it leaves this machine.`;

/** `backup`: {file, bytes, created_at, migration, tables: {name: rows}, click_count, clicks_in_log, seconds} */
export const backupCommand = () =>
  new Command("backup")
    .description("Copy everything that the service has stored to a file, while it runs")
    .argument("<file>", "new file")
    .addHelpText("after", backupHelp)
    .action((file: string) => runOnDatabase((opened) => backupTo(fileOfCaller(file), opened)));

const restoreHelp = `
Stop every node before. The database is DATABASE_URL or, if that is not set, the embedded one of DATA_DIR. The whole file is checked
first. All tables are then replaced in one transaction: if it fails or is killed, the database has what it had, and you can run the
command again. A backup of an earlier version is migrated afterwards. Rows, checksums and the sum of all click counts are read back
and compared with the file.`;

/** `restore`: as `backup`, and {settings_differ: {name: {backup, now}}} */
export const restoreCommand = () =>
  new Command("restore")
    .description("Replace the contents of a database by those of a backup")
    .argument("<file>", "file that `backup` made")
    .option("--force", "delete what is in the database")
    .option("--check", "only check that the file is whole, and print what it has")
    .addHelpText("after", restoreHelp)
    .action((name: string, { force = false, check = false }: { force?: boolean; check?: boolean }) => {
      const file = fileOfCaller(name);
      return check ? checkFile(file) : runOnDatabase((opened) => restoreFrom(file, { ...opened, force }));
    });

const moveHelp = `
Stop the service before; it refuses to start on this data folder while the command runs, and afterwards until DATABASE_URL is set.
Everything is copied in one transaction. Rows and checksums of each table are then compared on both sides and printed. The click log
stays in DATA_DIR, and counting goes on where it was. The embedded database stays as it is, too.`;

/** `move`: {to, tables: {name: {rows, checksum}}, click_count, seconds, next} */
export const moveCommand = () =>
  new Command("move")
    .description("Move the embedded database to another PostgreSQL, and prove that all of it arrived")
    .option("--to <url>", "where to; other users of this machine may see it while the command runs")
    .option("--to-file <file>", "a file with that URL")
    .option("--force", "delete what is in the other database")
    .addHelpText("after", moveHelp)
    .action((options: { to?: string; toFile?: string; force?: boolean }) => moveTo(options));
