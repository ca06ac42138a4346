import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { isLive, newMark } from "@terse/postgres";
import { UserError } from "@terse/server";

/** A file in the data folder that says that its database is being moved, or was moved. */
interface MoveMark {
  /** Of the process that moves it; null when that is done */
  mark: string | null;
  /** Where to, without a password */
  to: string;
  at: string;
}

const fileIn = (dataDir: string) => join(dataDir, "moved.json");

/** @throws {UserError} if the embedded database of a data folder must not be used, because another one has its contents */
export function assertNotMoved(dataDir: string): void {
  const found = read(dataDir);
  if (found === null) return;
  const { mark, to, at } = found;
  if (mark === null) {
    throw new UserError(
      `The database in ${dataDir} was moved to ${to} at ${at}: set DATABASE_URL to that one. Delete this file only to abandon everything stored there since: ${fileIn(dataDir)}.`,
    );
  }
  // The command was killed, and has changed nothing here.
  if (isLive(mark))
    throw new UserError(`The database in ${dataDir} is being moved to ${to}: wait until that is done.`);
}

/** Marks a database as being moved. After `done` the mark stays; `giveUp` removes it. */
export async function markMoving(dataDir: string, to: string): Promise<{ done(): void; giveUp(): void }> {
  assertNotMoved(dataDir);
  await mkdir(dataDir, { recursive: true });
  const write = (mark: string | null) => {
    const text: MoveMark = { mark, to, at: new Date().toISOString() };
    writeFileSync(fileIn(dataDir), JSON.stringify(text), { mode: 0o600, flush: true });
  };
  write(newMark());
  return { done: () => write(null), giveUp: () => rmSync(fileIn(dataDir), { force: true }) };
}

function read(dataDir: string): MoveMark | null {
  try {
    return JSON.parse(readFileSync(fileIn(dataDir), "utf8"));
  } catch {
    return null;
  }
}
