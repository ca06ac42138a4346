import { accountProcedure } from "./call.ts";
import * as z from "zod";
import { withExportSlot } from "../rpc/export-slot.ts";
import { utcDate } from "../kernel/time.ts";
import { bomField, streamedFile, withByteOrderMark } from "../kernel/validation/files.ts";
import { fieldsOf, oneOf } from "../kernel/validation/inputs.ts";
import { columnsOfFile, contentTypes, exportPieces, formats } from "./export-pieces.ts";
import { linkInFile } from "./link.schema.ts";
import { filterFields, sortField } from "./list.input.ts";

const format = oneOf(formats).meta({ description: "csv is RFC 4180; json is an array" }).default("csv");
const csv = z.string().meta({ examples: [`${columnsOfFile.join()}\r\n`] });

/** Exports the account's links that pass a filter, as `links.list` shows them. */
export const exportLinks = accountProcedure
  .meta({
    scope: "links:read",
    openapi: {
      method: "GET",
      path: "/v1/links/export",
      tags: ["Links"],
      summary: "Export links",
      description: "All links that pass the filters of the list, as of one moment, in its order.",
      successDescription: "The file",
      successContent: { "text/csv": csv, "application/json": z.array(linkInFile) },
    },
  })
  .input(fieldsOf({ format, bom: bomField, ...filterFields, sort: sortField }).prefault({}))
  .output(streamedFile)
  .query(({ ctx, input: { format: name, bom, sort, ...filter } }) => {
    const body = withExportSlot(ctx.deps.pool, ctx.account.id, ({ database }) =>
      exportPieces(database, ctx, { filter, sort }, name),
    );
    return {
      content_type: contentTypes[name],
      file_name: `terse-links-${utcDate(ctx.deps.clock().getTime())}.${name}`,
      disposition: "attachment" as const,
      body: bom && name === "csv" ? withByteOrderMark(body) : body,
    };
  });
