import { createServer } from "node:http";
import { Pool } from "pg";

/** The baseline for uncached links: one indexed read and a 302. */
const pool = new Pool({ connectionString: process.argv[2], max: 10 });
const server = createServer((request, response) => {
  const query = {
    name: "find",
    text: "select destination from links where slug = $1 and domain_id = '00000000-0000-0000-0000-000000000000'",
    values: [request.url?.slice(1)],
  };
  pool.query<{ destination: string }>(query).then(
    ({ rows }) => response.writeHead(302, { Location: rows[0]?.destination ?? "" }).end(),
    () => response.writeHead(500).end(),
  );
});
server.listen(0, "127.0.0.1", () => process.send?.((server.address() as { port: number }).port));
process.on("SIGTERM", () => process.exit(0));
