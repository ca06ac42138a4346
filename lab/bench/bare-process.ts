import { createServer } from "node:http";

/** The baseline: the maximum of the runtime. A constant 302, without a lookup and without recording anything. */
const server = createServer((_request, response) => {
  response.writeHead(302, { Location: "https://example.com/some/path?with=a&query=1" });
  response.end();
});
server.listen(0, "127.0.0.1", () => {
  process.send?.((server.address() as { port: number }).port);
});
process.on("SIGTERM", () => process.exit(0));
