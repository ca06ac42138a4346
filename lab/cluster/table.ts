import type { Tally } from "./load.ts";
import type { Row } from "./trial.ts";

const heads = [
  "Fault",
  "Failed redirects (cached / uncached)",
  "Slowest redirect, s (cached / uncached)",
  "Failed creations",
  "Seconds",
  "Lost",
  "Doubled",
];

const failed = ({ answered, failed: count }: Tally) => `${count} of ${answered + count}`;
const slowest = ({ slowestMs }: Tally) => (slowestMs / 1000).toFixed(1);

/** What was lost, in words: `0`, or `27 clicks, 1 link` */
export function lostIn({ lostClicks, lostLinks }: Row): string {
  const parts = [
    [lostClicks, "click"],
    [lostLinks, "link"],
  ] as const;
  const lost = parts
    .filter(([count]) => count > 0)
    .map(([count, of]) => `${count} ${of}${count === 1 ? "" : "s"}`);
  return lost.join(", ") || "0";
}

/** The rows as a Markdown table. */
export function markdown(rows: readonly Row[]): string {
  const lines = rows.map((row) => [
    row.fault,
    `${failed(row.cached)} / ${failed(row.uncached)}`,
    `${slowest(row.cached)} / ${slowest(row.uncached)}`,
    failed(row.creations),
    String(row.seconds),
    lostIn(row),
    String(row.doubled),
  ]);
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  return [line(heads), line(["---", ...heads.slice(1).map(() => "---:")]), ...lines.map(line)].join("\n");
}
