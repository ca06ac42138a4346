import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { makeCertificate } from "@terse/testkit/certificate";
import { startMailServer } from "@terse/testkit/smtp";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { type Actor, createCore, type PersonalAccount } from "../../../src/index.ts";
import { sendReports } from "../../../src/integrations/mail-reports/send.ts";
import type { MailKinds } from "../../../src/mail/mail.types.ts";
import { createTestCore } from "../../../src/testing.ts";
import { addMember, clickOn, depsOf } from "../../helpers.ts";

/** A Monday; reports are due at eight, also in Berlin and Berlin's summer. */
const monday = "2026-11-23T08:00:00Z";
const time = { now: new Date(monday) };
const folder = await mkdtemp(join(tmpdir(), "terse-reports-"));
const server = await startMailServer(await makeCertificate(folder));
const options = {
  baseUrl: "https://app.example.com",
  mail: { url: `smtp://localhost:${server.port}`, from: "terse@example.com", ca: server.ca },
  clock: () => time.now,
  healthChecks: "daily",
} as const;
const test = await createTestCore(options);
const { core, account } = test;
const node = await createCore({ databaseUrl: test.databaseUrl, shortBase: "http://short.test", ...options });
const { pool } = depsOf(core);
afterAll(async () => {
  await Promise.all([node.close(), test.close()]);
  await server.close();
  await rm(folder, { recursive: true });
});

beforeEach(async () => {
  server.received.length = 0;
  await pool.query("delete from preferences");
  time.now = new Date("2026-11-20T12:00:00Z");
});

type Report = MailKinds["report"]["data"];

/** Sends what is due on both nodes; returns the reports in the queue by their reader's address. */
async function reportsAt(now: string): Promise<Map<string, Report>> {
  time.now = new Date(now);
  await pool.query("delete from mails");
  await Promise.all([sendReports(depsOf(core)), sendReports(depsOf(node))]);
  const { rows } = await pool.query<{ address: string; data: Report }>(
    "select address, data from mails where kind = 'report'",
  );
  expect(new Set(rows.map(({ address }) => address)).size).toBe(rows.length);
  return new Map(rows.map(({ address, data }) => [address, data]));
}

const actorOf = (person: PersonalAccount): Actor => ({
  kind: "account",
  account: person,
  credential: "internal",
});
const as = (person: PersonalAccount) => core.caller(actorOf(person));
const weekly = (person: PersonalAccount, more = {}) =>
  as(person).preferences.update({ reports: { frequency: "weekly", ...more } });

/** Clicks of a link at a time of a day; a click is never later than the clock. */
async function click(link: string, day: string, count = 1, hour = "12:00"): Promise<void> {
  const at = Date.parse(`${day}T${hour}:00Z`);
  const before = time.now;
  time.now = new Date(Math.max(at, before.getTime()));
  for (let n = 0; n < count; n++)
    await core.clicks.record(clickOn(link, { time: at, address: `10.0.${n}.1` }));
  time.now = before;
}

/** A person whose personal workspace has a link with clicks in the week from 16 November. */
async function reader(): Promise<{ person: PersonalAccount; link: string }> {
  const person = await account("pro");
  const { id } = await as(person).links.create({ url: "https://example.com/" });
  await click(id, "2026-11-18");
  return { person, link: id };
}

/** The question that a path of the console stands for. */
function questionOf(path: string) {
  const query = Object.fromEntries(new URL(path, "https://app.example.com").searchParams);
  const { workspace = "", tag, link_id, ...window } = query;
  return {
    workspace,
    question: {
      ...window,
      ...(tag && { tag: JSON.parse(tag) as string[] }),
      ...(link_id && { link_id: JSON.parse(link_id) as string[] }),
    },
  };
}

