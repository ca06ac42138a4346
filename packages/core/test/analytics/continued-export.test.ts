import { parquetReadObjects } from "hyparquet";
import type { PoolClient } from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exportPieces, writers } from "../../src/analytics/exports/rows.ts";
import type { ClickPosition } from "../../src/analytics/exports/clicks-in-order.ts";
import { ParquetFile } from "../../src/analytics/parquet/parquet-file.ts";
import { parquetPieces } from "../../src/analytics/parquet/parquet-pieces.ts";
import { inSnapshot } from "../../src/db/connection.ts";
import { createTestCore } from "../../src/testing.ts";
import { packClicks } from "../clicks/blocks/helpers.ts";
import { sameIdStore } from "../clicks/drain/helpers.ts";
import { clickOn, depsOf, url } from "../helpers.ts";

const now = Date.parse("2026-05-15T12:30:00.000Z");
const { core, actor, close } = await createTestCore({ clock: () => new Date(now) });
afterAll(close);
const deps = depsOf(core);
const owner = await actor("pro");
const { links } = core.caller(owner);
const day = 86_400_000;
const window = { from: now - 30 * day, to: now + 1 };
const moments = 1000;
const countries = ["DE", "DK", "SE"];

beforeAll(async () => {
  const { id } = await links.create({ url: `${url}${"x".repeat(200)}` });
  // Three drains give the same ids to clicks, of which the earlier ones are then in blocks.
  for (const country of countries) {
    const drain = sameIdStore(core);
    const clicks = Array.from({ length: moments }, (_, at) =>
      clickOn(id, { time: now - at * 60_000 * 20, country }),
    );
    await drain.store(await drain.prepare(clicks), null);
  }
  await packClicks(core, now - 7 * day);
});

const fromDatabase = <Result>(read: (database: PoolClient) => Promise<Result>) => inSnapshot(deps.pool, read);

/** The lines of CSV, in any order: clicks with the same id have none. */
const linesOf = (text: string) => text.trimEnd().split("\r\n").toSorted();

const all = { accountId: owner.account.id, window, filters: [], copy: null };

/** A file from a position on, in pieces, and the position after each. */
const csvFrom = (after: ClickPosition | null) =>
  fromDatabase(async (database) => {
    const position = { after };
    const parts: { piece: string; after: ClickPosition | null }[] = [];
    for await (const piece of exportPieces(database, deps.shortHost, writers.csv, { ...all, position }))
      parts.push({ piece, after: position.after });
    return parts;
  });

describe("an export that is cut off and continued has each click once, also those with the same id", () => {
  it("as CSV", async () => {
    const parts = await csvFrom(null);
    expect(parts.length).toBeGreaterThan(5);
    const whole = linesOf(parts.map(({ piece }) => piece).join(""));
    expect(whole).toHaveLength(1 + moments * countries.length);
    let before = "";
    for (const { piece, after } of parts.slice(0, -1)) {
      before += piece;
      const rest = (await csvFrom(after)).map((part) => part.piece).join("");
      expect(linesOf(before + rest)).toEqual(whole);
    }
  });

  it("as Parquet", async () => {
    const file = new ParquetFile();
    const asked = { ...all, position: { after: null } };
    const pieces: string[] = [];
    const read = (most: number) =>
      fromDatabase(async (database) => {
        let count = 0;
        for await (const piece of parquetPieces(database, deps.shortHost, file, asked, 100)) {
          pieces.push(piece);
          if (++count === most) return;
        }
      });
    for (let cut = 0; cut < 10; cut++) await read(1);
    await read(Number.POSITIVE_INFINITY);
    await file.close();
    const bytes = new Uint8Array(Buffer.concat(pieces.map((piece) => Buffer.from(piece, "base64"))));
    const rows = await parquetReadObjects({ file: bytes.buffer });
    const clicks = rows.map(({ timestamp, country }) => `${(timestamp as Date).toISOString()} ${country}`);
    expect(clicks).toHaveLength(moments * countries.length);
    expect(new Set(clicks).size).toBe(clicks.length);
  });
});
