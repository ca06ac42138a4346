import type { Row } from "./trial.ts";

const heads = ["Fault", "Failed redirects", "Failed creations", "Seconds", "Lost", "Doubled"];

/** The rows as a Markdown table. */
export function markdown(rows: readonly Row[]): string {
  const lines = rows.map((row) => [
    row.fault,
    `${row.failedRedirects} of ${row.redirects + row.failedRedirects}`,
    `${row.failedCreations} of ${row.creations + row.failedCreations}`,
    String(row.seconds),
    String(row.lost),
    String(row.doubled),
  ]);
  const line = (cells: string[]) => `| ${cells.join(" | ")} |`;
  return [line(heads), line(["---", ...heads.slice(1).map(() => "---:")]), ...lines.map(line)].join("\n");
}