describe("a report", () => {
  it("has the numbers that the API answers under the filters of its links", async () => {
    const person = await account("pro");
    const other = await account("pro");
    await addMember(core, other.id, person.id, "admin");
    const links: string[] = [];
    for (const [at, owner] of [person, person, person, other].entries()) {
      const tags = at < 2 ? ["!Launch"] : [];
      const { id } = await as(owner).links.create({
        url: `https://example.com/${at}`,
        title: `Link ${at}`,
        tags,
      });
      links.push(id);
      await click(id, "2026-11-10", [6, 1, 0, 2][at]);
      await click(id, "2026-11-16", [3, 4, 1, 1][at], "00:00");
      await click(id, "2026-11-22", [2, 2, 1, 0][at], "22:59");
      // Already Monday in Berlin
      await click(id, "2026-11-22", 1, "23:00");
    }
    await as(person).links.delete({ id: links[2] as string });
    for (const [at, status] of ["broken", "unreachable"].entries())
      await pool.query(
        `insert into link_health (link_id, account_id, host, status, since, checked_at, next_at)
         values ($1, $2, 'example.com', $3, now(), now(), now() + interval '1 day')
         on conflict (link_id) do update set status = excluded.status, since = now(), checked_at = now()`,
        [links[at], person.id, status],
      );
    await as(other).alerts.create({ kind: "surge", name: "Surge", link_id: links[3] });
    await pool.query("update alerts set fired_at = '2026-11-19' where account_id = $1", [other.id]);
    const [tag] = await as(person).tags.list();
    await as(person).preferences.update({
      reports: { frequency: "weekly", workspaces: [person.id, other.id], tags: [tag?.id ?? ""] },
      time_zone: "Europe/Berlin",
    });

    const report = (await reportsAt(monday)).get(person.email);
    expect(report).toMatchObject({ frequency: "weekly", from: "2026-11-16", to: "2026-11-22" });
    expect(report?.sections.map(({ name, tag: of, clicks }) => [name, of, clicks])).toEqual([
      [person.name, null, 13],
      [person.name, "!Launch", 11],
      [other.name, null, 1],
    ]);
    const overview = async (path: string) => {
      const { workspace, question } = questionOf(path);
      return as(workspace === person.id ? person : other).analytics.overview({ ...question, compare: true });
    };
    for (const section of report?.sections ?? []) {
      const answer = await overview(section.path);
      expect([section.clicks, section.change]).toEqual([answer.clicks, answer.change?.clicks ?? null]);
      for (const { kind, lines } of section.lists) {
        if (kind === "best")
          expect(lines.map(({ count }) => count)).toEqual(answer.top_links.map((link) => link.clicks));
        for (const { name, count, before, path } of lines) {
          if (name !== null && count !== undefined) expect((await overview(path)).clicks).toBe(count);
          if (before !== undefined) expect((await overview(path)).previous?.clicks).toBe(before);
          const { question } = questionOf(path);
          if (name === null) expect((await as(person).links.list(question)).meta.total).toBe(count);
        }
      }
    }
    const [own, , theirs] = report?.sections ?? [];
    const namesIn = (section: typeof own) =>
      section?.lists.map(({ kind, lines }) => [kind, ...lines.map(({ name }) => name)]);
    expect(namesIn(own)).toEqual([
      ["best", "Link 1", "Link 0", "Link 2"],
      ["rising", "Link 1", "Link 2"],
      ["broken", null, "Link 0"],
      ["unreachable", null, "Link 1"],
    ]);
    expect(namesIn(theirs)).toEqual([
      ["best", "Link 3"],
      ["fired", "Surge"],
    ]);

    expect(await core.mails.sendDue()).toBe(1);
    const [mail] = server.received;
    expect(mail?.source).toMatch(/List-Unsubscribe-Post: List-Unsubscribe=One-Click/);
    expect(mail?.subject).toBe(
      `The week from 16 November 2026 to 22 November 2026: ${person.name}, ${other.name}`,
    );
    expect(mail?.text).toContain(`  Clicks: 13 (+86%)\n    https://app.example.com${own?.path}`);
    expect(mail?.text).toContain("  Link 1: 6 (before: 1)");
  });

  it("knows what a rising link had before, though a hundred others had more", async () => {
    const person = await account("pro");
    const ids: string[] = [];
    for (let n = 0; n < 101; n++)
      ids.push((await as(person).links.create({ url: `https://example.com/${n}` })).id);
    const [star = "", ...rest] = ids;
    for (const link of rest) await click(link, "2026-11-10", 2);
    await click(star, "2026-11-10");
    await click(star, "2026-11-18", 9);
    await weekly(person);
    const [section] = (await reportsAt(monday)).get(person.email)?.sections ?? [];
    expect(section?.lists.find(({ kind }) => kind === "rising")?.lines).toMatchObject([
      { count: 9, before: 1 },
    ]);
  });

  it("of a month is in the person's language, and none comes about nothing", async () => {
    const { person, link } = await reader();
    const quiet = await account("pro");
    await pool.query("update workspaces set language = 'de' where id = $1", [person.id]);
    await click(link, "2026-11-30", 4);
    for (const each of [person, quiet])
      await as(each).preferences.update({ reports: { frequency: "monthly" } });
    expect((await reportsAt("2026-12-01T07:59:00Z")).size).toBe(0);
    expect([...(await reportsAt("2026-12-01T08:00:00Z")).keys()]).toEqual([person.email]);
    await core.mails.sendDue();
    expect(server.received[0]?.subject).toBe(
      `Der Monat vom 1. November 2026 bis 30. November 2026: ${person.name}`,
    );
    expect(server.received[0]?.text).toContain("Klicks: 5");
  });

  it("of a week in which summer time ends begins and ends at midnight there", async () => {
    time.now = new Date("2026-10-18T00:00:00Z");
    const person = await account("pro");
    const { id } = await as(person).links.create({ url: "https://example.com/" });
    await click(id, "2026-10-18", 1, "21:30");
    await click(id, "2026-10-18", 2, "22:30");
    await click(id, "2026-10-25", 4, "22:30");
    await click(id, "2026-10-25", 8, "23:30");
    await as(person).preferences.update({ reports: { frequency: "weekly" }, time_zone: "Europe/Berlin" });
    await reportsAt("2026-10-19T06:00:00Z");
    expect((await reportsAt("2026-10-26T06:59:00Z")).size).toBe(0);
    const [section] = (await reportsAt("2026-10-26T07:00:00Z")).get(person.email)?.sections ?? [];
    expect(section?.clicks).toBe(6);
    const { question } = questionOf(section?.path ?? "");
    expect(await as(person).analytics.overview(question)).toMatchObject({
      clicks: 6,
      timezone: "Europe/Berlin",
    });
  });
});

