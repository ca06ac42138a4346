import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { tempFolder } from "@terse/testkit";
import { parse } from "csv-parse/sync";
import { afterAll, describe, expect, it } from "vitest";
import { openYourls, tablesInFile } from "../../src/history/yourls/source.ts";
import { historyCore, never } from "./helpers.ts";

const { caller, run, linkOf, close } = await historyCore();
afterAll(close);

let count = 0;

/** Imports a dump, and returns what it said, and what became of each link. */
async function imported(bytes: Buffer) {
  const folder = await tempFolder();
  const file = join(folder, `${++count}.sql`);
  await writeFile(file, bytes);
  let said = "";
  const result = join(folder, "result.csv");
  await run(openYourls({ tables: tablesInFile(file, never), prefix: "yourls_" }), {
    say: (text) => (said += text),
    result,
  });
  const rows = parse<Record<string, string>>(await readFile(result, "utf8"), { columns: true });
  return {
    said,
    outcomes: Object.fromEntries(rows.map(({ name, status, reason }) => [name, reason || status])),
  };
}

const columns = "`keyword`, `url`, `title`, `timestamp`, `ip`, `clicks`";
const row = (keyword: string, url = "https://example.com/Größe", title = "Größe") =>
  `('${keyword}','${url}','${title}','2020-01-31 12:00:00','192.0.2.1',0)`;
const insert = (...rows: string[]) =>
  `INSERT INTO \`yourls_url\` (${columns}) VALUES\n${rows.join(",\n")};\n`;
const hex = (text: string, encoding: BufferEncoding) => `0x${Buffer.from(text, encoding).toString("hex")}`;

const own = { destination: "https://example.com/Gr%C3%B6%C3%9Fe", title: "Größe" };
const asLatin = /the file is not UTF-8 and is read as Windows-1252/;

