import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createTestCore } from "@terse/core/testing";
import { createTestDatabase } from "@terse/postgres";
import { tempFolder } from "@terse/testkit";
import { csvRow } from "@terse/importers/csv";
import pg from "pg";
import { expect, it, onTestFinished } from "vitest";
import type { Source } from "../../apps/standalone/src/history/source.ts";
import { openKuttDatabase } from "../../apps/standalone/src/history/kutt/database.ts";
import { openShlink } from "../../apps/standalone/src/history/shlink/source.ts";
import { openYourls, tablesInFile } from "../../apps/standalone/src/history/yourls/source.ts";
import { historyCore, never } from "../../apps/standalone/test/history/helpers.ts";
import { startShlink } from "../../apps/standalone/test/history/shlink-server.ts";

const links = 1000;
const visitsOfLink = 20;
const numbers = Array.from({ length: links }, (_, at) => at);
const url = (at: number) => `https://example.com/${at}`;
const slug = (at: number) => `link-${at}`;
/** Every seventh visit is a bot's. */
const agent = (at: number) =>
  at % 7 === 0
    ? "Googlebot/2.1 (+http://www.google.com/bot.html)"
    : `Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.${at % 50}`;
const timeOf = (at: number) => new Date(Date.UTC(2021, 0, 1) + at * 600_000).toISOString();
/** The clicks that a file says a link had */
const total = (at: number) => at % 10;

interface Figures {
  linksIn: number;
  linksHere: number;
  clicksIn: number;
  people: number;
  bots: number;
  totals: number;
}

/** What an import with clicks did, counted in the database and not by the import. */
async function withClicks(open: (own: Awaited<ReturnType<typeof historyCore>>) => Promise<Source>) {
  const own = await historyCore();
  onTestFinished(own.close);
  const report = await own.run(await open(own));
  expect(await own.core.clicks.rebuild()).toMatchObject({ differences: [] });
  return figuresOf(own.databaseUrl, report.links.found, report.visits.found + report.imported_clicks);
}

/** The same of a file that is imported in the background. */
async function ofFile(content: string): Promise<Figures> {
  const own = await createTestCore();
  onTestFinished(own.close);
  const { imports } = own.core.caller(await own.actor("pro"));
  // Their hosts are not domains of the account.
  await imports.create({ content, domain: "short.test" });
  await own.core.jobs.run();
  return figuresOf(
    own.databaseUrl,
    links,
    numbers.reduce((sum, at) => sum + total(at), 0),
  );
}

async function figuresOf(databaseUrl: string, linksIn: number, clicksIn: number): Promise<Figures> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  const { rows } = await client.query<Omit<Figures, "linksIn" | "clicksIn">>(
    `select count(*)::int as "linksHere", coalesce(sum(click_count), 0)::int as people,
       (select coalesce(sum(bots), 0)::int from link_days) as bots,
       coalesce(sum(imported_clicks), 0)::int as totals from links`,
  );
  await client.end();
  return { linksIn, clicksIn, ...rows[0]! };
}

const shlink = async () => {
  const shortUrls = numbers.map((at) => ({
    shortCode: slug(at),
    longUrl: url(at),
    visits: Array.from({ length: visitsOfLink }, (_, visit) => ({
      referer: "",
      date: timeOf(at * visitsOfLink + visit).replace(".000Z", "+00:00"),
      userAgent: agent(at + visit),
      potentialBot: false,
      visitLocation: null,
    })),
  }));
  return openShlink({ url: (await startShlink(shortUrls)).url, key: "secret", interrupt: never });
};

const yourls = async () => {
  const time = (at: number) => timeOf(at).slice(0, 19).replace("T", " ");
  const insert = (table: string, columns: string, rows: readonly string[]) =>
    `INSERT INTO \`yourls_${table}\` (${columns}) VALUES ${rows.join(",\n")};\n`;
  const clicks = numbers.flatMap((at) =>
    Array.from({ length: visitsOfLink }, (_, visit) => [at * visitsOfLink + visit, at, visit] as const),
  );
  const log = clicks.map(
    ([id, at, visit]) =>
      `(${id + 1},'${time(id)}','${slug(at)}','direct','${agent(at + visit)}','192.0.2.${visit}','DE')`,
  );
  // Five of each were counted while nothing was logged.
  const rows = numbers.map(
    (at) => `('${slug(at)}','${url(at)}','','${time(0)}','192.0.2.1',${visitsOfLink + 5})`,
  );
  const file = join(await tempFolder(), "yourls.sql");
  await writeFile(
    file,
    insert("log", "click_id,click_time,shorturl,referrer,user_agent,ip_address,country_code", log) +
      insert("url", "keyword,url,title,timestamp,ip,clicks", rows),
  );
  return openYourls({ tables: tablesInFile(file, never), prefix: "yourls_" });
};