describe("a period", () => {
  it("is reported once, over nodes, and restarts, and whatever its person changes", async () => {
    const { person } = await reader();
    await weekly(person);
    expect((await reportsAt("2026-11-23T07:59:59Z")).size).toBe(0);
    expect((await reportsAt(monday)).size).toBe(1);
    expect((await reportsAt("2026-11-23T09:00:00Z")).size).toBe(0);
    await as(person).preferences.update({ time_zone: "America/New_York" });
    await as(person).preferences.update({ reports: { frequency: "never" } });
    await weekly(person);
    expect((await reportsAt("2026-11-23T15:00:00Z")).size).toBe(0);
    // As if a node had died between the commit and its answer.
    await pool.query("update preferences set report_at = $1", [monday]);
    expect((await reportsAt("2026-11-24T15:00:00Z")).size).toBe(0);
  });

  it("is the last one after an outage, and those before it are not made up for", async () => {
    const { person, link } = await reader();
    await click(link, "2026-12-10", 3);
    await weekly(person);
    const reports = await reportsAt("2026-12-16T12:00:00Z");
    expect(reports.get(person.email)).toMatchObject({ from: "2026-12-07", sections: [{ clicks: 3 }] });
    expect((await reportsAt("2026-12-17T12:00:00Z")).size).toBe(0);
  });

  it("of many people is reported to each once by two nodes", async () => {
    const { person: owner } = await reader();
    const people: PersonalAccount[] = [];
    for (let n = 0; n < 30; n++) {
      const member = await account();
      await addMember(core, owner.id, member.id, "viewer");
      await weekly(member, { workspaces: [owner.id] });
      people.push(member);
    }
    const reports = await reportsAt(monday);
    expect(new Set(reports.keys())).toEqual(new Set(people.map(({ email }) => email)));
    expect(await core.mails.sendDue()).toBe(30);
  });

  it("stays due while its numbers cannot be read", async () => {
    const { person } = await reader();
    await weekly(person);
    await pool.query("alter table link_health rename to link_health_away");
    const { size } = await reportsAt(monday);
    await pool.query("alter table link_health_away rename to link_health");
    expect(size).toBe(0);
    expect((await reportsAt("2026-11-23T08:05:00Z")).size).toBe(0);
    expect((await reportsAt("2026-11-23T08:11:00Z")).size).toBe(1);
  });

  it("is reported hours later without what still cannot be read", async () => {
    const { person } = await reader();
    await weekly(person);
    await pool.query("alter table link_health rename to link_health_away");
    const report = (await reportsAt("2026-11-23T14:00:01Z")).get(person.email);
    await pool.query("alter table link_health_away rename to link_health");
    expect(report?.sections).toMatchObject([{ clicks: null, lists: [] }]);
    await core.mails.sendDue();
    expect(server.received[0]?.text).toContain("Clicks: could not be counted");
  });
});

