import { openAnalyticsDatabase } from "./analytics-database.ts";
import pg from "pg";
const [clicks, days] = process.argv.slice(2, 4).map(Number);
const db = await openAnalyticsDatabase(clicks!, { days: days!, packed: true });
const orig = pg.Client.prototype.query as any;
let seen: any;
(pg.Client.prototype as any).query = function (...a: any[]) {
  if (typeof a[0] === "string" && !seen && a[0].includes("with counted")) seen = a;
  return orig.apply(this, a);
};
await db.core.caller(db.actor).analytics.overview({ period: "30d", continent: "EU", device: "mobile" });
console.log(seen[1].map((v: any) => String(v).length));
const cl = await db.pool.connect();
await cl.query("set jit=off");
await cl.query("set work_mem='32MB'");
await cl.query("set max_parallel_workers_per_gather = 0");
for (let i = 0; i < 3; i++) {
  const r = await cl.query("explain (analyze, buffers, costs off) " + seen[0].trim(), seen[1]);
  if (i == 2) console.log(r.rows.map((x: any) => x["QUERY PLAN"]).join("\n"));
}
cl.release();
await db.close();
