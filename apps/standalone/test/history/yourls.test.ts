import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempFolder } from "@terse/testkit";
import { afterAll, describe, expect, it } from "vitest";
import { openYourls, tablesInFile } from "../../src/history/yourls/source.ts";
import { historyCore, never, sumOf } from "./helpers.ts";

const { core, caller, run, linkOf, close } = await historyCore();
afterAll(close);

/** Made from a database of YOURLS 1.10.5 by mariadb-dump 10.11, with its defaults and with other options. */
const dump = (name: string) => join(import.meta.dirname, "yourls", `${name}.sql`);
const open = (file: string) => openYourls({ tables: tablesInFile(file, never), prefix: "yourls_" });

describe("an import from YOURLS", () => {
  it("creates the links and counts every logged click under its own date", async () => {
    let said = "";
    const report = await run(open(dump("extended")), { say: (text) => (said += text) });
    expect(said).toContain("12 links and 53 visits");
    expect(said).toContain("1 click in the log whose link YOURLS no longer has");
    expect(report).toMatchObject({
      source: "yourls",
      links: { found: 12, created: 11, exists: 0, refused: 1 },
      visits: {
        found: 53,
        before: 0,
        lost: {
          "of links that were refused": 2,
          "whose link YOURLS no longer has": 1,
          "with an impossible time": 1,
        },
      },
      // Of 2024, whose log was emptied in part.
      imported_clicks: 3,
    });
    expect(sumOf(report.visits)).toBe(53);
    expect(await linkOf("umlaut")).toMatchObject({
      destination: "https://example.com/%C3%BC?q=%27%3B--",
      title: expect.stringMatching(/^Größe 🎉 -- not a comment/),
      created_at: "2015-02-28T12:34:56.000Z",
    });
    expect(await linkOf("2024")).toMatchObject({ imported_clicks: 3 });
    const { id } = await linkOf("longer");
    const { countries, browsers, referrers, bots } = await caller.analytics.link({ id, period: "all" });
    expect({ countries, browsers, referrers, bots }).toEqual({
      bots: 2,
      browsers: [
        { browser: "Chrome", clicks: 3 },
        { browser: "Firefox", clicks: 1 },
        { browser: "unknown", clicks: 1 },
      ],
      countries: [
        { country: "US", clicks: 2 },
        { country: "unknown", clicks: 2 },
        { country: "JP", clicks: 1 },
      ],
      referrers: [
        { referrer: "(direct)", clicks: 3 },
        { referrer: "facebook.com", clicks: 1 },
        { referrer: "google.com", clicks: 1 },
      ],
    });
    expect(await core.clicks.rebuild()).toMatchObject({ differences: [] });
  });

  it("reads other options of mysqldump, adds nothing twice, and what is new", async () => {
    const first = await run(open(dump("single-rows")));
    expect(first).toMatchObject({
      links: { created: 0, exists: 11 },
      visits: { found: 53, clicks: 0, bots: 0 },
    });
    const sql = await readFile(dump("single-rows"), "utf8");
    const file = join(await tempFolder(), "more.sql");
    const row = `(58,'2020-01-01 00:00:00','home','direct','Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0','192.0.2.1','DE')`;
    await writeFile(
      file,
      `${sql}\nINSERT INTO \`yourls_log\` (\`click_id\`, \`click_time\`, \`shorturl\`, \`referrer\`, \`user_agent\`, \`ip_address\`, \`country_code\`) VALUES ${row};\n`,
    );
    const before = (await linkOf("home")).click_count;
    expect(await run(open(file))).toMatchObject({ visits: { found: 54, clicks: 1, bots: 0 } });
    expect((await linkOf("home")).click_count).toBe(before + 1);
  });

  it.each([
    ["another file", "CREATE TABLE `wp_posts` (\n  `id` int\n);\n", /has no rows of the table yourls_url/],
    [
      "clicks in another order",
      "INSERT INTO `yourls_log` (click_id,shorturl) VALUES (2,'a'),(1,'a');",
      /--order-by-primary/,
    ],
    ["a file that ends early", "INSERT INTO `yourls_url` (keyword,url) VALUES ('a','b'),('c", /ends within/],
    ["rows without columns", "INSERT INTO `yourls_url` VALUES ('a','b');", /does not name the columns/],
  ])("says what is wrong with %s, and imports nothing", async (_, sql, message) => {
    const file = join(await tempFolder(), "wrong.sql");
    await writeFile(file, sql);
    await expect(run(open(file))).rejects.toThrow(message);
  });
});