describe("no report", () => {
  it.each([
    ["without a verified address", "update workspaces set email_verified = false where id = $1"],
    ["to a person who is suspended", "update workspaces set suspended_at = now() where id = $1"],
    ["to a person who leaves", "update workspaces set deletes_at = now() + interval '7 days' where id = $1"],
    ["about a workspace on a plan without analytics", "update workspaces set plan = 'free' where id = $1"],
    [
      "to a person whom the company has deactivated",
      `insert into scim_users (id, account_id, user_id, user_name, email, attributes, active, made_person, created_at, updated_at)
       values (gen_random_uuid(), $1, $1, $1::uuid::text, '', '{}', false, true, now(), now())`,
    ],
  ])("%s", async (_name, statement) => {
    const { person } = await reader();
    await weekly(person);
    await pool.query(statement, [person.id]);
    expect((await reportsAt(monday)).size).toBe(0);
  });

  it("about a workspace that the person has left, also if it waits to be sent; alerts only to those who may see them", async () => {
    const { person: owner } = await reader();
    const { person } = await reader();
    await as(owner).alerts.create({ kind: "silence", hours: 24, name: "Quiet" });
    await pool.query("update alerts set fired_at = '2026-11-19' where account_id = $1", [owner.id]);
    await addMember(core, owner.id, person.id, "viewer");
    await weekly(person, { workspaces: [owner.id, person.id] });
    const sections = (await reportsAt(monday)).get(person.email)?.sections;
    expect(sections?.map(({ workspace, lists }) => [workspace, lists.length])).toEqual([
      [person.id, 1],
      [owner.id, 1],
    ]);
    await pool.query("delete from members where workspace_id = $1 and user_id = $2", [owner.id, person.id]);
    await core.mails.sendDue();
    expect(server.received).toHaveLength(1);
    expect(server.received[0]?.text).not.toContain(owner.name);
    const next = (await reportsAt("2026-11-30T08:00:00Z")).get(person.email);
    expect(next?.sections.map(({ workspace }) => workspace)).toEqual([person.id]);
    expect((await as(person).preferences.get()).reports.workspaces).toEqual([person.id]);

    await addMember(core, owner.id, person.id, "admin");
    time.now = new Date("2026-12-01T00:00:00Z");
    await weekly(person, { workspaces: [owner.id] });
    await pool.query("update alerts set fired_at = '2026-12-03' where account_id = $1", [owner.id]);
    const [asAdmin] = (await reportsAt("2026-12-07T08:00:00Z")).get(person.email)?.sections ?? [];
    expect(asAdmin?.lists.map(({ kind }) => kind)).toEqual(["fired"]);
  });

  it("after one click on unsubscribe, until they are switched on again", async () => {
    const { person, link } = await reader();
    await click(link, "2026-11-25");
    await click(link, "2026-12-02");
    await weekly(person);
    await reportsAt(monday);
    await core.mails.sendDue();
    const [, token = ""] = /\/mail\/unsubscribe\?token=(\S+)/.exec(server.received[0]?.text ?? "") ?? [];
    expect(await core.mails.unsubscribe(token)).toBe("reports");
    expect((await as(person).preferences.get()).reports.frequency).toBe("never");
    expect((await reportsAt("2026-11-30T08:00:00Z")).size).toBe(0);
    expect(await weekly(person)).toMatchObject({ reports: { frequency: "weekly", workspaces: [person.id] } });
    expect((await reportsAt("2026-12-07T08:00:00Z")).size).toBe(1);
  });
});

