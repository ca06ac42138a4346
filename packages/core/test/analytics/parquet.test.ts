import { parquetMetadata, parquetReadObjects } from "hyparquet";
import { afterAll, beforeAll, expect, it } from "vitest";
import { ParquetFile } from "../../src/analytics/parquet/parquet-file.ts";
import { parquetPieces } from "../../src/analytics/parquet/parquet-pieces.ts";
import { firstIdAt } from "../../src/clicks/click-id.ts";
import { inSnapshot } from "../../src/db/connection.ts";
import type { FileReply } from "../../src/index.ts";
import { createTestCore } from "../../src/testing.ts";
import { packClicks } from "../clicks/blocks/helpers.ts";
import { clickOn, depsOf } from "../helpers.ts";

const now = Date.parse("2026-11-21T12:00:00Z");
const { core, actor, close } = await createTestCore({ clock: () => new Date(now) });
afterAll(close);
const { pool } = depsOf(core);
const owner = await actor("pro");
const { analytics, links } = core.caller(owner);
const count = 3000;
const day = 86_400_000;

beforeAll(async () => {
  const { id } = await links.create({ url: "https://example.com/ü" });
  const visit = { time: now - day, country: "DE", campaign: "utm_source=Ü & b\n", variant: 0 };
  await core.clicks.record(clickOn(id, { ...visit, referrer: "https://news.example/" }));
  await core.clicks.record(clickOn(id, { time: now - 12 * day }));
  // Copies of both, at other times.
  await pool.query(
    `insert into clicks (id, link_id, account_number, client_id, referrer_id, campaign_id, variant, is_bot, is_unique)
     select c.id - n * $1::bigint, link_id, account_number, client_id, referrer_id, campaign_id, variant, false, n % 3 = 0
     from clicks c, generate_series(1, $2) n`,
    [String(firstIdAt(60_000)), count / 2 - 1],
  );
  await packClicks(core, now - 10 * day);
});

async function bytesOf(pieces: AsyncIterable<string>): Promise<ArrayBuffer> {
  const bytes: Buffer[] = [];
  for await (const piece of pieces) bytes.push(Buffer.from(piece, "base64"));
  return new Uint8Array(Buffer.concat(bytes)).buffer;
}

async function exported(question: object): Promise<ArrayBuffer> {
  const file = (await analytics.export({ format: "parquet", ...question })) as FileReply<
    AsyncIterable<string>
  >;
  expect(file).toMatchObject({ content_type: "application/vnd.apache.parquet", encoding: "base64" });
  return bytesOf(file.body);
}

async function jsonOf(question: object): Promise<Record<string, unknown>[]> {
  let text = "";
  for await (const piece of (await analytics.export({ format: "json", ...question })).body) text += piece;
  return JSON.parse(text) as Record<string, unknown>[];
}

const asJson = (rows: readonly Record<string, unknown>[]) =>
  rows.map((row) => ({ ...row, timestamp: (row["timestamp"] as Date).toISOString() }));

it("an export as Parquet has the rows and columns of the one as JSON", async () => {
  const question = { period: "30d" };
  const file = await exported(question);
  const expected = await jsonOf(question);
  expect(expected).toHaveLength(count);
  expect(asJson(await parquetReadObjects({ file }))).toEqual(expected);
  const { schema } = parquetMetadata(file);
  expect(schema.slice(1).map(({ name }) => name)).toEqual(Object.keys(expected[0] ?? {}));
  expect(schema[1]).toMatchObject({
    type: "INT64",
    logical_type: { type: "TIMESTAMP", isAdjustedToUTC: true },
  });
});

it("an export as Parquet has what a filter selects, which may be nothing", async () => {
  const some = { from: "2026-11-20T10:00:00Z", to: "2026-11-20T12:30:00Z", country: "DE" };
  expect(asJson(await parquetReadObjects({ file: await exported(some) }))).toEqual(await jsonOf(some));
  const none = await exported({ ...some, country: "FR" });
  expect(await parquetReadObjects({ file: none })).toEqual([]);
});

it("a Parquet file that was cut off goes on where it was, with the next group of rows", async () => {
  const file = new ParquetFile();
  const asked = {
    accountId: owner.account.id,
    window: { from: now - 30 * day, to: now },
    filters: [],
    copy: null,
    position: { after: null },
  };
  const pieces: string[] = [];
  const read = (most: number) =>
    inSnapshot(pool, async (database) => {
      for await (const piece of parquetPieces(database, depsOf(core).shortHost, file, asked, 1000))
        if (pieces.push(piece) === most) break;
    });
  await read(1);
  await read(Number.POSITIVE_INFINITY);
  await file.close();
  const whole = async function* () {
    yield* pieces;
  };
  const bytes = await bytesOf(whole());
  expect(parquetMetadata(bytes).row_groups.map(({ num_rows }) => num_rows)).toEqual([1000n, 1000n, 1000n]);
  expect(asJson(await parquetReadObjects({ file: bytes }))).toEqual(await jsonOf({ period: "30d" }));
});
