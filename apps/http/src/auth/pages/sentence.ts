import type { Failure } from "@terse/core";
import type { Words } from "@terse/server";

/** A sentence for a reader; `isForeign` if there is only an English one for a reader of another language. */
export interface Sentence {
  text: string;
  isForeign?: boolean;
}

/** Why something was refused: from the first issue's code, else in the core's own words. */
export function sentenceOf(words: Words, { issues: [issue], message }: Failure): Sentence {
  const { code = "internal", params = {}, path: [field] = [], message: said = message } = issue ?? {};
  const { problems } = words;
  const cause = code === "forbidden" ? (params["reason"] as keyof typeof problems) : code;
  const known = problems[cause] ?? problems[code];
  if (known) return { text: known(params) };
  const sentence =
    field === "url" ? `The URL ${said}` : said.replace(/^[a-z](?=[a-z]* )/, (letter) => letter.toUpperCase());
  return { text: `${sentence}.`, isForeign: words.language !== "en" };
}
