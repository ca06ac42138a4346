import { until } from "@terse/testkit";
import * as z from "zod";
import { afterAll, describe, expect, it, onTestFinished } from "vitest";
import { inTransaction } from "../../../src/db/connection.ts";
import { createCore } from "../../../src/index.ts";
import { enqueue } from "../../../src/rpc/jobs/enqueue.ts";
import { startUndo } from "../../../src/links/history/undo.ts";
import { leaseJob, releaseJob } from "../../../src/rpc/jobs/lease.ts";
import { changeFields } from "../../../src/links/link.schema.ts";
import { createTestCore } from "../../../src/testing.ts";
import { depsOf, rejection, url, unknownId } from "../../helpers.ts";

const test = await createTestCore();
afterAll(test.close);

/** An account with links to https://example.com/0, /1 … */
async function accountWith(count: number, { core, actor: newActor } = test) {
  const actor = await newActor("pro");
  const { pool, newId } = depsOf(core);
  const { rows } = await pool.query<{ id: string }>(
    `insert into links (id, account_id, slug, destination, created_at, updated_at)
     select gen_random_uuid(), $1, $2 || n, 'https://example.com/' || n, now(), now()
     from generate_series(0, $3::int - 1) n returning id`,
    [actor.account.id, `${newId()}-`, count],
  );
  const { links, jobs } = core.caller(actor);
  const ids = rows.map(({ id }) => id).toSorted();
  return { core, actor, accountId: actor.account.id, links, jobs, ids };
}
type Owner = Awaited<ReturnType<typeof accountWith>>;

/** Starts a job with two links in each part, as operations start it with more. */
async function start(
  { core, actor, accountId, ids }: Owner,
  kind: string,
  input: object,
): Promise<{ id: string }> {
  const deps = depsOf(core);
  let id = "";
  await inTransaction(deps.pool, async (database) => {
    id = await enqueue(
      deps,
      database,
      { accountId, actor, permission: "links:write", kind, input },
      async (jobId) => {
        await database.query(
          `insert into job_parts (job_id, number, size, items)
         select $1, number, count(*), json_agg(id order by id)
         from (select id, (row_number() over (order by id) - 1) / 2 as number from unnest($2::uuid[]) id) numbered
         group by number`,
          [jobId, ids],
        );
      },
    );
    return true;
  });
  return { id };
}
const startUpdate = (owner: Owner, title: string) =>
  start(owner, "links.update", { set: { title }, hashed: {}, dry_run: false });

describe("links that a filter finds", () => {
  it("are changed at once if they are few", async () => {
    const { links } = await accountWith(20);
    const filter = { search: "example.com/1" };
    const set = { title: "One" };
    const foreseen = { matched: 11, changed: 11, change_id: null, results: [] };
    const expected = { ...foreseen, change_id: expect.any(String) };
    expect(await links.bulkUpdate({ filter, set, dry_run: true })).toEqual(foreseen);
    expect(await links.bulkUpdate({ filter, set })).toEqual(expected);
    expect((await links.list({ search: "One" })).meta.total).toBe(11);
    expect(await links.bulkDelete({ filter: { search: "One" } })).toEqual(expected);
    expect((await links.list({})).meta.total).toBe(9);
  });

  it("are changed by a job if they are many: those of the beginning, each once", async () => {
    const { links, jobs, core } = await accountWith(1050);
    const { pool } = depsOf(core);
    await pool.query("create table noted (id uuid)");
    await pool.query(
      `create function note_change() returns trigger language plpgsql as
       $$ begin insert into noted values (old.id); return new; end $$`,
    );
    await pool.query(
      "create trigger note_change after update on links for each row execute function note_change()",
    );
    onTestFinished(async () => {
      await pool.query("drop trigger note_change on links");
      await pool.query("drop table noted");
    });
    // A link that is changed leaves the filter.
    const filter = { state: "active", search: "example.com" } as const;
    const set = { is_active: 0 as const, password: "only a hash is stored" };
    const answer = await links.bulkUpdate({ filter, set });
    if (!("job_id" in answer)) throw new Error(JSON.stringify(answer));
    const { job_id: id } = answer;
    await links.create({ url: "https://example.com/later" });
    expect(await jobs.get({ id })).toMatchObject({
      kind: "links.update",
      status: "waiting",
      done: 0,
      total: 1050,
    });
    const { rows: stored } = await pool.query("select input from jobs where id = $1", [id]);
    const hashed = { password_hash: expect.stringMatching(/^\$scrypt/) };
    expect(stored).toEqual([
      { input: { set: { is_active: 0 }, hashed, dry_run: false, by: { kind: "system", name: null } } },
    ]);
    await core.jobs.run();
    expect(await jobs.get({ id })).toMatchObject({
      status: "done",
      done: 1050,
      result: { matched: 1050, changed: 1050, refused: 0 },
      problem: null,
    });
    const { rows } = await pool.query(
      "select count(*)::int as all, count(distinct id)::int as links from noted",
    );
    expect(rows).toEqual([{ all: 1050, links: 1050 }]);
    // Counted up to a thousand with a filter
    expect((await links.list({ state: "inactive", has: "password" })).meta.total).toBe(1000);
    expect((await links.list({ state: "active" })).meta.total).toBe(1);
  });
});

