import { bytesPerTag } from "../accounts/storage.ts";
import { allOptionKinds } from "./rules/rules.ts";

/** Bytes of a link besides its texts: its row and its index entries. */
const bytesPerLink = 300;

/** The columns whose length depends on what a client sends. */
const columns = [
  "slug",
  "destination",
  "title",
  "notes",
  "qr",
  ...allOptionKinds.map(({ column }) => column),
];

/** The bytes that a link takes; its columns as they are stored, or as the ORM reads them, and its `tags`. */
export function bytesOf(link: object): number {
  const values = link as Readonly<Record<string, unknown>>;
  const tags = Array.isArray(values["tags"]) ? values["tags"].length : 0;
  return columns.reduce((sum, column) => sum + lengthOf(values[column]), bytesPerLink + tags * bytesPerTag);
}

function lengthOf(value: unknown): number {
  if (value === null || value === undefined) return 0;
  return Buffer.byteLength(typeof value === "string" ? value : JSON.stringify(value));
}

/** The same in SQL, for a row of links. */
export const bytesInSql = [
  bytesPerLink,
  ...columns.map((column) => `coalesce(octet_length(${column}::text), 0)`),
].join(" + ");
