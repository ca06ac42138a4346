import type { AccountCall } from "./call.ts";
import type { PoolClient } from "pg";
import { csvRow } from "../kernel/csv.ts";
import { sql } from "../db/sql.ts";
import { joinTags } from "./from-file/values.ts";
import { LinkEntity } from "./link.entity.ts";
import { linksSql } from "./links-sql.ts";
import { type Link, linkFieldNames } from "./link.schema.ts";
import { toLinks } from "./link.view.ts";
import { conditionOf, type LinkFilter } from "./list-filter.ts";
import type { Sort } from "./list-names.ts";
import { orderOf } from "./list-order.ts";

export const formats = ["csv", "json"] as const;
export type Format = (typeof formats)[number];

export const contentTypes: Record<Format, string> = {
  csv: "text/csv; charset=utf-8",
  json: "application/json; charset=utf-8",
};

/** Both spellings of the short URL would be one column twice. */
export const columnsOfFile = linkFieldNames.filter((name) => name !== "shortUrl");

/** Few enough that other requests hardly wait for them */
const rowsPerFetch = 500;

/** Yields a file with the account's links that pass a filter, in pieces. */
export async function* exportPieces(
  database: PoolClient,
  ctx: AccountCall,
  { filter, sort }: { filter: LinkFilter; sort: Sort },
  format: Format,
): AsyncGenerator<string, void> {
  const query = await linksSql(ctx, await conditionOf(ctx, filter), { orderBy: orderOf(sort) });
  await database.query(sql`declare exported no scroll cursor for ${query}`);
  let piece = format === "csv" ? `${columnsOfFile.join()}\r\n` : "[";
  for (let isFirst = true; ; ) {
    const { rows } = await database.query<object>(`fetch ${rowsPerFetch} from exported`);
    // A fork each, because an entity manager keeps what it has read.
    const em = ctx.em.fork();
    const links = rows.map((row) => em.map(LinkEntity, row as never));
    for (const link of await toLinks(ctx, links, database)) {
      if (format === "csv") piece += csvRow(columnsOfFile.map((name) => cellOf(name, link[name])));
      else piece += `${isFirst ? "" : ",\n"}${JSON.stringify(link)}`;
      isFirst = false;
    }
    if (rows.length < rowsPerFetch) break;
    yield piece;
    piece = "";
  }
  yield format === "csv" ? piece : `${piece}]\n`;
}

/** Tags are as the import reads them; other lists and objects are JSON, missing values are empty. */
function cellOf(name: keyof Link, value: Link[keyof Link]): string {
  if (value === null) return "";
  if (name === "tags") return joinTags(value as Link["tags"]);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
