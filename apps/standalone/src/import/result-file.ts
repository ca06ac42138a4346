import { open, rename, rm, stat } from "node:fs/promises";
import { stringify } from "csv-stringify/sync";
import { reasonOf, UserError } from "@terse/server";

/** One row of the result, in this order of columns. */
export interface ResultRow {
  line: number;
  url: string;
  slug: string;
  status: "created" | "exists" | "rejected";
  short_url: string;
  destination: string;
  reason: string;
}

const columns = ["line", "url", "slug", "status", "short_url", "destination", "reason"] as const;

/** A CSV file that appears under its name when it is complete, or not at all. */
export interface ResultFile {
  write(rows: readonly ResultRow[]): Promise<void>;
  /** Gives the file its name, replacing an earlier one. */
  publish(): Promise<void>;
  /** Removes what was not published. */
  discard(): Promise<void>;
}

/** @throws {UserError} where the file could not be written in the end */
export async function openResultFile(path: string): Promise<ResultFile> {
  const refuse = (reason: string, cause?: unknown) =>
    new UserError(`The result cannot be written to ${path}: ${reason} (choose another place with --result)`, {
      cause,
    });
  const present = await stat(path).catch(() => null);
  if (present && !present.isFile()) throw refuse("there is something that is not a file");
  const partial = `${path}.${process.pid}.partial`;
  const file = await open(partial, "w").catch((error: unknown) => {
    throw refuse(reasonOf(error), error);
  });
  const append = async (rows: readonly (readonly unknown[])[]) => {
    // Rejected URLs are anybody's text, and the file will be opened in a spreadsheet.
    await file.appendFile(stringify(rows as unknown[][], { escape_formulas: true }));
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

/** Stands in where no file is wanted. */
export const noResultFile: ResultFile = {
  write: async () => {},
  publish: async () => {},
  discard: async () => {},
};
