/** Levels of a JSON text; exports have at most about five */
const maxDepth = 64;
/** Objects, lists, and commas between their members: 100,000 links with 20 members each */
const maxValues = 2_000_000;

/**
 * Why a JSON text must not be parsed; null if it may be. It looks at each character once, because what a parser takes for deep or many
 * values is beyond the limit of its thread, and can end the process.
 */
export function excessOfJson(text: string): string | null {
  let depth = 0;
  let values = 0;
  for (let at = 0; at < text.length; at++) {
    switch (text.charCodeAt(at)) {
      case 0x22: // a string, to its end
        for (at++; at < text.length && text.charCodeAt(at) !== 0x22; at++)
          if (text.charCodeAt(at) === 0x5c) at++;
        break;
      case 0x7b: // { and [
      case 0x5b:
        depth += 1;
        values += 1;
        if (depth > maxDepth) return `has more than ${maxDepth} levels of lists and objects`;
        break;
      case 0x7d: // } and ]
      case 0x5d:
        depth -= 1;
        break;
      case 0x2c:
        values += 1;
        break;
    }
    if (values > maxValues)
      return `has more than ${maxValues.toLocaleString("en")} values; send it in smaller parts`;
  }
  return null;
}

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
