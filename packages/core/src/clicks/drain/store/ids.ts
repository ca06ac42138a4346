import type { QueryConfig } from "pg";
import { quoted, sqlArray } from "../../../db/sql-array.ts";
import {
  botDimensions,
  campaignColumns,
  campaignTypes,
  clientDimensions,
  placeDimensions,
} from "../../dimensions.ts";
import type { Entry } from "../prepare/dictionary.ts";
import type { Batch } from "../prepare/prepare.ts";

/**
 * A batch refers to rows that were read before its transaction began, and that are gone: the database was replaced by one
 * with older contents, such as a replica that lagged behind, or a salt was deleted meanwhile. Nothing was stored.
 */
export class OutdatedBatchError extends Error {
  constructor() {
    super("Rows that the batch refers to are gone: prepare it again");
  }
}

const maxAttempts = 3;

/** Runs work that prepares batches and stores them; again if one of them was outdated. */
export async function withCurrentBatches<T>(work: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof OutdatedBatchError) || attempt === maxAttempts) throw error;
    }
  }
}

/**
 * Asks whether all rows that a batch refers to by id are there, with the contents that the ids were found for. Ids alone
 * would not do: a replica that lagged gives the ids that it never saw to other values. Answers `[{there}]`.
 */
export function idsAreThere({
  clientIds,
  referrerIds,
  campaignIds,
  botIds,
  placeIds,
  valueIds,
  owners,
  days,
}: Batch): QueryConfig {
  const values: string[] = [];
  const param = (type: string, elements: readonly (string | number)[]) =>
    `$${values.push(sqlArray(elements))}::${type}[]`;
  const found = (table: string, columns: Readonly<Record<string, string>>, count: number) =>
    `(select count(*) from unnest(${Object.values(columns).join()}) as t (${Object.keys(columns).join()})
      join ${table} using (${Object.keys(columns).join()})) = $${values.push(String(count))}::int`;
  const texts = (entries: Iterable<Entry>, at: number, type = "text") =>
    param(
      type,
      Array.from(entries, (entry) => quoted(entry.texts[at] ?? "")),
    );
  const entries = (
    table: string,
    names: readonly string[],
    ids: ReadonlyMap<Entry, number>,
    types: Readonly<Record<string, string>> = {},
  ) => {
    const columns = names.map((name, at) => [name, texts(ids.keys(), at, types[name])] as const);
    return found(table, { id: param("int", [...ids.values()]), ...Object.fromEntries(columns) }, ids.size);
  };
  const checks = [
    entries("click_clients", clientDimensions, clientIds),
    entries("click_campaigns", campaignColumns, campaignIds, campaignTypes),
    entries("click_bots", botDimensions, botIds),
    entries("click_places", placeDimensions, placeIds),
    entries("click_referrers", ["referrer"], referrerIds),
    entries("click_values", ["dimension", "value"], valueIds),
    found(
      "users",
      {
        id: param(
          "uuid",
          owners.map(({ id }) => id),
        ),
        number: param(
          "int",
          owners.map(({ number }) => number),
        ),
      },
      owners.length,
    ),
    found(
      "click_salts",
      {
        day: param(
          "date",
          days.map(({ date }) => date),
        ),
        salt: param(
          "bytea",
          days.map(({ salt }) => quoted(`\\x${salt.toString("hex")}`)),
        ),
      },
      days.length,
    ),
  ];
  return { name: "ids-are-there", text: `select ${checks.join(" and ")} as there`, values };
}
