import { type Account, createCore } from "@terse/core";
import { median } from "./compare.ts";
import { openDatabase, openPool } from "./database.ts";
import { startHttpService } from "./service.ts";

const people = 500;
const groupSize = 50;
const links = 50_000;
const requests = 40;

/**
 * A company that its directory fills: 500 people and ten groups by SCIM, 50,000 links by an import. Prints what its lists, its
 * switcher and its log take, and the ratio to a workspace of one person with 500 links.
 */
export async function run(): Promise<void> {
  const database = await openDatabase();
  const rateLimits = { enterprise: 1e9 };
  const core = await createCore({ databaseUrl: database.url, shortBase: "http://short.test", rateLimits });
  const { url, stop } = await startHttpService(database.url);
  const owner = await core.accounts.create({ email: "owner@acme.example", plan: "enterprise" });
  const self = { id: owner.id, email: owner.email, name: owner.name };
  const caller = core.caller({
    kind: "account",
    account: owner,
    user: self,
    role: "owner",
    credential: "internal",
  });
  const make = async (name: string): Promise<Account> => {
    const { id, slug } = await caller.workspaces.create({ name });
    await core.workspaces.setPlan(slug, "enterprise");
    return { id, name, plan: "enterprise" };
  };
  const company = await make("Acme");
  const small = await make("Small");
  for (let at = 2; at < 4; at++) await make(`Team ${at}`);
  const keyOf = async ({ id }: Account) => (await core.keys.issue(id)).key;
  const [key, smallKey, ownKey] = [await keyOf(company), await keyOf(small), await keyOf(owner)];

  const { token } = await core.scim.issue(company.id);
  await timed(`${people} people and their groups by SCIM`, () => provision(url, token));
  await timed(`${links.toLocaleString("en")} links by an import`, () =>
    importLinks(url, key, links, core.jobs.run),
  );
  await importLinks(url, smallKey, 500, core.jobs.run);
  // As PostgreSQL does by itself within a minute.
  const pool = openPool(database.url, 1);
  await pool.query("vacuum analyze");
  await pool.end();

  console.log(`\n  ${"p50, p95 and the ratio to one person with 500 links".padEnd(56)}`);
  for (const [what, path] of Object.entries(paths)) {
    // The key of a personal workspace sees all workspaces of its person.
    const companyKey = path === paths["the switcher"] ? ownKey : key;
    const times = { small: [] as number[], company: [] as number[] };
    for (let at = 0; at < requests; at++) {
      times.small.push(await get(url, smallKey, path));
      times.company.push(await get(url, companyKey, path));
    }
    const p95 = times.company.toSorted((a, b) => a - b)[Math.floor(requests * 0.95)] ?? 0;
    const p50 = median(times.company);
    const ratio = p50 / median(times.small);
    console.log(
      `  ${what.padEnd(40)} ${p50.toFixed(1).padStart(7)} ms ${p95.toFixed(1).padStart(7)} ms ${ratio.toFixed(2).padStart(6)}`,
    );
  }
  await stop();
  await core.close();
  await database.close();
}

const paths = {
  "links, the newest hundred": "/v1/links?limit=100",
  "links, a search that finds one": "/v1/links?search=page-499.example",
  "links of people who have left": "/v1/links?created_by=left&limit=100",
  "links of a tag": "/v1/links?tag=team-7&limit=100",
  members: "/v1/members",
  "the switcher": "/v1/workspaces",
  "the log, newest": "/v1/activity?limit=50",
  "the log, a page further down": "/v1/activity?limit=50&page=10",
  "the log, one action": "/v1/activity?action=directory_user_added&limit=50",
};

async function timed(what: string, work: () => Promise<void>): Promise<void> {
  const started = performance.now();
  await work();
  console.log(`  ${what.padEnd(40)} ${((performance.now() - started) / 1000).toFixed(1).padStart(7)} s`);
}

async function send(address: string, token: string, body: string, type: string): Promise<{ id: string }> {
  const answer = await fetch(address, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}`, "Content-Type": type },
    body,
  });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`${address} answered ${answer.status}: ${text}`);
  const { id, data } = JSON.parse(text) as { id: string; data?: { job_id?: string } };
  return { id: data?.job_id ?? id };
}

/** As a directory does: a person a request, then the groups with their members. */
async function provision(url: string, token: string): Promise<void> {
  const post = (path: string, body: object) =>
    send(`${url}/scim/v2/${path}`, token, JSON.stringify(body), "application/scim+json");
  const ids: string[] = [];
  for (let at = 0; at < people; at++) {
    const userName = `person-${at}@acme.example`;
    const { id } = await post("Users", {
      schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
      userName,
      externalId: `e${at}`,
      name: { formatted: `Person ${at}` },
      emails: [{ primary: true, value: userName }],
      active: true,
    });
    ids.push(id);
  }
  for (let from = 0; from < people; from += groupSize)
    await post("Groups", {
      schemas: ["urn:ietf:params:scim:schemas:core:2.0:Group"],
      displayName: `Group ${from / groupSize}`,
      members: ids.slice(from, from + groupSize).map((value) => ({ value })),
    });
}

async function importLinks(
  url: string,
  key: string,
  count: number,
  work: () => Promise<void>,
): Promise<void> {
  const rows = Array.from(
    { length: count },
    (_, at) => `https://page-${at}.example/path,Page ${at},team-${at % 40}`,
  );
  await send(`${url}/v1/imports`, key, `url,title,tags\n${rows.join("\n")}\n`, "text/csv");
  await work();
}

async function get(url: string, key: string, path: string): Promise<number> {
  const started = performance.now();
  const answer = await fetch(url + path, { headers: { Authorization: `Bearer ${key}` } });
  await answer.arrayBuffer();
  if (!answer.ok) throw new Error(`${path} answered ${answer.status}`);
  return performance.now() - started;
}
