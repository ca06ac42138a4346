import { startPostgres } from "@terse/postgres";
import pg from "pg";
const p = await startPostgres({ dataDir: "/tmp/h/b24/.data/bench" });
const c = new pg.Client(p.adminUrl);
await c.connect();
for (const d of process.argv.slice(2)) await c.query(`drop database if exists ${d} with (force)`);
await c.end();
await p.stop();
