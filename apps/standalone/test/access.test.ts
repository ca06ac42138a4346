import { type Plan, planNames } from "@terse/core";
import { createMcpApp, toolsTable } from "@terse/mcp";
import { createLogger } from "@terse/server";
import { describe, expect, it } from "vitest";
import { definitionsOf, startApp } from "../../http/test/client.ts";
import { domainFor, type Ids, noIds, restRequest, sampleOf } from "../../http/test/samples.ts";

/** Who may do what: each operation, at its doors, with the least plan that it needs. */
type Needs = "nobody" | "any" | "locked for free" | "pro" | "enterprise";
const endpoints: [route: string | null, procedure: string, tool: string | null, needs: Needs][] = [
  ["GET /v1/links", "links.list", "list_links", "any"],
  ["POST /v1/links", "links.create", "create_link", "nobody"],
  ["GET /v1/links/{id}", "links.get", "get_link", "any"],
  ["PUT /v1/links/{id}", "links.update", "update_link", "any"],
  ["DELETE /v1/links/{id}", "links.delete", "delete_link", "any"],
  ["GET /v1/links/{id}/explain", "links.explain", null, "any"],
  ["GET /v1/links/{id}/qr", "links.qr", "generate_qr", "any"],
  [null, "links.locate", null, "any"],
  ["GET /v1/me", "users.me", null, "any"],
  ["PATCH /v1/me/consents", "users.updateConsents", null, "any"],
  ["GET /v1/me/sessions", "sessions.list", null, "any"],
  ["DELETE /v1/me/sessions", "sessions.endAll", null, "any"],
  ["DELETE /v1/me/sessions/{id}", "sessions.end", null, "any"],
  ["GET /v1/analytics/overview", "analytics.overview", "get_analytics", "locked for free"],
  ["GET /v1/analytics/realtime", "analytics.realtime", null, "pro"],
  ["GET /v1/analytics/link/{id}", "analytics.link", null, "any"],
  [null, "analytics.dailyStats", "get_link_stats_by_period", "any"],
  ["GET /v1/analytics/export", "analytics.export", null, "pro"],
  ["GET /v1/domains", "domains.list", null, "pro"],
  ["POST /v1/domains", "domains.create", null, "pro"],
  ["GET /v1/domains/{id}/verify", "domains.verify", null, "any"],
  ["DELETE /v1/domains/{id}", "domains.delete", null, "any"],
  ["GET /v1/buckets", "buckets.list", "list_buckets", "pro"],
  ["POST /v1/buckets", "buckets.create", "create_bucket", "pro"],
  ["GET /v1/buckets/{id}", "buckets.get", null, "pro"],
  ["PUT /v1/buckets/{id}", "buckets.update", null, "pro"],
  ["DELETE /v1/buckets/{id}", "buckets.delete", null, "any"],
  ["GET /v1/buckets/{id}/stats", "buckets.stats", null, "pro"],
  ["GET /v1/keys", "keys.list", null, "enterprise"],
  ["POST /v1/keys", "keys.create", null, "enterprise"],
  ["DELETE /v1/keys/{id}", "keys.delete", null, "enterprise"],
];

const callers = ["anonymous", ...planNames] as const;
type Caller = (typeof callers)[number];
const carriers = ["key", "cookie"] as const;
type Credential = Partial<Record<(typeof carriers)[number], string>>;

const app = await startApp({ rateLimits: { anonymous: 1000 } });
const { core } = app;
const mcp = createMcpApp({
  core,
  settings: { MCP_URL: "http://mcp.test", BASE_URL: "http://api.test", TRUSTED_PROXIES: [] },
  logger: createLogger({ level: "error" }),
});

/** A caller with one thing of each kind to spend. */
async function resident(caller: Caller, procedure: string): Promise<{ ids: Ids; credentials: Credential }> {
  if (caller === "anonymous") return { ids: noIds, credentials: {} };
  const { account, key } = await app.key(caller);
  const { token: cookie } = await core.sessions.create(account.id);
  const owner = (plan: Plan) =>
    core.caller({ kind: "account", account: { ...account, plan }, credential: "internal" });
  const link = await owner(caller).links.create({ url: "https://example.com/own" });
  const bucket = await owner("pro").buckets.create({
    name: "A page",
    links: [{ title: "A link", url: "https://example.com/" }],
  });
  const spare = await core.keys.issue(account.id, "spare");
  const session = await core.sessions.create(account.id);
  const domain = await domainFor(procedure, core, account);
  const ids = { link: link.id, bucket: bucket.id, key: spare.id, session: session.id, domain };
  return { ids, credentials: { key, cookie } };
}

interface Answered {
  status: number;
  text: string;
}

/** What came of it, in a word for a table. */
const outcome = ({ status, text }: Answered) =>
  status < 300 && text.includes('"locked":true') ? `${status} locked` : String(status);

type Door = (endpoint: (typeof endpoints)[number], ids: Ids, credential: Credential) => Promise<Answered>;

