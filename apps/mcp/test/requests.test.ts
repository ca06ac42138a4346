import { expect, it } from "vitest";
import { type AnyClient, now, startApp, textOf, type ToolResult } from "./app.ts";
import { seedAsked } from "./requests-account.ts";
import recorded from "./requests.json" with { type: "json" };

/**
 * Requests as people say them, with the calls that a good assistant makes, against the account of `requests-account.ts`. In
 * arguments, `$0.links.0.id` is a field of the first answer, and `@-30d` a time and `@@-30d` a date that many days from now.
 */
interface Asked {
  says: string;
  /** Where its tools are; `/mcp` by default */
  at?: "/mcp/full";
  calls: [tool: string, args: object][];
  /** What the last answer must have in it, as JSON or in its sentence */
  holds: string[];
}
const requests = recorded as unknown as Asked[];

const app = await startApp();
const key = await seedAsked(app);
const clients: Record<string, AnyClient> = {
  "/mcp": await app.connect(key),
  "/mcp/full": await app.connect(key, "new", "/mcp/full"),
};

it.each(requests)("$says", async ({ calls, at = "/mcp", holds }) => {
  const answers: ToolResult[] = [];
  for (const [name, args] of calls) {
    const filledIn = filled(args, answers) as Record<string, unknown>;
    const answer = (await clients[at]?.callTool({ name, arguments: filledIn })) as ToolResult;
    expect(answer.isError ?? false, `${name}: ${textOf(answer)}`).toBe(false);
    answers.push(answer);
  }
  const { content = [], structuredContent } = answers.at(-1) ?? {};
  const shown = `${content[0]?.text}\n${JSON.stringify(structuredContent)}`.replaceAll('\\"', '"');
  for (const part of holds) expect(shown).toContain(part);
});

it("use every tool, but those that other tools call or that people ask for by name", async () => {
  const { tools } = (await clients["/mcp/full"]?.listTools()) ?? { tools: [] };
  const used = new Set(requests.flatMap(({ calls }) => calls.map(([tool]) => tool)));
  const unused = tools.map(({ name }) => name).filter((name) => !used.has(name));
  expect(unused).toEqual(["locate_link", "delete_domain", "cancel_job"]);
});

/** Arguments with the values that `$0.links.0.id`, `@-30d` and `@@-30d` are for. */
function filled(value: unknown, answers: readonly ToolResult[]): unknown {
  if (Array.isArray(value)) return value.map((each) => filled(each, answers));
  if (typeof value === "object" && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filled(each, answers)]));
  if (typeof value !== "string") return value;
  const [, sign, days] = /^(@@?)([+-]\d+)d$/.exec(value) ?? [];
  if (sign) {
    const time = new Date(now.getTime() + Number(days) * 86_400_000).toISOString();
    return sign === "@" ? time : time.slice(0, 10);
  }
  const [, place, path] = /^\$(\d+)\.(.+)$/.exec(value) ?? [];
  if (place === undefined || path === undefined) return value;
  return path.split(".").reduce<unknown>(fieldOf, answers[Number(place)]?.structuredContent);
}

/** A field by name, an item by place, or the item with `name=value`. */
function fieldOf(of: unknown, step: string): unknown {
  const [name = "", value] = step.split("=");
  if (value !== undefined) return (of as Record<string, unknown>[]).find((item) => item[name] === value);
  return (of as Record<string, unknown>)[name];
}
