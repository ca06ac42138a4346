import { onTestFinished } from "vitest";
import { type Core, type CoreOptions, createCore, type Decision, type Visitor } from "../../src/index.ts";
import { until } from "@terse/testkit";
import { depsOf } from "../helpers.ts";

export const visitor: Visitor = { country: () => null, id: () => "visitor" };

/** Another node: a new core on an existing database. */
export async function anotherCore(databaseUrl: string, options: Partial<CoreOptions> = {}): Promise<Core> {
  const core = await createCore({ databaseUrl, shortBase: "http://short.test", poolSize: 5, ...options });
  onTestFinished(() => core.close());
  return core;
}

/** Another node that receives changes. */
export async function watchingCore(databaseUrl: string, options: Partial<CoreOptions> = {}): Promise<Core> {
  const core = await anotherCore(databaseUrl, options);
  core.redirects.watch();
  await until(() => core.redirects.stats().watched);
  return core;
}

/** The location that a slug redirects to, or why it does not redirect. */
export async function answer(core: Core, slug: string, host = "short.test"): Promise<string> {
  const decision: Decision = await core.redirects.resolve(host, slug, visitor);
  if (decision.kind === "redirect") return decision.location;
  return decision.kind === "gone" ? decision.reason : decision.kind;
}

/** The same, or the code of the error. */
export const answerOr503 = (core: Core, slug: string): Promise<string> =>
  answer(core, slug).catch((error: { code: string }) => error.code);

/** Counts the statements that a core sends: each takes a connection out of the pool. */
export function countStatements(core: Core): () => number {
  let count = 0;
  const onAcquire = () => {
    count += 1;
  };
  const { pool } = depsOf(core);
  pool.on("acquire", onAcquire);
  onTestFinished(() => void pool.off("acquire", onAcquire));
  return () => count;
}
