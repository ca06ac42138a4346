import { type Plan, planNames } from "@terse/core";
import { idsOf, isBeyondKeys, type Operation, operations, seed, unknownIds } from "@terse/core/fixtures";
import { createMcpApp } from "@terse/mcp-server";
import { createLogger } from "@terse/server";
import { expect, it } from "vitest";
import { type Ask, startApp } from "../../http/test/client.ts";
import { references } from "../../http/src/docs/reference.ts";
import { restRequest } from "../../http/test/rest-request.ts";
import { servers } from "../../mcp/src/servers.ts";

/** The server with all tools has the ten of the other one, too. */
const [ten, all] = servers;

// Each operation is really called, over each door that leads to it, by each kind of caller. Keys and cookies are compared
// in apps/http/test/security.test.ts; here callers with an account send a key, or a cookie where only that is accepted.

const app = await startApp({ rateLimits: { anonymous: 1000 }, members: { free: 10 } });
const { core } = app;
const mcp = createMcpApp({
  core,
  settings: { MCP_URL: "http://mcp.test", BASE_URL: "http://api.test", TRUSTED_PROXIES: [] },
  logger: createLogger({ level: "error" }),
});

const callers = ["anonymous", ...planNames] as const;
type Caller = (typeof callers)[number];

interface Answered {
  status: number;
  text: string;
}
type Input = Record<string, unknown>;
type Credential = Pick<Ask, "key" | "cookie">;
type Call = (input: Input, credential: Credential) => Promise<Answered>;

interface Door {
  /** For the table: `GET /v1/links`, tRPC `links.list`, MCP `list_links` */
  title: string;
  call: Call;
  /** True if it takes no session */
  onlyKeys?: true;
  expected: readonly string[];
}

function doorsOf(operation: Operation): Door[] {
  const { name, procedure, meta } = operation;
  const doors: Door[] = [];
  const { openapi } = meta;
  if (openapi) {
    doors.push({
      title: `\`${openapi.method} ${openapi.path}\``,
      call: async (input, credential) => {
        const [method, path, body] = restRequest(openapi, input);
        return app.ask(method, path, { ...body, ...credential });
      },
      expected: expectedOf(operation, String(openapi.successStatus ?? 200)),
    });
  }
  doors.push({
    title: `tRPC \`${name}\``,
    call: async (input, credential) => overTrpc(name, input, credential),
    expected: expectedOf(operation, "200"),
  });
  for (const [tool, { procedure: called, input: shape }] of Object.entries(all.tools)) {
    if (called !== procedure) continue;
    const path = tool in ten.tools ? ten.path : all.path;
    doors.push({
      title: `MCP${path === all.path ? " full" : ""} \`${tool}\``,
      call: async (input, { key }) => overMcp(path, tool, asArguments(input, shape.shape), key),
      onlyKeys: true,
      // The door itself needs the Pro plan, of every tool alike.
      expected: ["401", "403", "200", "200"],
    });
  }
  return doors;
}

/** What each caller gets according to the fixture, in the order of `callers` */
function expectedOf({ fixture }: Operation, success: string): string[] {
  return callers.map((caller) => {
    if (caller === "anonymous") return fixture.access === "anyone" ? success : "401";
    if (caller === fixture.lockedFor) return `${success} locked`;
    const isPlan = fixture.access === "pro" || fixture.access === "enterprise";
    const smallest = isPlan ? planNames.indexOf(fixture.access as Plan) : 0;
    return planNames.indexOf(caller) >= smallest ? success : "403";
  });
}

async function overTrpc(name: string, input: Input, credential: Credential): Promise<Answered> {
  const answer = await app.askTrpc(name, input, credential);
  if (answer.status !== 415) return answer;
  // A stream is given to clients that ask for one (httpBatchStreamLink). Its status is 200 in any case.
  const stream = await app.askTrpcStream(name, input, credential);
  if (!stream.text.includes('"result"')) throw new Error(stream.text);
  return stream;
}

/**
 * Tools name a link by `id`, whatever the procedure calls it, take fewer fields than some procedures, and remove fields by
 * `clear` instead of null.
 */
function asArguments({ linkId, ...input }: Input, shape: object): Input {
  const fields = Object.entries({ ...input, ...(linkId !== undefined && { id: linkId }) }).filter(
    ([field]) => field in shape,
  );
  const clear = fields.filter(([, value]) => value === null).map(([field]) => field);
  const args = Object.fromEntries(fields.filter(([, value]) => value !== null));
  return clear.length > 0 ? { ...args, clear } : args;
}

async function overMcp(path: string, tool: string, args: Input, key: string | undefined): Promise<Answered> {
  const response = await mcp.request(`http://mcp.test${path}`, {
    method: "POST",
    headers: {
      Host: "mcp.test",
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
    },
    body: JSON.stringify({
      jsonrpc: "2.0",
      id: 1,
      method: "tools/call",
      params: { name: tool, arguments: args },
    }),
  });
  const text = await response.text();
  const isDone = text.includes('"structuredContent"') && !text.includes('"isError":true');
  if (response.status === 200 && !isDone) throw new Error(text);
  return { status: response.status, text };
}

const outcomeOf = ({ status, text }: Answered) =>
  status < 300 && text.includes('"locked":true') ? `${status} locked` : String(status);

/** What a new account, or nobody, is answered */
async function ask({ fixture, meta }: Operation, { call, onlyKeys }: Door, caller: Caller): Promise<string> {
  if (caller === "anonymous") return outcomeOf(await call(fixture.input(unknownIds), {}));
  const { account, key } = await app.key(caller);
  const own = await seed(core, account, fixture.uses);
  const credential =
    !onlyKeys && (meta.access.credential === "session" || isBeyondKeys(fixture))
      ? { cookie: (await core.sessions.create(account.id)).token }
      : { key };
  return outcomeOf(await call(fixture.input(idsOf(own)), credential));
}

it("every operation answers every caller at every door as its fixture says", async () => {
  const rows: string[][] = [];
  const expected: string[][] = [];
  for (const operation of operations()) {
    for (const door of doorsOf(operation)) {
      const outcomes = await Promise.all(callers.map(async (caller) => ask(operation, door, caller)));
      const scope = [operation.meta.scope ?? []].flat().map((name) => `\`${name}\``);
      rows.push([door.title, ...outcomes, scope.join(" or ")]);
      expected.push([door.title, ...door.expected, scope.join(" or ")]);
    }
  }
  expect(rows).toEqual(expected);
  expect(rows.filter(([title]) => title?.startsWith("MCP"))).toHaveLength(Object.keys(all.tools).length);
});

it("the reference says who may call each operation", () => {
  const { rows } = references.access(core);
  expect(rows.map(([, name, who]) => [name, who])).toEqual(
    operations().map(({ name, fixture, meta }) => {
      const account = meta.access.credential === "session" ? "a recent session" : "any account";
      const who = { anyone: "anyone", account, pro: "Pro plan", enterprise: "Enterprise plan" };
      return [`\`${name}\``, who[fixture.access]];
    }),
  );
});
