import { excessOfJson } from "@terse/importers";

/** The fields of `{"content": "…", "source": …}`; null if the text is something else; or why it is refused. */
export type Unwrapped = { fields: object | null } | { refusal: string };

/** Characters that the fields beside the content may have */
const maxFieldsLength = 64 * 1024;

/** Whether a text begins like a JSON object with the fields of an import, and not like a file. */
export const looksWrapped = (text: string): boolean =>
  /^\s*\{\s*"(content|source|domain|columns|dry_run)"/.test(text);

/** Reads such an object, which takes as long as its text is. */
export function unwrap(text: string): Unwrapped {
  const excess = excessOfJson(text);
  if (excess !== null) return { refusal: excess };
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch {
    return { fields: null };
  }
  if (typeof sent !== "object" || sent === null || !("content" in sent)) return { fields: null };
  const { content, ...fields } = sent;
  if (JSON.stringify(fields).length > maxFieldsLength)
    return { refusal: `the fields beside it have more than ${maxFieldsLength} characters` };
  return { fields: { ...fields, content: typeof content === "string" ? content : null } };
}
