import { createCore } from "@terse/core";
import { PackedSums } from "../../packages/core/src/clicks/packed/sums.ts";
import { postgresCpu } from "./cpu.ts";
import { makeLinks, openDatabase, openPool } from "./database.ts";
import { dayMs } from "../clicks/visits.ts";

const links = 10_000;
/** Of each link, before today */
const days = 35;
const clicksADay = 10;
/** How often an alert is evaluated */
const minutes = 5;

/** Measures what it costs to evaluate ten thousand alerts, each on a link of its own that has ten clicks a day. */
export async function run(): Promise<void> {
  const database = await openDatabase();
  const pool = openPool(database.url, 2);
  const today = Math.floor(Date.now() / dayMs) * dayMs;
  let now = new Date(today + 13.5 * 3_600_000);
  const core = await createCore({
    databaseUrl: database.url,
    shortBase: "http://short.test",
    clock: () => now,
  });
  await makeLinks(database, links);
  // On every link the same clicks, of which each has values that no other one has.
  const sums = new PackedSums();
  for (let click = 0; click < clicksADay; click++) {
    sums.quarterHour(20 + 7 * click, 1, 1, 0);
    for (const dimension of [0, 1, 2, 3, 4, 5]) sums.value(dimension, 1000 * dimension + click, 1);
  }
  await pool.query(
    `insert into link_days (link_id, day, clicks, visitors, bots, packed)
     select l.id, d, $3, $3, 0, $4 from links l, generate_series($1::date - $2::int, $1::date, interval '1 day') d`,
    [new Date(today), days, clicksADay, sums.pack()],
  );
  await pool.query("update links set last_click_at = $1", [new Date(today)]);

  for (const kind of ["silence", "surge"] as const) {
    await pool.query("delete from alerts");
    await pool.query(
      `insert into alerts (id, account_id, name, kind, link_id, hours, factor, active, next_at, created_at)
       select gen_random_uuid(), account_id, slug, $1::text, id, case $1 when 'silence' then 24 end, case $1 when 'surge' then 3 end,
         true, $2, $2 from links`,
      [kind, now],
    );
    await pool.query("vacuum analyze");
    // The first round opens connections and prepares statements.
    for (const isMeasured of [false, true]) {
      now = new Date(now.getTime() + minutes * 60_000);
      const before = {
        process: process.cpuUsage(),
        postgres: await postgresCpu(pool),
        at: performance.now(),
      };
      await core.chores.run();
      const { user, system } = process.cpuUsage(before.process);
      const { rows } = await pool.query<{ left: number }>(
        "select count(*)::int as left from alerts where next_at <= $1",
        [now],
      );
      if (rows[0]?.left !== 0) throw new Error(`${rows[0]?.left} alerts were not evaluated`);
      if (!isMeasured) continue;
      const spent = [(user + system) / 1e6, (await postgresCpu(pool)) - before.postgres];
      const [own, postgres] = spent.map((seconds) => (seconds / minutes).toFixed(2));
      const seconds = ((performance.now() - before.at) / 1000).toFixed(1);
      console.log(
        `  ${links.toLocaleString("en")} alerts of ${kind}: evaluated in ${seconds} s, every ${minutes} minutes; ` +
          `seconds of CPU a minute: ${own} of this process, ${postgres} of PostgreSQL`,
      );
    }
  }
  await core.close();
  await pool.end();
  await database.close();
}