it("a change is the same again after it was stored for a job", () => {
  const set = {
    url: "https://EXAMPLE.com/a b",
    title: "Title",
    is_active: 1,
    notes: "Notes",
    tags: ["One", "two"],
    created_by: { id: unknownId, name: "Ada" },
    starts_at: "2026-01-31T12:00:00+01:00",
    expires_at: "2027-01-31T12:00:00+01:00",
    click_limit: 5,
    preview: { title: "Title", description: null, image: "https://example.com/ä.png" },
    password: "secret",
    rules: [
      {
        name: "Rule",
        url,
        when: {
          country: ["de"],
          continent: ["EU"],
          language: ["de-ch"],
          device: ["mobile"],
          os: ["iOS"],
          browser: ["Firefox"],
          referrer: ["NEWS.example"],
          query: [{ name: "a", value: null }],
          ip: ["192.0.2.0/24"],
          after: "2026-01-31T12:00:00+01:00",
          before: "2027-01-31T12:00:00+01:00",
          weekly: { tz: "europe/berlin", days: ["mon"], from: "09:00", to: "17:00" },
        },
      },
    ],
    geo_rules: [{ country: "de", url }],
    ab_test: { variants: [1, 2].map((weight) => ({ url, weight })) },
    fallback_url: url,
    redirect_status: 301,
    forward_path: true,
    forward_query: "keep",
    qr: { color: "#036" },
  };
  expect(Object.keys(set).toSorted()).toEqual(Object.keys(changeFields).toSorted());
  const parsed = z.object(changeFields).parse(set);
  expect(z.object(changeFields).parse(JSON.parse(JSON.stringify(parsed)))).toEqual(parsed);
});

describe("the history", () => {
  it("has one change of all parts of a job, by who started it, which can be undone", async () => {
    const { actor, links, jobs, core, ids } = await accountWith(1050);
    const [id = ""] = ids;
    await links.update({ id, tags: ["Old"] });
    const person = core.caller({
      ...actor,
      account: { ...actor.account, name: "Ada" },
      credential: "session",
    });
    const filter = { search: "example.com" };
    const set = { title: "All", starts_at: "2026-01-31T12:00:00.000Z" };
    const started = await person.links.bulkUpdate({ filter, set, add_tags: ["New"], remove_tags: ["old"] });
    if (!("job_id" in started)) throw new Error(JSON.stringify(started));
    await core.jobs.run();
    expect(await jobs.get({ id: started.job_id })).toMatchObject({ result: { changed: 1050, refused: 0 } });
    expect(await links.get({ id })).toMatchObject({ ...set, tags: ["New"] });
    expect((await links.list({ tag: "New" })).meta.total).toBe(1000);
    await core.chores.run();
    const [change] = (await person.changes.list({})).data;
    expect(change).toMatchObject({
      id: started.job_id,
      action: "update",
      by: { kind: "session", name: "Ada" },
      links: 1050,
    });
    const job = await jobs.get({ id: started.job_id });
    expect(job).toMatchObject({ change_id: started.job_id, undone_by: null });
    const undone = await person.changes.undo({ id: job.change_id! });
    expect(undone).toMatchObject({ matched: 1050, changed: 1050 });
    expect(await links.get({ id })).toMatchObject({ title: null, starts_at: null, tags: ["Old"] });
    const { change_id: undone_by } = undone as { change_id: string };
    expect(await jobs.get({ id: started.job_id })).toMatchObject({ undone_by });
  });
});

