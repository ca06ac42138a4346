import { type Plan, planNames } from "@terse/core";
import { tools } from "../src/tools/table.ts";
import { bearer, callOf, type TestApp } from "./app.ts";
import { resident, sampleOf } from "./samples.ts";

export type Caller = "anonymous" | Plan;
export const callers: readonly Caller[] = ["anonymous", ...planNames];

/** What each tool answers each kind of caller, by real calls: "done", or HTTP's status and the refusal. */
export async function accessTable(app: TestApp): Promise<Record<string, Record<Caller, string>>> {
  const rows = Object.keys(tools).map(async (name) => {
    const cells = callers.map(async (caller) => [caller, await outcome(app, name, caller)] as const);
    return [name, Object.fromEntries(await Promise.all(cells)) as Record<Caller, string>] as const;
  });
  return Object.fromEntries(await Promise.all(rows));
}

async function outcome(app: TestApp, name: string, caller: Caller): Promise<string> {
  const { key, things } = await resident(app, caller === "anonymous" ? "pro" : caller);
  const message = callOf(name, sampleOf(name).arguments(things));
  const response = await app.post(message, caller === "anonymous" ? {} : bearer(key));
  const text = await response.text();
  if (response.status !== 200) return `${response.status} ${JSON.parse(text).error.message}`;
  return text.includes('"structuredContent"') ? "done" : `refused: ${text}`;
}
