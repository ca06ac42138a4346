import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { moveDatabase } from "@terse/core/backup";
import { describeDatabase, type Settings, UserError } from "@terse/server";
import { type Database, openEmbedded } from "../database.ts";
import { runOnDatabase } from "../run-admin.ts";
import { explained } from "./explained.ts";
import { markMoving } from "./move-mark.ts";
import { withProgress } from "./progress.ts";
import { secondsSince } from "./summary.ts";

interface MoveOptions {
  to?: string;
  toFile?: string;
  force?: boolean;
}

/** Moves the embedded database to another PostgreSQL. The service can no longer start on it, unless this fails. */
export async function moveTo(options: MoveOptions): Promise<void> {
  let to = "";
  let mark: Awaited<ReturnType<typeof markMoving>> | undefined;

  async function openSource(settings: Settings, onProgress: (message: string) => void): Promise<Database> {
    if (settings.DATABASE_URL !== null) {
      throw new UserError(
        "DATABASE_URL is set: this command moves the embedded database, which the service uses without it",
      );
    }
    to = await targetOf(options);
    mark = await markMoving(settings.DATA_DIR, describeTarget(to));
    return openEmbedded(settings.DATA_DIR, onProgress);
  }

  await runOnDatabase(async ({ database, interrupt }) => {
    const start = performance.now();
    const { tables, clickCount } = await withProgress((onProgress) =>
      moveDatabase({ from: database.url, to, force: options.force ?? false, onProgress, signal: interrupt }),
    ).catch(explained({ description: describeTarget(to) }));
    mark?.done();
    mark = undefined;
    return {
      to: describeTarget(to),
      tables: Object.fromEntries(tables),
      click_count: Number(clickCount),
      seconds: secondsSince(start),
      next: "Set DATABASE_URL to the URL you gave, keep DATA_DIR, which holds the click log, and start the service",
    };
  }, openSource);
  mark?.giveUp();
}

async function targetOf({ to, toFile }: MoveOptions): Promise<string> {
  if ((to === undefined) === (toFile === undefined)) throw new UserError("Give either --to or --to-file");
  const url = to ?? (await readFile(resolve(toFile as string), "utf8").catch(explained({}))).trim();
  if (/^postgres(ql)?:\/\/\S+$/i.test(url)) return url;
  throw new UserError(`--to${to === undefined ? "-file" : ""} must be a postgres:// or postgresql:// URL`);
}

const describeTarget = (url: string): string =>
  describeDatabase(url).replace(/ ?\(?DATABASE_URL\)?$/, "") || "the URL";