describe("undoing a change of many links by a job", () => {
  /** An account whose links were changed at once, in three parts of an undo. */
  async function changed(count = 600) {
    const owner = await accountWith(count);
    const { pool, newId } = depsOf(owner.core);
    const change = newId();
    await pool.query(
      `with change as (
         insert into changes (id, account_id, at, action, by_kind) values ($1, $2, now(), 'update', 'system') returning id
       ) insert into link_changes (link_id, change_id, before, after, bytes)
       select links.id, change.id, '{"title": null}', '{"title": "All"}', 300 from links, change where account_id = $2`,
      [change, owner.accountId],
    );
    await pool.query("update links set title = 'All' where account_id = $1", [owner.accountId]);
    const { actor, accountId } = owner;
    const { changes } = owner.core.caller(actor);
    const { em } = depsOf(owner.core).orm;
    const ctx = { ...owner.core.createContext(actor), em, account: actor.account } as Parameters<
      typeof startUndo
    >[0];
    return {
      ...owner,
      change,
      changes,
      /** As `changes.undo` starts it for more than 10,000 links */
      undo: async (id: string) => (await startUndo(ctx, id)).job_id,
      async titled() {
        const text = "select from links where account_id = $1 and title is not null";
        return (await pool.query(text, [accountId])).rowCount;
      },
      of: async (id: string) => (await changes.list({})).data.find((each) => each.id === id),
    };
  }

  it("is one change, and has the reasons of those that cannot be changed back", async () => {
    const { core, links, jobs, ids, change, undo, titled, of } = await changed();
    const [first = ""] = ids;
    await links.update({ id: first, title: "Mine" });
    const id = await undo(change);
    expect(await rejection(undo(change))).toEqual({
      code: "CONFLICT",
      message: `Change ${change} is being undone by job ${id}`,
    });
    await core.jobs.run();
    expect(await jobs.get({ id })).toMatchObject({
      kind: "links.undo",
      status: "done",
      change_id: id,
      result: { matched: 600, changed: 599, refused: 1 },
    });
    expect(await titled()).toBe(1);
    expect(await of(id)).toMatchObject({ undoes: change, undone_by: null });
    expect(await of(change)).toMatchObject({ undone_by: null });
    const { body } = await jobs.result({ id });
    let file = "";
    for await (const piece of body) file += piece;
    expect(file).toMatch(new RegExp(`^id,status,error\r\n${first},409,"?title: change ${change} cannot`));
  });

  it("can be cancelled, done again, and undone itself", async () => {
    const { core, jobs, change, undo, titled, of } = await changed();
    await jobs.cancel({ id: await undo(change) });
    await core.jobs.run();
    expect(await titled()).toBe(600);
    const second = await undo(change);
    await core.jobs.run();
    expect(await titled()).toBe(0);
    expect(await of(change)).toMatchObject({ undone_by: second });
    const redo = await undo(second);
    await core.jobs.run();
    expect(await titled()).toBe(600);
    expect(await of(second)).toMatchObject({ undone_by: redo });
    expect(await of(change)).toMatchObject({ undone_by: null });
  });

  // 41 parts, with pauses as long as each took: 5 s, and on a machine with ten times its work more than 20.
  it("begins by itself for more than 10,000 links", { tags: ["long"], timeout: 300_000 }, async () => {
    const { core, jobs, change, changes, titled } = await changed(10_001);
    const started = await changes.undo({ id: change });
    if (!("job_id" in started)) throw new Error(JSON.stringify(started));
    const { job_id: id } = started;
    // A part that has failed, such as for want of a connection, is due again after a second.
    await until(async () => {
      await core.jobs.run();
      return (await jobs.get({ id })).ended_at !== null;
    }, 240_000);
    expect(await jobs.get({ id })).toMatchObject({
      status: "done",
      problem: null,
      result: { changed: 10_001, refused: 0 },
    });
    expect(await titled()).toBe(0);
  });
});

