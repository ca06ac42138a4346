import { decodeFile } from "@terse/importers";

/** The text of a file, or what was pasted, whose name is empty. */
export interface FileText {
  name: string;
  text: string;
}

/** More than that is a file of another kind. */
const maxBytes = 100 * 1024 * 1024;

/** Reads a file's text. Returns why it cannot be read; null if it is too large. */
export async function readText(source: File | string): Promise<FileText | { refusal: string | null }> {
  if (typeof source === "string") return { name: "", text: source };
  if (source.size > maxBytes) return { refusal: null };
  const decoded = decodeFile(new Uint8Array(await source.arrayBuffer()));
  return "refusal" in decoded ? decoded : { name: source.name, text: decoded.text };
}
