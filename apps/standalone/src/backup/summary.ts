import type { Manifest } from "@terse/core/backup";

/** A backup's contents, as commands print them. */
export const summaryOf = (manifest: Manifest) => ({
  created_at: manifest.created_at,
  program: manifest.program,
  migration: manifest.migrations.at(-1),
  tables: Object.fromEntries(manifest.tables.map(({ name, rows }) => [name, rows])),
  click_count: Number(manifest.click_count),
  clicks_in_log: manifest.segments.reduce((sum, { clicks }) => sum + clicks, 0),
});

/** Seconds since a time of `performance.now()`, to a tenth. */
export const secondsSince = (start: number): number => Math.round((performance.now() - start) / 100) / 10;
