import { afterAll, expect, it } from "vitest";
import type { CoreEvent } from "../../../src/index.ts";
import { createTestCore } from "../../../src/testing.ts";
import { anonymous, depsOf, url } from "../../helpers.ts";

const events: CoreEvent[] = [];
const { core, actor, close } = await createTestCore({ onEvent: (event) => events.push(event) });
afterAll(close);
const { reports, reportQueue } = core;
const owner = await actor("pro");
const { links } = core.caller(owner);
const report = (link_id: string, address: string, details = "") =>
  reports.submit({ link_id, reason: "phishing", details, address });
const reportsOf = async (linkId: string, options?: { all: boolean }) =>
  (await reportQueue.list(options)).filter(({ link_id }) => link_id === linkId);

it("a report tells operators what was reported, and only the network of who did", async () => {
  const { id, shortUrl } = await links.create({ url });
  expect(await report(id, "8.8.4.77", " It asks for\r\nmy PIN\u202e\u0085\0 ")).toBeNull();
  const [stored] = await reportsOf(id);
  expect(stored).toEqual({
    id: expect.any(String),
    link_id: id,
    short_url: shortUrl,
    destination: url,
    reason: "phishing",
    details: "It asks for\nmy PIN",
    network: "8.8.4.0/24",
    created_at: expect.any(String),
    closed_at: null,
    account: { id: owner.account.id, email: owner.account.email },
    link: "enabled",
  });
  expect(events.filter(({ code }) => code === "link_reported")).toEqual([
    expect.objectContaining({ id: stored?.id, link_id: id, short_url: shortUrl, reason: "phishing" }),
  ]);
});

it("a network reports a link once, until its report is closed; each link has at most 100 open reports", async () => {
  const { id } = await core.caller(anonymous).links.create({ url });
  await report(id, "8.8.5.1");
  await report(id, "8.8.5.2", "again");
  expect(await reportsOf(id)).toHaveLength(1);
  expect(await reportQueue.close({ linkId: id })).toBe(1);
  expect(await reportQueue.close({ linkId: id })).toBe(0);
  await report(id, "2001:db8:5:1::1");
  await report(id, "2001:db8:5:2::2");
  const open = await reportsOf(id);
  expect(open.map(({ network, account }) => [network, account])).toEqual([["2001:db8:5::/48", null]]);
  expect(await reportsOf(id, { all: true })).toHaveLength(2);
  for (let at = 0; at < 110; at++) await report(id, `9.9.${at}.1`);
  expect(await reportsOf(id)).toHaveLength(100);
  expect(await reportQueue.close({ id: open[0]?.id ?? "" })).toBe(1);
  expect(await reportQueue.close({ id: "x" })).toBe(0);
});

it("an address sends five reports an hour, and a /48 fifty", async () => {
  const { id } = await links.create({ url });
  const waits = async (addresses: string[]) => {
    const answers: (number | null)[] = [];
    for (const address of addresses) answers.push(await report(id, address));
    return answers.filter((wait) => wait !== null);
  };
  const [wait, ...others] = await waits(Array(6).fill("8.8.6.1"));
  expect(wait).toBeGreaterThan(3000);
  expect(wait).toBeLessThanOrEqual(3600);
  expect(others).toEqual([]);
  expect(await waits(Array.from({ length: 52 }, (_, at) => `2001:db8:6:${at}::1`))).toHaveLength(2);
});

it("a report outlives its link, and ends with its account or after 180 days", async () => {
  const { id } = await links.create({ url });
  await report(id, "8.8.7.1");
  await links.delete({ id });
  expect(await reportsOf(id)).toMatchObject([{ link: "deleted", account: { id: owner.account.id } }]);
  expect(await report(id, "8.8.8.1")).toBeNull();
  const other = await actor("pro");
  const lost = await core.caller(other).links.create({ url });
  await report(lost.id, "8.8.9.1");
  await core.accounts.delete(other.account.id);
  expect(await reportsOf(lost.id)).toEqual([]);
  const { pool } = depsOf(core);
  const age = "update reports set created_at = now() - $1 * interval '1 day'";
  await pool.query(age, [179]);
  await core.chores.run();
  expect(await reportsOf(id)).toHaveLength(1);
  await pool.query(age, [181]);
  await core.chores.run();
  expect(await reportQueue.list({ all: true })).toEqual([]);
});
