import { constants } from "node:os";
import { AppError, type Core, type CoreOptions } from "@terse/core";
import { databaseError, onShutdown, printable, type Settings } from "@terse/server";
import { readConfig } from "./config.ts";
import { type Database, openDatabase } from "./database.ts";
import { explain } from "./explain.ts";
import { openCore } from "./core.ts";
import { Lifecycle } from "./lifecycle.ts";

/** The work of an admin command. Errors are printed by `explain`; long operations stop when `interrupt` is aborted. */
export type Operation<Result extends object> = (core: Core, interrupt: AbortSignal) => Promise<Result>;

interface Options<Result> {
  /** Options that override the settings */
  core?: Partial<Omit<CoreOptions, "databaseUrl">>;
  /** Formats the result; default: JSON */
  print?: (result: Result) => string;
}

/** The input of an operation on a database without a core. */
export interface OpenedDatabase {
  settings: Settings;
  database: Database;
  interrupt: AbortSignal;
}

/**
 * Runs one operation and prints its result as one JSON object, with or without a running service: the embedded database is
 * shared, and stopped only if no one else uses it. Before the first start this creates the database; if it also creates an
 * account, the first start creates no owner.
 */
export const runAdmin = <Result extends object>(
  operation: Operation<Result>,
  { core: more, print = JSON.stringify }: Options<Result> = {},
): Promise<void> =>
  untilInterrupted(async ({ settings, database, interrupt }, lifecycle) => {
    const core = await lifecycle.add(
      () => openCore(settings, database, more),
      (opened) => opened.close(),
    );
    await core.migrate().catch((error: unknown) => {
      throw databaseError(database.description, error);
    });
    interrupt.throwIfAborted();
    return print(await operation(core, interrupt));
  });

/** As `runAdmin`, for an operation on the database as it is, which is not migrated before. */
export const runOnDatabase = (
  operation: (opened: OpenedDatabase) => Promise<object>,
  open: OpenDatabase = openDatabase,
): Promise<void> => untilInterrupted(async (opened) => JSON.stringify(await operation(opened)), open);

type OpenDatabase = (settings: Settings, onProgress: (message: string) => void) => Promise<Database>;

/** Runs a command; returns its output. */
type Work = (opened: OpenedDatabase, lifecycle: Lifecycle) => Promise<string>;

async function untilInterrupted(work: Work, open: OpenDatabase = openDatabase): Promise<void> {
  const interrupt = new AbortController();
  const done = perform(work, open, interrupt.signal);
  onShutdown(async (signal) => {
    interrupt.abort();
    await done;
    process.exit(128 + constants.signals[signal]);
  });
  await done;
}

async function perform(work: Work, open: OpenDatabase, interrupt: AbortSignal): Promise<void> {
  const lifecycle = new Lifecycle();
  try {
    const settings = readConfig();
    const database = await lifecycle.add(
      () => open(settings, showProgress),
      (opened) => opened.stop(),
    );
    interrupt.throwIfAborted();
    const text = await work({ settings, database, interrupt }, lifecycle);
    process.stdout.write(`${printable(text)}\n`);
  } catch (error) {
    if (interrupt.aborted) printError("Interrupted");
    else printError(explain(error), error);
  }
  await lifecycle.stop().catch((error: unknown) => printError(explain(error), error));
}

/** Says what went wrong, for `--json` as one JSON document. */
function printError(text: string, error?: unknown): void {
  const issues = error instanceof AppError ? { issues: error.issues } : {};
  const said = process.argv.includes("--json") ? JSON.stringify({ error: text, ...issues }) : text;
  process.stderr.write(`${printable(said)}\n`);
  process.exitCode = 1;
}

/** Only on a terminal: scripts get errors only. */
function showProgress(message: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${message} …\n`);
}
