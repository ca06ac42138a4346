import Papa from "papaparse";

/** A file's rows; the first one may be the header. */
export interface Table {
  name: string;
  /** The whole file or text */
  source: File | string;
  rows: string[][];
}

/** More than that is a file of another kind. */
const maxBytes = 100 * 1024 * 1024;

export class TooLarge extends Error {}

/** Reads CSV in pieces, so that the page stays responsive. A worker would need a script that the page's policy refuses. */
export function readTable(source: File | string): Promise<Table> {
  if (typeof source !== "string" && source.size > maxBytes) return Promise.reject(new TooLarge());
  return new Promise((resolve, reject) => {
    const rows: string[][] = [];
    const options = {
      skipEmptyLines: "greedy" as const,
      chunkSize: 256 * 1024,
      chunk: ({ data }: { data: string[][] }) => {
        for (const row of data) rows.push(row);
      },
      complete: () => {
        const name = typeof source === "string" ? "" : source.name;
        resolve({ name, source, rows });
      },
    };
    if (typeof source === "string") Papa.parse<string[]>(source, options);
    else Papa.parse<string[], File>(source, { ...options, error: reject });
  });
}

/** A CSV file that spreadsheets show as it is. */
export const toCsv = (rows: (string | number)[][]): string => Papa.unparse(rows, { escapeFormulae: true });

/** Lets the browser save a text as a file. */
export function save(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/csv" }));
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}