const overRest: Door = ([route, procedure], ids, credential) => {
  if (route === null) throw new Error(`${procedure} has no place in the REST API`);
  const [method, path] = route.split(" ") as [never, never];
  const [verb, filled, body] = restRequest({ method, path }, sampleOf(procedure, ids));
  return app.ask(verb, filled, { ...body, ...credential });
};
const overTrpc: Door = async ([, procedure], ids, credential) => {
  const input = sampleOf(procedure, ids);
  const answer = await app.askTrpc(procedure, input, credential);
  if (answer.status !== 415) return answer;
  // A stream is given to those who ask for one (httpBatchStreamLink), and says in its lines what became of it.
  const stream = await app.askTrpcStream(procedure, input, credential);
  if (!stream.text.includes('"result"')) throw new Error(stream.text);
  return stream;
};

const overMcp: Door = async ([, , tool], ids, { key, cookie }) => {
  const days = { from: "2026-01-01", to: "2026-01-31" };
  const own = { create_link: { url: "https://example.com/" }, list_links: {}, list_buckets: {} };
  const page = { name: "A page", links: [{ title: "A link", url: "https://example.com/" }] };
  const given: Record<string, object> = {
    ...own,
    create_bucket: page,
    get_link_stats_by_period: { id: ids.link, ...days },
    get_analytics: { period: "30d" },
  };
  const response = await mcp.request("http://mcp.test/mcp", {
    method: "POST",
    headers: {
      Host: "mcp.test",
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      ...(key && { Authorization: `Bearer ${key}` }),
      ...(cookie && { Cookie: `session=${cookie}` }),
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: tool, arguments: given[tool ?? ""] ?? { id: ids.link } },
    }),
  });
  const text = await response.text();
  const done = text.includes('"structuredContent"') && !text.includes('"isError":true');
  if (response.status === 200 && !done) throw new Error(text);
  return { status: response.status, text };
};

/** What each caller gets at a door, in the order of `callers`. */
async function ask(
  endpoint: (typeof endpoints)[number],
  door: Door,
  carrier: keyof Credential,
): Promise<string[]> {
  return Promise.all(
    callers.map(async (caller) => {
      const { ids, credentials } = await resident(caller, endpoint[1]);
      const credential = caller === "anonymous" ? {} : { [carrier]: credentials[carrier] };
      return outcome(await door(endpoint, ids, credential));
    }),
  );
}

function expected(needs: Needs, created: boolean): string[] {
  const yes = created ? "201" : "200";
  return callers.map((caller) => {
    if (caller === "anonymous") return needs === "nobody" ? yes : "401";
    if (needs === "locked for free") return caller === "free" ? `${yes} locked` : yes;
    const least = needs === "pro" || needs === "enterprise" ? planNames.indexOf(needs) : 0;
    return planNames.indexOf(caller) >= least ? yes : "403";
  });
}

describe("every operation, asked by everybody", () => {
  it("answers over REST, tRPC and MCP as the specification's plan column says", async () => {
    const observed: string[][] = [];
    for (const endpoint of endpoints) {
      const [route, procedure, tool, needs] = endpoint;
      for (const carrier of carriers) {
        if (route !== null) {
          const rest = await ask(endpoint, overRest, carrier);
          expect([route, carrier, rest]).toEqual([route, carrier, expected(needs, route.startsWith("POST"))]);
          observed.push([`\`${route}\``, carrier, ...rest]);
        }
        const trpc = await ask(endpoint, overTrpc, carrier);
        expect([procedure, carrier, trpc]).toEqual([procedure, carrier, expected(needs, false)]);
        observed.push([`tRPC \`${procedure}\``, carrier, ...trpc]);
        if (tool === null) continue;
        const tools = await ask(endpoint, overMcp, carrier);
        const who = carrier === "key" ? ["401", "403", "200", "200"] : callers.map(() => "401");
        expect([tool, carrier, tools]).toEqual([tool, carrier, who]);
        observed.push([`MCP \`${tool}\``, carrier, ...tools]);
      }
    }
    const rows = [["Asked for", "with a", ...callers], Array(6).fill("---"), ...observed];
    const table = rows.map((cells) => `| ${cells.join(" | ")} |`).join("\n");
    await expect(
      `# Who may do what\n\nWhat every operation answered to everybody, at each door that it has: status codes, written by the test that asks them.\n\n${table}\n`,
    ).toMatchFileSnapshot("../../../docs/ACCESS.md");
  });

  it("leaves none out, and none of its doors", () => {
    const doors = Object.entries(definitionsOf(core.router)).map(
      ([
        name,
        {
          meta: { openapi: place },
        },
      ]) => {
        return [place ? `${place.method} ${place.path}` : null, name];
      },
    );
    const byName = ([, one]: unknown[], [, other]: unknown[]) => (String(one) < String(other) ? -1 : 1);
    expect(endpoints.map(([route, name]) => [route, name]).toSorted(byName)).toEqual(doors.toSorted(byName));
    const called = new Set(endpoints.map(([, , tool]) => tool).filter((tool) => tool !== null));
    for (const tool of called) expect(toolsTable()).toContain(`| \`${tool}\` |`);
    expect(toolsTable().trim().split("\n")).toHaveLength(called.size + 2);
  });
});