it("notices are switched off and on by themselves", async () => {
  const { person } = await reader();
  expect(await as(person).preferences.get()).toEqual({
    reports: { frequency: "never", workspaces: [], tags: [] },
    notices: true,
    time_zone: null,
  });
  expect(await as(person).preferences.update({ notices: false })).toMatchObject({ notices: false });
  const { rows } = await pool.query("select topic from mail_opt_outs where account_id = $1", [person.id]);
  expect(rows).toEqual([{ topic: "notices" }]);
  expect(await as(person).preferences.update({ notices: true })).toMatchObject({ notices: true });
});

it("are about what the person can reach; the rest is as if it did not exist", async () => {
  const { person: owner, link } = await reader();
  const { person } = await reader();
  await as(owner).links.update({ id: link, tags: ["secret"] });
  const [tag] = await as(owner).tags.list();
  for (const id of [owner.id, "nonsense", ""])
    await expect(weekly(person, { workspaces: [person.id, id] })).rejects.toThrow("Workspace not found");
  await expect(weekly(person, { tags: [tag?.id] })).rejects.toThrow("Tag not found");
  expect((await as(person).preferences.get()).reports.frequency).toBe("never");
});

it("is about the workspace that the request is for, unless it names others", async () => {
  const { person: owner } = await reader();
  const { person } = await reader();
  await addMember(core, owner.id, person.id, "viewer");
  const { id, name, plan } = owner;
  const inTeam = core.caller({
    kind: "account",
    account: { id, name, plan },
    user: { id: person.id, email: person.email, name: person.name },
    slug: null,
    role: "viewer",
    credential: "session",
  });
  const { reports } = await inTeam.preferences.update({ reports: { frequency: "weekly" } });
  expect(reports).toEqual({ frequency: "weekly", workspaces: [owner.id], tags: [] });
  expect((await as(owner).preferences.get()).reports.frequency).toBe("never");
});

it.skipIf(process.env["TERSE_TEST_CLICKHOUSE"] !== undefined)(
  "a tag whose raw clicks are gone is not counted, and the rest of the report is",
  async () => {
    const { person, link } = await reader();
    await as(person).links.update({ id: link, tags: ["old"] });
    await click(link, "2026-12-30", 2);
    await click(link, "2027-01-02", 3);
    const [tag] = await as(person).tags.list();
    await weekly(person, { workspaces: [person.id], tags: [tag?.id ?? ""] });
    await pool.query("drop table clicks_2026_12; insert into click_months_dropped values ('2026-12-01')");
    const sections = (await reportsAt("2027-01-04T08:00:00Z")).get(person.email)?.sections;
    expect(sections?.map(({ tag: of, clicks }) => [of, clicks])).toEqual([
      [null, 5],
      ["old", null],
    ]);
  },
);
