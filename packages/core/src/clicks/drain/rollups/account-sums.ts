import type { PoolClient } from "pg";
import { binaryBytes, sqlArray, sqlColumns } from "../../../db/arrays.ts";
import { packedCodes } from "../../dimensions.ts";
import { PackedSums } from "../../packed/sums.ts";
import type { Batch } from "../prepare/prepare.ts";
import { type AccountPeriod, monthOf } from "./account-period.ts";
import { mergeParts } from "./merge-parts.ts";

/**
 * Clicks of an account by value, for each UTC day and each month. They have any number of parts, which are added up: a large
 * account has a hundred kilobytes for a month, which a batch must not write again. A part grows until it is full. When there are
 * many, or once a day, they are merged into part 0 (`merge-parts.ts`), the only one that can have a head.
 */

/** A part of so many bytes is full. */
const fullBytes = 4096;
const maxParts = 8;

export interface Addition extends AccountPeriod {
  sums: PackedSums;
}

/** What a batch adds, in the order of accounts, periods and days. */
export function accountAdditions({ accounts, days, valueIds }: Batch): Addition[] {
  const dates = new Map(days.map(({ place, date }) => [place, date]));
  return accounts.flatMap((account) => {
    const additions = new Additions();
    for (const day of account.days()) {
      const date = dates.get(day.place) as string;
      const sums = [additions.of(account.id, "day", date), additions.of(account.id, "month", monthOf(date))];
      for (const [value, clicks] of day.values()) {
        const code = packedCodes.get(value.dimension) as number;
        const valueId = valueIds.get(value) as number;
        for (const each of sums) each.value(code, valueId, clicks);
      }
    }
    return additions.sorted().filter(({ sums }) => !sums.isEmpty);
  });
}

/** Sums by account and period. */
export class Additions {
  readonly #byKey = new Map<string, Addition>();

  of(account_id: string, period: AccountPeriod["period"], start: string): PackedSums {
    const key = `${account_id} ${period} ${start}`;
    let addition = this.#byKey.get(key);
    if (addition === undefined)
      this.#byKey.set(key, (addition = { account_id, period, start, sums: new PackedSums() }));
    return addition.sums;
  }

  /** In the same order on every node, so that no two nodes wait for each other's rows. */
  sorted(): Addition[] {
    return [...this.#byKey].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, addition]) => addition);
  }
}

/** Adds to accounts' sums. */
export async function addAccountSums(database: PoolClient, additions: readonly Addition[]): Promise<void> {
  if (additions.length === 0) return;
  const keys = sqlColumns(1, {
    place: ["int", sqlArray(additions.keys().toArray())],
    ...keyColumns(additions),
  });
  const { rows } = await database.query<{ place: number; part: number; packed: Buffer | null }>({
    name: "lock-account-sums",
    text: `select place, part, packed from ${keys.table}, lateral (
             select part, case when octet_length(packed) < ${fullBytes} then packed end as packed from account_sums a
             where a.account_id = t.account_id and a.period = t.period and a.start = t.start and part > 0
             order by part desc limit 1 for no key update
           ) p`,
    values: keys.values,
  });
  const found = new Map(rows.map(({ place, ...last }) => [place, last]));
  const grown: Part[] = [];
  const begun: Part[] = [];
  for (const [place, addition] of additions.entries()) {
    const last = found.get(place);
    if (last?.packed) {
      addition.sums.add(last.packed);
      grown.push({ ...addition, part: last.part });
    } else begun.push({ ...addition, part: (last?.part ?? 0) + 1 });
  }
  if (grown.length > 0) {
    const { table, values } = partColumns(grown);
    await database.query({
      name: "add-to-account-sums",
      text: `update account_sums a set packed = t.packed from ${table}
             where a.account_id = t.account_id and a.period = t.period and a.start = t.start and a.part = t.part`,
      values,
    });
  }
  if (begun.length > 0) {
    const { table, values } = partColumns(begun);
    await database.query({
      name: "add-account-sums",
      text: `insert into account_sums as a (account_id, period, start, part, packed)
             select account_id, period, start, part, packed from ${table}
             on conflict (account_id, period, start, part) do update set packed = a.packed || excluded.packed`,
      values,
    });
  }
  for (const part of begun) if (part.part >= maxParts) await mergeParts(database, part);
}

interface Part extends Addition {
  part: number;
}

const keyColumns = (additions: readonly AccountPeriod[]) =>
  ({
    account_id: ["uuid", sqlArray(additions.map(({ account_id }) => account_id))],
    period: ["text", sqlArray(additions.map(({ period }) => period))],
    start: ["date", sqlArray(additions.map(({ start }) => start))],
  }) as const;

const partColumns = (parts: readonly Part[]) =>
  sqlColumns(1, {
    ...keyColumns(parts),
    part: ["int", sqlArray(parts.map(({ part }) => part))],
    packed: ["bytea", binaryBytes(parts.map(({ sums }) => sums.pack()))],
  });
