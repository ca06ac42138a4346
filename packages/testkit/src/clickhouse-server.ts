/**
 * ClickHouse's HTTP interface in front of the engine of `chdb`, as far as `@clickhouse/client` uses it: one request at a time,
 * each in a database that is created when it is first named.
 * Arguments: the folder with `node_modules/chdb`, the folder of the data, the port of 127.0.0.1.
 */
import { createServer, type IncomingMessage } from "node:http";
import { createRequire } from "node:module";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";

interface Engine {
  Session: new (path: string) => { query(text: string): string };
}

const [program = "", folder = "", port = "0"] = process.argv.slice(2);
const { Session } = createRequire(join(program, "index.js"))("chdb") as Engine;
const session = new Session(join(folder, "data"));
session.query("set max_query_size = 268435456");

/** What belongs to the request, or is set above. */
const ownParameters = new Set(["query", "query_id", "database", "default_format", "max_query_size"]);

/** A statement with the settings of its request. Those of statements that make tables are left out. */
function statementOf(text: string, parameters: URLSearchParams, body: string): string {
  const settings = [...parameters]
    .filter(
      ([name]) => !ownParameters.has(name) && !/^(?:enable_http|wait_end|http_|send_progress)/.test(name),
    )
    .map(([name, value]) => `${name} = '${value}'`);
  const statement = text.trim().replace(/;$/, "");
  const [, head = "", format = ""] = /^(.*?)(\s+format\s+\w+)?$/is.exec(statement) ?? [];
  const isPlain = settings.length === 0 || /^(?:create|drop)\b/i.test(head);
  return `${head}${isPlain ? "" : ` settings ${settings.join()}`}${format}${body && `\n${body}`}`;
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const bytes = Buffer.concat((await request.toArray()) as Buffer[]);
  return (request.headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes).toString();
}

const server = createServer((request, response) => {
  const { pathname, searchParams } = new URL(request.url ?? "/", "http://localhost");
  const answer = (body: string) => {
    if (pathname === "/ping") return response.end("Ok.\n");
    const query = searchParams.get("query");
    try {
      const database = searchParams.get("database") ?? "default";
      if (/^\w+$/.test(database)) session.query(`create database if not exists ${database} engine = Atomic`);
      session.query(`use ${database}`);
      const text =
        query === null ? statementOf(body, searchParams, "") : statementOf(query, searchParams, body);
      const found = session.query(text);
      const isZipped = /gzip/.test(String(request.headers["accept-encoding"]));
      if (isZipped) response.setHeader("content-encoding", "gzip");
      return response.end(isZipped ? gzipSync(found) : found);
    } catch (error) {
      const message = (error as Error).message.replace(/^Query failed: /, "");
      response.setHeader("x-clickhouse-exception-code", /Code: (\d+)/.exec(message)?.[1] ?? "0");
      return response.writeHead(500).end(message);
    }
  };
  // A client that is killed while it sends a request wants no answer.
  bodyOf(request).then(answer, () => {});
});
server.listen(Number(port), "127.0.0.1", () => {
  const address = server.address();
  console.log(typeof address === "object" ? address?.port : address);
});
