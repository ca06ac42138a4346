import { type AccountCall, accountProcedure } from "./call.ts";
import { withExportSlot } from "../rpc/export-slot.ts";
import { utcDate } from "../kernel/time.ts";
import { bomField, streamedFile, withByteOrderMark } from "../kernel/validation/files.ts";
import { fieldsOf, oneOf } from "../kernel/validation/inputs.ts";
import { type Link, linkFieldNames, linkInFile } from "./link.schema.ts";
import { filterFields, sortField } from "./list/list.schema.ts";
import { sql } from "../db/sql.ts";
import { joinTags } from "@terse/importers";
import { csvRow } from "@terse/importers/csv";
import { LinkEntity, toLinks } from "./link.row.ts";
import { linksSql, orderOf } from "./list/links-sql.ts";
import { conditionOf, type LinkFilter } from "./list/filter.ts";
import type { Sort } from "./list/names.ts";
import * as z from "zod";
import type { PoolClient } from "pg";

const formats = ["csv", "json"] as const;
type Format = (typeof formats)[number];
const contentTypes: Record<Format, string> = {
  csv: "text/csv; charset=utf-8",
  json: "application/json; charset=utf-8",
};

/** Both spellings of the short URL would be one column twice. */
const columnsOfFile = linkFieldNames.filter((name) => name !== "shortUrl");

const formatInput = oneOf(formats).meta({ description: "csv is RFC 4180; json is an array" }).default("csv");
const csv = z.string().meta({ examples: [`${columnsOfFile.join()}\r\n`] });

/** Exports the account's links that pass a filter, as `links.list` shows them. */
export const exportLinks = accountProcedure
  .meta({
    scope: "links:read",
    route: "GET /v1/links/export",
    tag: "Links",
    summary: "Export links",
    description: "All links that match the filters of the list, as of one moment, in the same order.",
    successDescription: "The file",
    successContent: { "text/csv": csv, "application/json": z.array(linkInFile) },
  })
  .input(fieldsOf({ format: formatInput, bom: bomField, ...filterFields, sort: sortField }).prefault({}))
  .output(streamedFile)
  .query(({ ctx, input: { format: name, bom, sort, ...filter } }) => {
    const body = withExportSlot(ctx.deps.pool, ctx.account.id, ({ database }) =>
      exportChunks(database, ctx, { filter, sort }, name),
    );
    return {
      content_type: contentTypes[name],
      file_name: `terse-links-${utcDate(ctx.deps.clock().getTime())}.${name}`,
      disposition: "attachment" as const,
      body: bom && name === "csv" ? withByteOrderMark(body) : body,
    };
  });

/** Few enough that other requests hardly wait for them */
const rowsPerFetch = 500;

/** Yields a file with the account's links that pass a filter, in chunks. */
async function* exportChunks(
  database: PoolClient,
  ctx: AccountCall,
  { filter, sort }: { filter: LinkFilter; sort: Sort },
  format: Format,
): AsyncGenerator<string, void> {
  const query = await linksSql(ctx, await conditionOf(ctx, filter), { orderBy: orderOf(sort) });
  await database.query(sql`declare exported no scroll cursor for ${query}`);
  let chunk = format === "csv" ? `${columnsOfFile.join()}\r\n` : "[";
  for (let isFirst = true; ; ) {
    const { rows } = await database.query<object>(`fetch ${rowsPerFetch} from exported`);
    // A fork each, because an entity manager keeps what it has read.
    const em = ctx.em.fork();
    const links = rows.map((row) => em.map(LinkEntity, row as never));
    for (const link of await toLinks(ctx, links, database)) {
      if (format === "csv") chunk += csvRow(columnsOfFile.map((name) => cellOf(name, link[name])));
      else chunk += `${isFirst ? "" : ",\n"}${JSON.stringify(link)}`;
      isFirst = false;
    }
    if (rows.length < rowsPerFetch) break;
    yield chunk;
    chunk = "";
  }
  yield format === "csv" ? chunk : `${chunk}]\n`;
}

/** Tags are as the import reads them, a maker is their name; other lists and objects are JSON, missing values are empty. */
function cellOf(name: keyof Link, value: Link[keyof Link]): string {
  if (value === null) return "";
  if (name === "tags") return joinTags(value as Link["tags"]);
  if (name === "created_by") return (value as NonNullable<Link["created_by"]>).name;
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}
