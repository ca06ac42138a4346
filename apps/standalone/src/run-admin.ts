import { constants } from "node:os";
import type { Core, CoreOptions } from "@terse/core";
import { databaseError, onShutdown, printable } from "@terse/server";
import { readConfig } from "./config.ts";
import { openDatabase } from "./database.ts";
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

/**
 * Runs one operation and prints its result as one JSON object, with or without a running service: the embedded database
 * is shared, and stopped only if nobody else uses it. Before the first start this creates the database; if it also
 * creates an account, the first start creates no owner.
 */
export async function runAdmin<Result extends object>(
  operation: Operation<Result>,
  options: Options<Result> = {},
): Promise<void> {
  const interrupt = new AbortController();
  const done = perform(operation, interrupt.signal, options);
  onShutdown(async (signal) => {
    interrupt.abort();
    await done;
    process.exit(128 + constants.signals[signal]);
  });
  await done;
}

async function perform<Result extends object>(
  operation: Operation<Result>,
  interrupt: AbortSignal,
  { core: more, print = JSON.stringify }: Options<Result>,
): Promise<void> {
  const lifecycle = new Lifecycle();
  try {
    const settings = readConfig();
    const database = await lifecycle.add(
      () => openDatabase(settings, showProgress),
      (opened) => opened.stop(),
    );
    interrupt.throwIfAborted();
    const core = await lifecycle.add(
      () => openCore(settings, database, more),
      (opened) => opened.close(),
    );
    await core.migrate().catch((error: unknown) => {
      throw databaseError(database.description, error);
    });
    interrupt.throwIfAborted();
    const result = await operation(core, interrupt);
    process.stdout.write(`${printable(print(result))}\n`);
  } catch (error) {
    printError(interrupt.aborted ? "Interrupted" : explain(error));
  }
  await lifecycle.stop().catch((error: unknown) => printError(explain(error)));
}

function printError(sentence: string): void {
  process.stderr.write(`${printable(sentence)}\n`);
  process.exitCode = 1;
}

/** Only on a terminal: scripts get errors only. */
function showProgress(message: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${message} …\n`);
}
