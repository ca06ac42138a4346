import { fork } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createTestCore } from "../../../src/testing.ts";
import { depsOf } from "../../helpers.ts";

it("a job whose nodes are killed again and again changes every link once", {
  tags: ["long"],
  timeout: 300_000,
}, async () => {
  const { core, actor, databaseUrl, close } = await createTestCore();
  onTestFinished(close);
  const owner = await actor("pro");
  const { links, jobs } = core.caller(owner);
  const { pool } = depsOf(core);
  const count = 6000;
  await pool.query(
    `insert into links (id, account_id, slug, destination, created_at, updated_at)
       select gen_random_uuid(), $1, 'killed-' || n, 'https://example.com/' || n, now(), now()
       from generate_series(1, $2::int) n`,
    [owner.account.id, count],
  );
  await pool.query("create table job_changes (id uuid)");
  await pool.query(
    `create function note_change() returns trigger language plpgsql as
       $$ begin insert into job_changes values (old.id); return new; end $$`,
  );
  await pool.query(
    "create trigger note_change after update on links for each row execute function note_change()",
  );
  const answer = await links.bulkUpdate({ filter: {}, set: { title: "Changed" } });
  if (!("job_id" in answer)) throw new Error("No job was started");
  const job = { id: answer.job_id };
  const doneOf = async () => (await jobs.get(job)).done;
  for (let kills = 0; kills < 4; kills++) {
    const before = await doneOf();
    const node = fork(join(import.meta.dirname, "worker-process.ts"), [databaseUrl]);
    onTestFinished(() => void node.kill("SIGKILL"));
    await expect.poll(doneOf, { timeout: 60_000 }).toBeGreaterThan(before);
    node.kill("SIGKILL");
    await once(node, "exit");
    // The lease of a dead node ends by itself; a test need not wait for that.
    await pool.query("update jobs set leased_until = now() - interval '1 s'");
  }
  await core.jobs.run();
  expect(await jobs.get(job)).toMatchObject({ status: "done", done: count, result: { changed: count } });
  const { rows } = await pool.query(
    "select count(*)::int as all, count(distinct id)::int as links from job_changes",
  );
  expect(rows).toEqual([{ all: count, links: count }]);
});