describe("a job", () => {
  it("has the reasons in its file, if links could not be changed", async () => {
    const owner = await accountWith(5);
    const { core, jobs, ids, links } = owner;
    const job = await start(owner, "links.delete", { dry_run: false });
    const [first = "", second = ""] = ids;
    await core.moderation.disableLink(first, "phishing");
    await links.delete({ id: second });
    await core.jobs.run();
    expect(await jobs.get(job)).toMatchObject({ result: { matched: 4, changed: 3, refused: 2 } });
    const { body } = await jobs.result(job);
    let file = "";
    for await (const piece of body) file += piece;
    expect(file.split("\r\n").toSorted()).toEqual([
      "",
      expect.stringMatching(`^${first},403,.*\\(phishing\\)`),
      `${second},404,Link not found`,
      "id,status,error",
    ]);
  });

  it("changes nothing in a dry run", async () => {
    const owner = await accountWith(5);
    const job = await start(owner, "links.delete", { dry_run: true });
    await owner.core.jobs.run();
    expect(await owner.jobs.get(job)).toMatchObject({ status: "done", result: { changed: 5 } });
    expect((await owner.links.list({})).meta.total).toBe(5);
  });

  /** A job whose second part waits for a lock. */
  async function held() {
    const own = await createTestCore();
    onTestFinished(own.close);
    const owner = await accountWith(6, own);
    const job = await startUpdate(owner, "Changed");
    const { pool } = depsOf(own.core);
    const database = await pool.connect();
    await database.query("begin");
    await database.query("select from links where id = $1 for update", [owner.ids[2]]);
    const running = own.core.jobs.run();
    await expect
      .poll(async () => {
        const { rowCount } = await pool.query(
          "select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()",
        );
        return rowCount;
      })
      .toBe(1);
    return {
      ...owner,
      own,
      job,
      pool,
      changed: async () => (await owner.links.list({ search: "Changed" })).meta.total,
      async letGo() {
        await database.query("rollback");
        database.release();
        await running;
      },
    };
  }

  it("changes nothing more once it is cancelled", async () => {
    const { core, actor, jobs, job, letGo, changed } = await held();
    expect(await jobs.get(job)).toMatchObject({ status: "running", done: 2, change_id: job.id });
    expect(await rejection(core.caller(actor).changes.undo({ id: job.id }))).toEqual({
      code: "CONFLICT",
      message: `Change ${job.id} is still being made by a job: wait for it, or cancel it`,
    });
    expect(await jobs.cancel(job)).toMatchObject({ status: "cancelled", done: 2 });
    await letGo();
    await core.jobs.run();
    expect(await changed()).toBe(2);
    expect(await jobs.cancel(job)).toMatchObject({ status: "cancelled", done: 2, result: { changed: 2 } });
  });

  it("is taken over from a node that does not finish, which then changes nothing", async () => {
    const { core, jobs, job, letGo, changed, own, pool } = await held();
    const other = await createCore({ databaseUrl: own.databaseUrl, shortBase: "http://short.test" });
    onTestFinished(() => other.close());
    await pool.query("update jobs set leased_by = gen_random_uuid(), leased_until = now() + interval '1 m'");
    await letGo();
    expect(await jobs.get(job)).toMatchObject({ status: "running", done: 2 });
    await pool.query("update jobs set leased_until = now() - interval '1 s'");
    await other.jobs.run();
    await core.jobs.run();
    expect(await jobs.get(job)).toMatchObject({ status: "done", done: 6, result: { changed: 6 } });
    expect(await changed()).toBe(6);
  });

  it("ends with its account's suspension", async () => {
    const { core, accountId, letGo, jobs, job } = await held();
    await core.accounts.suspend(accountId, "abuse");
    await letGo();
    await core.accounts.resume(accountId);
    expect(await jobs.get(job)).toMatchObject({ status: "cancelled", problem: "The account is suspended" });
  });

  it("waits for the one before of its account, and lets other accounts have their turn", async () => {
    const own = await createTestCore();
    onTestFinished(own.close);
    const one = await accountWith(3, own);
    const other = await accountWith(3, own);
    const jobs = [await startUpdate(one, "first"), await startUpdate(one, "second")];
    await startUpdate(other, "other");
    const { pool, newId } = depsOf(own.core);
    const leased = await Promise.all([1, 2, 3].map(() => leaseJob({ pool }, newId())));
    const accounts = leased.filter((each) => each !== null).map(({ account_id }) => account_id);
    expect(accounts).toHaveLength(2);
    expect(new Set(accounts)).toEqual(new Set([one.accountId, other.accountId]));
    await pool.query("update jobs set leased_until = now() - interval '1 s'");
    await own.core.jobs.run();
    expect((await one.links.list({ search: "second" })).meta.total).toBe(3);
    const listed = await one.jobs.list({});
    expect(listed.data.map(({ id }) => id)).toEqual(jobs.map(({ id }) => id).toReversed());
    expect((await other.jobs.list({})).meta.total).toBe(1);
  });

  it("is due at once after its turn", async () => {
    const own = await createTestCore();
    onTestFinished(own.close);
    const { pool, newId } = depsOf(own.core);
    const { id } = await startUpdate(await accountWith(1, own), "due");
    // The time is stored in milliseconds: half of them are rounded up, into the future.
    for (let turn = 0; turn < 20; turn++) {
      const node = newId();
      const job = await leaseJob({ pool }, node);
      expect(job).toMatchObject({ id });
      if (job) await releaseJob({ pool }, node, job);
    }
  });

  it("is tried again if the service fails, and ends if it fails for good", async () => {
    const own = await createTestCore();
    onTestFinished(own.close);
    const owner = await accountWith(3, own);
    const { pool } = depsOf(own.core);
    const [first, second] = [await startUpdate(owner, "first"), await startUpdate(owner, "second")];
    await pool.query("alter table links add constraint no_title check (title is null)");
    for (let failures = 1; failures <= 10; failures++) {
      expect(await owner.jobs.get(first)).toMatchObject({ status: failures === 1 ? "waiting" : "running" });
      await own.core.jobs.run();
      await pool.query("update jobs set leased_until = null where id = $1", [first.id]);
    }
    expect(await owner.jobs.get(first)).toMatchObject({ status: "failed", problem: "Internal server error" });
    await pool.query("alter table links drop constraint no_title");
    await pool.query("update jobs set leased_until = null");
    await own.core.jobs.run();
    expect(await owner.jobs.get(second)).toMatchObject({ status: "done", done: 3 });
  });

  it("ends, and says why, if it was refused a hundred times in a row for a day", async () => {
    let now = new Date("2026-03-01T12:00:00Z");
    const own = await createTestCore({ clock: () => now, rateLimits: { free: 1 } });
    onTestFinished(own.close);
    const { pool } = depsOf(own.core);
    const { imports, jobs, links } = own.core.caller(await own.actor("free"));
    const { job_id: id } = await imports.create({
      content: "https://example.com/1\nhttps://example.com/2\n",
    });
    /** Uses up the limit of creations, then lets the job try. */
    const refuse = async () => {
      await rejection(links.create({ url }).then(() => links.create({ url })));
      await pool.query("update jobs set leased_until = null");
      await own.core.jobs.run();
    };
    for (let refusal = 1; refusal <= 100; refusal++) await refuse();
    expect(await jobs.get({ id })).toMatchObject({ status: "running", done: 0 });
    now = new Date(now.getTime() + 24 * 3_600_000 - 1);
    await refuse();
    expect(await jobs.get({ id })).toMatchObject({ status: "running", done: 0 });
    now = new Date(now.getTime() + 1);
    await refuse();
    expect(await jobs.get({ id })).toMatchObject({
      status: "failed",
      problem: expect.stringMatching(
        /^Refused 102 times in a row since 2026-03-01T12:00:00.000Z: Rate limit exceeded: 1 creations a minute/,
      ),
    });
    const { body } = await jobs.result({ id });
    let file = "";
    for await (const piece of body) file += piece;
    expect(file).not.toContain("example.com/1");
  });

  it("is not ended by refusals with progress between them, nor at the first try after a day", async () => {
    let now = new Date("2026-03-01T12:00:00Z");
    const own = await createTestCore({ clock: () => now });
    onTestFinished(own.close);
    const { pool } = depsOf(own.core);
    const owner = await accountWith(3, own);
    const { id } = await startUpdate(owner, "Changed");
    await pool.query("update jobs set refusals = 1000, refused_since = $1", [now]);
    now = new Date(now.getTime() + 48 * 3_600_000);
    await own.core.jobs.run();
    expect(await owner.jobs.get({ id })).toMatchObject({ status: "done", done: 3 });
    const { rows } = await pool.query("select refusals, refused_since from jobs");
    expect(rows).toEqual([{ refusals: 0, refused_since: null }]);
  });

  it("ends after a day if no node knows its kind", async () => {
    let now = new Date("2026-03-01T12:00:00Z");
    const own = await createTestCore({ clock: () => now });
    onTestFinished(own.close);
    const owner = await accountWith(1, own);
    const { id } = await start(owner, "links.unheard", {});
    await own.core.jobs.run();
    await depsOf(own.core).pool.query("update jobs set refusals = 99, leased_until = null");
    now = new Date(now.getTime() + 24 * 3_600_000);
    await own.core.jobs.run();
    expect(await owner.jobs.get({ id })).toMatchObject({
      status: "failed",
      problem: expect.stringContaining('this node knows no jobs of the kind "links.unheard"'),
    });
  });

  it("is refused beside five others", async () => {
    const owner = await accountWith(3);
    const started = await Promise.all([1, 2, 3, 4, 5].map((n) => startUpdate(owner, `Title ${n}`)));
    expect(await rejection(startUpdate(owner, "Another"))).toEqual({
      code: "TOO_MANY_REQUESTS",
      message: "This account has 5 unfinished jobs: wait for one to finish, or cancel one",
    });
    for (const job of started) await owner.jobs.cancel(job);
    expect(await startUpdate(owner, "Another")).toHaveProperty("id");
    await owner.core.jobs.run();
  });

  it("is deleted seven days after its end", async () => {
    let now = new Date("2026-03-01T12:00:00Z");
    const own = await createTestCore({ clock: () => now });
    onTestFinished(own.close);
    const owner = await accountWith(3, own);
    await startUpdate(owner, "Old");
    await own.core.jobs.run();
    now = new Date(now.getTime() + 7 * 24 * 3600 * 1000 - 1);
    await own.core.chores.run();
    expect((await owner.jobs.list({})).meta.total).toBe(1);
    now = new Date(now.getTime() + 2);
    await own.core.chores.run();
    expect((await owner.jobs.list({})).meta.total).toBe(0);
    expect((await depsOf(own.core).pool.query("select from job_parts")).rowCount).toBe(0);
  });
});
