import { open, rename, rm, stat } from "node:fs/promises";
import { csvRow } from "@terse/importers/csv";
import { reasonOf, UserError } from "@terse/server";

/** One row of the result. */
export interface ResultRow {
  line: number;
  url: string;
  slug: string;
  status: "created" | "exists" | "rejected";
  short_url: string;
  destination: string;
  reason: string;
}

export const resultColumns = [
  "line",
  "url",
  "slug",
  "status",
  "short_url",
  "destination",
  "reason",
] as const satisfies readonly (keyof ResultRow)[];

/** A CSV file that appears under its name only when it is complete. */
export interface ResultFile<Column extends string> {
  write(rows: readonly Readonly<Record<Column, string | number>>[]): Promise<void>;
  /** Renames the file to its final name, replacing an earlier one. */
  publish(): Promise<void>;
  /** Deletes the unpublished file. */
  discard(): Promise<void>;
}

/** @throws {UserError} if the file cannot be created */
export async function openResultFile<Column extends string>(
  path: string,
  columns: readonly Column[],
): Promise<ResultFile<Column>> {
  const cannotWrite = (reason: string, cause?: unknown) =>
    new UserError(
      `The result cannot be written to ${path}: ${reason} (choose another location with --result)`,
      {
        cause,
      },
    );
  const present = await stat(path).catch(() => null);
  if (present && !present.isFile()) throw cannotWrite("it exists and is not a file");
  const partial = `${path}.${process.pid}.partial`;
  const file = await open(partial, "w").catch((error: unknown) => {
    throw cannotWrite(reasonOf(error), error);
  });
  const append = async (rows: readonly Parameters<typeof csvRow>[0][]) => {
    await file.appendFile(rows.map(csvRow).join(""));
  };
  await append([columns]);

  return {
    write: (rows) => append(rows.map((row) => columns.map((column) => row[column]))),
    async publish() {
      await file.sync();
      await file.close();
      await rename(partial, path);
    },
    async discard() {
      await file.close();
      await rm(partial, { force: true });
    },
  };
}

/** Used without a result file. */
export const noResultFile: ResultFile<never> = {
  write: async () => {},
  publish: async () => {},
  discard: async () => {},
};