const kutt = async ({ databaseUrl }: { databaseUrl: string }) => {
  const database = await createTestDatabase(databaseUrl, "template1");
  onTestFinished(database.drop);
  const client = new pg.Client(database.url);
  await client.connect();
  await client.query(
    await readFile(join(import.meta.dirname, "../../apps/standalone/test/history/kutt/database.sql"), "utf8"),
  );
  await client.query(
    `delete from links;
     insert into links (id, address, target, user_id, visit_count)
     select 100 + n, 'link-' || n, 'https://example.com/' || n, 1, n % 10 from generate_series(0, ${links - 1}) n`,
  );
  await client.end();
  return openKuttDatabase({ url: database.url, user: "ada@example.com", interrupt: never });
};

const table = (row: (at: number) => Record<string, string | number>) =>
  [Object.keys(row(0)), ...numbers.map((at) => Object.values(row(at)))].map(csvRow).join("");

/** Files as these services write them. */
const files: Record<string, string> = {
  Bitly: table((at) => ({
    long_url: url(at),
    link: `https://bit.ly/${slug(at)}`,
    title: "",
    created_at: timeOf(at),
  })),
  Dub: table((at) => ({
    "Short link": `https://dub.sh/${slug(at)}`,
    "Destination URL": url(at),
    Clicks: total(at),
    "Created at": timeOf(at),
    "Link ID": at,
    Tags: "one, two",
  })),
  Kutt: JSON.stringify({
    data: numbers.map((at) => ({
      address: slug(at),
      target: url(at),
      visit_count: total(at),
      created_at: timeOf(at),
    })),
    total: links,
  }),
  Rebrandly: JSON.stringify(
    numbers.map((at) => ({
      slashtag: slug(at),
      destination: url(at),
      clicks: total(at),
      createdAt: timeOf(at),
    })),
  ),
  Shlink: table((at) => ({
    createdAt: timeOf(at),
    domain: "s.test",
    shortCode: slug(at),
    shortUrl: `https://s.test/${slug(at)}`,
    longUrl: url(at),
    title: "",
    tags: "one|two",
    visits: total(at),
  })),
  "Short.io": table((at) => ({ originalURL: url(at), path: slug(at), title: "", createdAt: timeOf(at) })),
  Sink: JSON.stringify({
    links: numbers.map((at) => ({
      id: `x${at}`,
      slug: slug(at),
      url: url(at),
      createdAt: 1_600_000_000 + at,
    })),
  }),
  Terse: table((at) => ({
    slug: slug(at),
    destination: url(at),
    click_count: total(at),
    imported_clicks: 0,
  })),
  YOURLS: table((at) => ({
    keyword: slug(at),
    url: url(at),
    title: "",
    timestamp: timeOf(at),
    ip: "",
    clicks: total(at),
  })),
};
/** Their files say nothing of clicks. */
const withoutClicks = new Set(["Bitly", "Short.io", "Sink"]);

it("as many links and clicks come out of an import as went in", {
  timeout: 300_000,
}, async () => {
  const rows: [string, Figures][] = [
    ["Shlink, REST API", await withClicks(shlink)],
    ["YOURLS, dump of its database", await withClicks(yourls)],
    ["Kutt, database", await withClicks(kutt)],
  ];
  for (const [from, content] of Object.entries(files)) {
    const figures = await ofFile(content);
    rows.push([`${from}, file`, withoutClicks.has(from) ? { ...figures, clicksIn: 0 } : figures]);
  }
  for (const [from, { linksIn, linksHere, clicksIn, people, bots, totals }] of rows) {
    expect([from, linksHere]).toEqual([from, linksIn]);
    expect([from, people + bots + totals]).toEqual([from, clicksIn]);
  }
});