describe("a dump of YOURLS", () => {
  it.each<[string, (keyword: string) => Buffer, RegExp]>([
    [
      "by mysqldump with --default-character-set=latin1",
      (keyword) => Buffer.from(`/*!40101 SET NAMES latin1 */;\n${insert(row(keyword))}`, "latin1"),
      asLatin,
    ],
    ["saved in latin1 by an editor", (keyword) => Buffer.from(insert(row(keyword)), "latin1"), asLatin],
    [
      "written by PowerShell, in UTF-16",
      (keyword) => Buffer.from(`\uFEFF${insert(row(keyword))}`, "utf16le"),
      /^(?!.*encoding)/,
    ],
    [
      "by MariaDB 11.8, of a table without addresses",
      (keyword) =>
        Buffer.from(
          `/*M!999999\\- enable the sandbox mode */ \n-- MariaDB dump 10.19\nCREATE TABLE \`yourls_url\` (\n  \`keyword\` varchar(100) NOT NULL DEFAULT '',\n  \`url\` text NOT NULL,\n  \`title\` text DEFAULT NULL,\n  \`timestamp\` timestamp NOT NULL DEFAULT current_timestamp(),\n  \`clicks\` int(10) unsigned NOT NULL,\n  PRIMARY KEY (\`keyword\`)\n) ENGINE=InnoDB;\nINSERT INTO \`yourls_url\` VALUES\n('${keyword}','https://example.com/Größe','Größe','2020-01-31 12:00:00',0);\n`,
        ),
      /1 link/,
    ],
    [
      "by phpMyAdmin, with keys in statements of their own",
      (keyword) =>
        Buffer.from(
          `SET SQL_MODE = "NO_AUTO_VALUE_ON_ZERO";\nSTART TRANSACTION;\nCREATE TABLE IF NOT EXISTS \`yourls\`.\`yourls_url\` (\r\n  \`keyword\` varchar(200) CHARACTER SET latin1 COLLATE latin1_bin NOT NULL,\r\n  \`url\` text CHARACTER SET latin1 COLLATE latin1_bin NOT NULL,\r\n  \`title\` text CHARACTER SET utf8mb4,\r\n  \`timestamp\` timestamp NOT NULL DEFAULT CURRENT_TIMESTAMP,\r\n  \`ip\` varchar(41) NOT NULL,\r\n  \`clicks\` int(10) UNSIGNED NOT NULL\r\n) ENGINE=MyISAM DEFAULT CHARSET=utf8mb4;\r\nINSERT INTO \`yourls\`.\`yourls_url\` (${columns}) VALUES\r\n${row(keyword)};\r\nALTER TABLE \`yourls_url\`\r\n  ADD PRIMARY KEY (\`keyword\`),\r\n  ADD KEY \`timestamp\` (\`timestamp\`);\r\nCOMMIT;\r\n`,
        ),
      /1 link/,
    ],
    [
      "by Navicat, with hexadecimal URLs and numbers in quotes",
      (keyword) =>
        Buffer.from(
          `DROP TABLE IF EXISTS \`yourls_url\`;\nCREATE TABLE \`yourls_url\`  (\n  \`keyword\` varchar(200) NOT NULL,\n  \`url\` blob NOT NULL,\n  \`title\` text NULL,\n  \`timestamp\` timestamp(0) NOT NULL,\n  \`ip\` varchar(41) NOT NULL,\n  \`clicks\` int(10) UNSIGNED NOT NULL,\n  PRIMARY KEY (\`keyword\`) USING BTREE,\n  INDEX \`ip\`(\`ip\`) USING BTREE\n) ENGINE = InnoDB ROW_FORMAT = Dynamic;\nINSERT INTO \`yourls_url\` VALUES ('${keyword}', ${hex(own.destination, "utf8")}, 'Größe', '2020-01-31 12:00:00', '192.0.2.1', '0');\n`,
        ),
      /1 link/,
    ],
    [
      "with hexadecimal texts of a table in latin1",
      (keyword) =>
        Buffer.from(
          `INSERT INTO \`yourls_url\` (${columns}) VALUES ('${keyword}', ${hex("https://example.com/Größe", "latin1")}, x'${hex("Größe", "latin1").slice(2)}', '2020-01-31 12:00:00', '', 0);\n`,
        ),
      /1 link/,
    ],
  ])("%s is read as it was", async (_, dump, expected) => {
    const keyword = `read-${count}`;
    const { said, outcomes } = await imported(dump(keyword));
    expect(outcomes).toEqual({ [keyword]: "created" });
    expect(said).toMatch(expected);
    expect(await linkOf(keyword)).toMatchObject({ ...own, created_at: "2020-01-31T12:00:00.000Z" });
  });

  it("never brings broken characters: titles lose them, and a broken destination is refused", async () => {
    const half = Buffer.from("ö").subarray(0, 1);
    const whole = insert(
      row("whole"),
      row("half-title", "https://example.com/1", "Größe H@@"),
      row("half-url", "https://example.com/@@"),
    );
    const parts = whole.split("@@").map((part) => Buffer.from(part));
    const { said, outcomes } = await imported(
      Buffer.concat(parts.flatMap((part, at) => (at === 0 ? [part] : [half, part]))),
    );
    expect(said).toMatch(/Broken characters: 2 are not valid UTF-8/);
    expect(outcomes).toEqual({
      whole: "created",
      "half-title": "created",
      "half-url": expect.stringMatching(/^has a broken character/),
    });
    expect(await linkOf("half-title")).toMatchObject({ title: "Größe H" });
    const { data } = await caller.links.list({ limit: 100 });
    expect(JSON.stringify(data)).not.toMatch(/\uFFFD|%EF%BF%BD/);
  });

  it("is not open where a column of a plugin closes a link", async () => {
    const rows = [
      "('col-open','https://example.com/','',0,NULL)",
      "('col-off','https://example.com/','',1,NULL)",
      "('col-ends','https://example.com/','',0,'2020-01-31')",
    ];
    const { outcomes } = await imported(
      Buffer.from(
        `INSERT INTO \`yourls_url\` (\`keyword\`, \`url\`, \`title\`, \`disabled\`, \`expires\`) VALUES ${rows.join(",")};\n`,
      ),
    );
    expect(outcomes).toEqual({
      "col-open": "created",
      "col-off": "disabled: closes or limits the link there, and is not imported",
      "col-ends": "expires: closes or limits the link there, and is not imported",
    });
  });

  it("brings the ends of links that a plugin stores, and refuses what asked for a password or is used up", async () => {
    const day = 86_400;
    const now = Math.floor(Date.UTC(2026, 0, 1) / 1000);
    const { outcomes } = await imported(
      Buffer.from(
        `CREATE TABLE \`yourls_expiry\` (\n  \`keyword\` varchar(200) NOT NULL,\n  \`type\` varchar(5) NOT NULL,\n  \`click\` varchar(5) DEFAULT NULL,\n  \`timestamp\` varchar(20) DEFAULT NULL,\n  \`shelflife\` varchar(20) DEFAULT NULL,\n  \`postexpire\` varchar(200) DEFAULT NULL\n);
INSERT INTO \`yourls_expiry\` VALUES ('ended','clock',NULL,'${now}','${day}','none'),('clicks-left','click','5','${now}',NULL,'https://example.com/after'),('clicks-gone','click','5','${now}',NULL,NULL),('strange','moon',NULL,NULL,NULL,NULL);
INSERT INTO \`yourls_options\` (\`option_id\`, \`option_name\`, \`option_value\`) VALUES (1,'version','1.10'),(2,'matthew_pwprotection','{\\"asks\\":\\"sesame\\"}');
${insert(row("ended"), row("clicks-left").replace(/0\)$/, "2)"), row("clicks-gone").replace(/0\)$/, "5)"), row("strange"), row("asks"), row("plain-one"))}`,
      ),
    );
    expect(outcomes).toEqual({
      ended: "created",
      "clicks-left": "created",
      "clicks-gone": "the link has reached its click limit",
      strange: expect.stringMatching(/unreadable condition/),
      asks: expect.stringMatching(/^it has a password there/),
      "plain-one": "created",
    });
    expect(await linkOf("ended")).toMatchObject({ expires_at: "2026-01-02T00:00:00.000Z" });
    expect(await linkOf("clicks-left")).toMatchObject({
      click_limit: 3,
      fallback_url: "https://example.com/after",
      imported_clicks: 2,
    });
    expect(await linkOf("plain-one")).toMatchObject({ expires_at: null, click_limit: null });
  });
});
