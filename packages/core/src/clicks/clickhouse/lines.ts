import type { PoolClient } from "pg";
import { clickColumns, columnNames, none } from "../blocks/columns.ts";
import { idOf } from "../click-id.ts";
import { idsOfValues } from "../packed/values.ts";
import type { ReadBlock } from "../blocks/read-blocks.ts";

/** Clicks as lines of tab-separated values for ClickHouse, in the order of `copiedColumns`. */

/** SQL: a row `c` of `clicks` in this order, without the shipment and with the link's id instead of its number. */
export const copiedRow = ["c.id", "c.account_number", "c.is_bot::int", "c.link_id", ...rest()].join();

function rest(): string[] {
  return columnNames.flatMap((name) =>
    name === "link" ? [] : [`coalesce(c.${clickColumns[name]}::int, ${none})`],
  );
}

/** As many columns as `copiedRow` has */
const columnCount = 3 + columnNames.length;

/** Lines that the trigger of a version before wrote lack the last columns, which are null then. */
export function withAllColumns(lines: string): string {
  const [first = ""] = lines.split("\n", 1);
  const missing = `\t${none}`.repeat(columnCount - first.split("\t").length);
  return missing === "" ? lines : lines.replaceAll("\n", `${missing}\n`) + missing;
}

const uuid = /[0-9a-f]{8}-[0-9a-f-]{27}/g;

/** Lines of rows as ClickHouse gets them. Adds numbers for links that have none. */
export async function linesOf(database: PoolClient, lines: string, shipment: number): Promise<string> {
  const links = new Set(lines.match(uuid));
  const numberOf = await idsOfValues(
    database,
    Array.from(links, (value) => ({ dimension: "link", value })),
  );
  const numbers = new Map(Array.from(links, (link) => [link, String(numberOf("link", link))]));
  return `${lines
    .replaceAll("\n", `\t${shipment}\n`)
    .replace(uuid, (link) => numbers.get(link) as string)}\t${shipment}\n`;
}

/** Clicks of a block as lines without a shipment. */
export function linesOfBlock({
  account,
  isBot,
  head,
  block,
  sequences,
}: ReadBlock & { account: number; isBot: boolean }): string {
  const [times, lower] = [block.times(), sequences()];
  const columns = columnNames.map((name) => block.column(name));
  let lines = "";
  for (let at = 0; at < block.count; at++) {
    lines += `${idOf(head.start + (times[at] as number), lower[at] as number)}\t${account}\t${Number(isBot)}`;
    for (const { places, values } of columns) lines += `\t${values[places[at] as number] as number}`;
    lines += "\t0\n";
  }
  return lines;
}
