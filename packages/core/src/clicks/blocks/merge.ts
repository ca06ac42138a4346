import { type Clicks, type ColumnName, columnNames } from "./columns.ts";
import type { OwnedClicks } from "./copied-clicks.ts";

/** Puts clicks of the same account and kind together, in the order of their ids. */
export function merged(all: readonly OwnedClicks[]): OwnedClicks[] {
  const byOwner = Map.groupBy(all, ({ account, isBot }) => `${account} ${isBot}`);
  return Array.from(byOwner.values(), (same) => {
    const [first] = same as [OwnedClicks];
    return same.length === 1 ? first : { ...first, clicks: mergedClicks(same.map(({ clicks }) => clicks)) };
  });
}

function mergedClicks(parts: readonly Clicks[]): Clicks {
  const joined = (column: (clicks: Clicks) => Int32Array) =>
    Int32Array.from(parts.flatMap((clicks) => Array.from(column(clicks))));
  const [times, sequences] = [joined((clicks) => clicks.times), joined((clicks) => clicks.sequences)];
  const order = Array.from(times.keys()).toSorted(
    (a, b) =>
      (times[a] as number) - (times[b] as number) || (sequences[a] as number) - (sequences[b] as number),
  );
  return chosenClicks(
    {
      times,
      sequences,
      values: Object.fromEntries(
        columnNames.map((name) => [name, joined(({ values }) => values[name])]),
      ) as Record<ColumnName, Int32Array>,
    },
    order,
  );
}

/** Some clicks, in the order in which they are given. */
export function chosenClicks({ times, sequences, values }: Clicks, chosen: readonly number[]): Clicks {
  const pick = (column: Int32Array) => Int32Array.from(chosen, (at) => column[at] as number);
  return {
    times: pick(times),
    sequences: pick(sequences),
    values: Object.fromEntries(columnNames.map((name) => [name, pick(values[name])])) as Record<
      ColumnName,
      Int32Array
    >,
  };
}
