import { expect, it } from "vitest";
import { readDump, type Row } from "../../src/history/yourls/sql-dump.ts";

/** Reads a dump in pieces of the given length. */
async function rowsIn(sql: string, length: number): Promise<Row[]> {
  async function* pieces() {
    for (let at = 0; at < sql.length; at += length) yield sql.slice(at, at + length);
  }
  const all: Row[] = [];
  for await (const { rows } of readDump(pieces(), ["t"])) all.push(...rows);
  return all;
}

const sql = `-- it's a comment; with a quote
/* INSERT INTO t VALUES (9,'no'); */ /*!40101 SET NAMES utf8mb4 */;
CREATE TABLE \`t\` (
  \`a\` int(11) NOT NULL DEFAULT '1',
  \`b\` text COMMENT 'x;(y)',
  KEY \`b\` (\`b\`(30))
) ENGINE=InnoDB COMMENT='INSERT INTO \`t\` VALUES (8,''no'')';
INSERT INTO \`other\` VALUES (7,'it''s; INSERT INTO t VALUES (7,''no'')');
INSERT INTO \`t\` VALUES (1,'a''b\\'c\\\\'),(-2.5e3,NULL)
 , (3,'\\n\\t\\0\\Z\\%;,)('),(4,_binary 'x'),
 (5,0x68c3a4);
insert  into t (b, a) values ('🎉', 6);# the end`;

it.each([1, 2, 3, 7, 64, 100_000])("reads rows as MySQL does, in pieces of %i characters", async (length) => {
  expect(await rowsIn(sql, length)).toEqual([
    { a: "1", b: "a'b'c\\" },
    { a: "-2.5e3", b: null },
    { a: "3", b: "\n\t\0\u001a%;,)(" },
    { a: "4", b: "x" },
    { a: "5", b: "hä" },
    { a: "6", b: "🎉" },
  ]);
});

it.each([
  ["without quotes", ""],
  ["in ANSI quotes", '"'],
])("reads names %s", async (_, quote) => {
  const q = (name: string) => `${quote}${name}${quote}`;
  const rows = await rowsIn(
    `CREATE TABLE ${q("t")} (
  ${q("keyword")} varchar(9) NOT NULL,
  ${q("b")} text,
  PRIMARY KEY (${q("keyword")}),
  KEY ${q("b")} (${q("b")})
);
REPLACE INTO ${q("t")} VALUES ('one', 1);
INSERT INTO ${q("t")} (${q("b")}, ${q("keyword")}) VALUES (2, 'two');`,
    100,
  );
  expect(rows).toEqual([
    { keyword: "one", b: "1" },
    { keyword: "two", b: "2" },
  ]);
});
