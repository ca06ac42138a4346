// A process that uses the server of the given data folder: prints what it got as one line of JSON, and stops on SIGTERM.
import { startPostgres } from "../src/index.ts";

const [dataDir = "", durable = "false"] = process.argv.slice(2);
const server = await startPostgres({ dataDir, durable: durable === "true" });
const alive = setInterval(() => {}, 1000);
process.once("SIGTERM", () => {
  clearInterval(alive);
  void server.stop();
});
// Last: who reads it may send the signal at once.
console.log(JSON.stringify({ url: server.url, adopted: server.adopted }));
