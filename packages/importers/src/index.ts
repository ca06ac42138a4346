/** @terse/importers: reads the link files of every service; pure TypeScript without a dependency. */

export {
  type FieldName,
  fieldNames,
  importSources,
  kindOf,
  maxImportBytes,
  maxImportRows,
  recognize,
} from "./columns.ts";
export { type Decoded, decodeFile } from "./decode.ts";
export { excessOfJson } from "./json-size.ts";
export type { ImportedTotals, ReadRow, SentLink } from "./link-of.ts";
export { type FileOptions, type LinkFile, readFile, type RefusedFile } from "./read-file.ts";
export { joinTags } from "./values.ts";
