import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { isMissing, until } from "@terse/testkit";
import { nextPort } from "@terse/testkit/ports";
import { rolldown } from "rolldown";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { type Service, startService } from "../../packages/client/test/service.ts";

/**
 * The client in other runtimes than Node, each left out if its program is not on the PATH; the npm packages `bun`, `deno` and
 * `workerd` bring them (350 MB).
 */

/** What each runtime does with the API, as the body of an asynchronous function that knows `url` and `key`. */
const calls = `
  const terse = createClient({ baseUrl: url, key });
  const { data: link, response } = await terse.links.create({ url: "https://example.com/" }).answer();
  const listed = [];
  for await (const { id } of terse.links.list({ limit: 1 })) listed.push(id);
  const etag = (await terse.links.get({ id: link.id }).answer()).response.headers.get("ETag");
  await terse.links.update({ id: link.id, title: "From a runtime" }, { ifMatch: etag });
  const late = await terse.links.update({ id: link.id, title: "Late" }, { ifMatch: etag }).catch((error) => error);
  const svg = await (await terse.links.qr({ id: link.id })).text();
  const csv = await terse.links.export({ format: "csv" });
  let bytes = 0;
  for await (const chunk of csv.body) bytes += chunk.length;
  const missing = await terse.links.get({ id: "none" }).catch((error) => error);
  const events = new AbortController();
  const live = terse.analytics.live({}, { signal: events.signal });
  let first;
  for await (const { event } of eventsOf(live)) { first = event; break; }
  events.abort();
  return {
    listed: listed.includes(link.id), limit: response.headers.has("RateLimit"), svg: svg.slice(0, 4), rows: bytes > 0, first,
    late: late instanceof PreconditionFailedError, missing: missing instanceof NotFoundError && typeof missing.requestId,
  };
`;
const names = "createClient, eventsOf, NotFoundError, PreconditionFailedError";
const works = {
  listed: true,
  limit: true,
  svg: "<svg",
  rows: true,
  first: "ready",
  late: true,
  missing: "string",
};

/** A worker that answers a request with what the calls return, and the configuration that serves it. */
const worker = `import { ${names} } from "client.js";
export default { async fetch(request, { url, key }) {
  const work = async () => { ${calls} };
  return Response.json(await work().catch((error) => ({ error: String(error), stack: error.stack })));
} };
`;
const workerConfig = (
  url: string,
  key: string,
  port: string,
) => `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    ( name = "main", worker = (
      modules = [
        ( name = "worker.js", esModule = embed "worker.js" ),
        ( name = "client.js", esModule = embed "client.js" ),
      ],
      bindings = [ ( name = "url", text = ${JSON.stringify(url)} ), ( name = "key", text = ${JSON.stringify(key)} ) ],
      compatibilityDate = "2026-07-01",
    ) ),
    ( name = "internet", network = ( allow = [ "local" ] ) ),
  ],
  sockets = [ ( name = "http", address = "127.0.0.1:${port}", http = (), service = "main" ) ],
);
`;

describe("the client", () => {
  const folder = mkdtempSync(join(tmpdir(), "terse-runtimes-"));
  let service: Service;
  let key: string;
  beforeAll(async () => {
    service = await startService();
    ({ key } = await service.key("pro"));
    const build = await rolldown({
      input: join(import.meta.dirname, "../../packages/client/src/index.ts"),
      platform: "neutral",
    });
    await build.write({ format: "esm", file: join(folder, "client.js") });
    await build.close();
    writeFileSync(
      join(folder, "program.mjs"),
      `import { ${names} } from "../../packages/client/test/client.js";
const [url, key] = process.argv.slice(2);
const work = async () => { ${calls} };
console.log(JSON.stringify(await work()));
process.exit(0);
`,
    );
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  const start = (program: string, args: string[]) => {
    const child = spawn(program, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    onTestFinished(() => void child.kill());
    const said = { out: "", err: "" };
    child.stdout.setEncoding("utf8").on("data", (text: string) => (said.out += text));
    child.stderr.setEncoding("utf8").on("data", (text: string) => (said.err += text));
    return { child: child as ChildProcess, said };
  };

  const programs = [
    { program: "bun", args: ["run"] },
    { program: "deno", args: ["run", "--no-prompt", "--allow-net=127.0.0.1,localhost"] },
  ].filter(({ program }) => !isMissing(program));
  it.each([{ program: "node", args: [] }, ...programs])("works in $program", async ({ program, args }) => {
    const { child, said } = start(program, [...args, "program.mjs", service.url, key]);
    await once(child, "close");
    expect(said.out, said.err).not.toBe("");
    expect(JSON.parse(said.out)).toEqual(works);
  });

  it.skipIf(isMissing("workerd"))("works in a worker", async () => {
    const port = nextPort();
    writeFileSync(join(folder, "worker.js"), worker);
    writeFileSync(join(folder, "config.capnp"), workerConfig(service.url, key, port));
    const { said } = start("workerd", ["serve", "config.capnp"]);
    const ask = () => fetch(`http://127.0.0.1:${port}/`).catch(() => undefined);
    let answer: Response | undefined;
    await until(async () => (answer = await ask()) !== undefined);
    expect(await answer?.json(), said.err).toEqual(works);
  });
});
