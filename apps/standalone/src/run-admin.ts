import { constants } from "node:os";
import type { Core, CoreOptions } from "@terse/core";
import { databaseError, onShutdown } from "@terse/server";
import { readConfig } from "./config.ts";
import { openDatabase } from "./database.ts";
import { explain } from "./explain.ts";
import { openCore } from "./open-core.ts";
import { Lifecycle } from "./lifecycle.ts";

/** What an admin command does. Throws what `explain` puts into words; long ones stop when `interrupt` is aborted. */
export type Operation<Answer extends object> = (core: Core, interrupt: AbortSignal) => Promise<Answer>;

interface Options<Answer> {
  /** Options that override the settings */
  core?: Partial<Omit<CoreOptions, "databaseUrl">>;
  /** Formats the answer; default: JSON */
  print?: (answer: Answer) => string;
}

/**
 * Runs one operation and prints what it gives as one JSON object. It needs no running service and disturbs none: the
 * embedded database is shared, and stopped only where nobody else uses it. Before the very first start it makes the
 * database, and an account made then is the first: the start that follows makes no owner beside it.
 */
export async function runAdmin<Answer extends object>(
  operation: Operation<Answer>,
  options: Options<Answer> = {},
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

async function perform<Answer extends object>(
  operation: Operation<Answer>,
  interrupt: AbortSignal,
  { core: more, print = JSON.stringify }: Options<Answer>,
): Promise<void> {
  const parts = new Lifecycle();
  try {
    const settings = readConfig();
    const database = await parts.add(
      () => openDatabase(settings, tellPerson),
      (opened) => opened.stop(),
    );
    interrupt.throwIfAborted();
    const core = await parts.add(
      () => openCore(settings, database, more),
      (opened) => opened.close(),
    );
    await core.migrate().catch((error: unknown) => {
      throw databaseError(database.description, error);
    });
    interrupt.throwIfAborted();
    const answer = await operation(core, interrupt);
    process.stdout.write(`${print(answer)}\n`);
  } catch (error) {
    complain(interrupt.aborted ? "Interrupted" : explain(error));
  }
  await parts.stop().catch((error: unknown) => complain(explain(error)));
}

function complain(sentence: string): void {
  process.stderr.write(`${sentence}\n`);
  process.exitCode = 1;
}

/** Progress is for eyes: scripts hear errors only. */
function tellPerson(message: string): void {
  if (process.stderr.isTTY) process.stderr.write(`${message} …\n`);
}
