import { describe, expect, it } from "vitest";
import { type AnyClient, type ListedTool, now, startApp, textOf, type ToolResult } from "./app.ts";
import { seedAsked } from "./requests/account.ts";
import { type AskedFor, requests, type ToolCall } from "./requests/data.ts";

const app = await startApp();
const key = await seedAsked(app);
const clients: Record<string, AnyClient> = {
  "/mcp": await app.connect(key),
  "/mcp/full": await app.connect(key, "new", "/mcp/full"),
};
const { tools } = (await clients["/mcp/full"]?.listTools()) ?? { tools: [] };
const named = (name: string): ListedTool | undefined => tools.find((tool) => tool.name === name);

it("are sixty, and use every tool", () => {
  expect(requests).toHaveLength(60);
  const used = new Set(requests.flatMap(callsOf).map(({ tool }) => tool));
  const unused = tools.map(({ name }) => name).filter((name) => !used.has(name));
  // What a person asks for by name, or what other tools do themselves.
  expect(unused).toEqual(["locate_link", "delete_domain", "cancel_job"]);
});

describe.each(requests.map((request) => [request.says, request] as const))("%s", (_, request) => {
  it("is answered by the recorded calls", async () => {
    const answers: ToolResult[] = [];
    for (const step of request.calls) {
      if ("ask" in step) continue;
      const args = filled(step.args, answers) as Record<string, unknown>;
      const answer = await clients[request.at ?? "/mcp"]?.callTool({ name: step.tool, arguments: args });
      if (!answer) throw new Error("No such server");
      expect(answer.isError ?? false, `${step.tool}: ${textOf(answer)}`).toBe(false);
      answers.push(answer);
    }
    const last = answers.at(-1);
    const shown = `${last?.content[0]?.text}\n${JSON.stringify(last?.structuredContent)}`.replaceAll(
      '\\"',
      '"',
    );
    for (const part of request.holds) expect(shown).toContain(part);
  });

  it("asks before it deletes or changes many links", () => {
    const asks = request.calls.findIndex((step) => "ask" in step);
    for (const [place, step] of request.calls.entries()) {
      if ("ask" in step || step.args["dry_run"] === true) continue;
      const isGrave = /^(?:delete|undo|rename|bulk)_/.test(step.tool) || step.args["url"] !== undefined;
      if (isGrave && step.tool !== "create_link") expect(asks, step.tool).toBeGreaterThanOrEqual(0);
      if (isGrave && asks >= 0) expect(asks).toBeLessThan(place);
    }
  });

  it("is possible by what the descriptions say", () => {
    expect(Object.keys(request.because)).not.toEqual([]);
    for (const [where, words] of Object.entries(request.because)) {
      const [tool = "", argument] = where.split(".");
      const { description, inputSchema } = named(tool) ?? { description: undefined, inputSchema: {} };
      const { properties = {} } = inputSchema as { properties?: Record<string, { description: string }> };
      expect(argument === undefined ? description : properties[argument]?.description, where).toContain(
        words,
      );
    }
  });
});

const callsOf = ({ calls }: AskedFor): ToolCall[] => calls.flatMap((step) => ("ask" in step ? [] : [step]));

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
