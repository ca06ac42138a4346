import type { Issue } from "@terse/core/browser";
import { stringsNow } from "../words/strings.tsx";
import { sentenceOfAll } from "./sentences.ts";

/** Why one of many things was refused. */
export const reasonOf = ({ error, issues = [] }: Result): string | undefined =>
  error === undefined ? undefined : (sentenceOfAll(issues, stringsNow()) ?? error);
interface Result {
  error?: string | undefined;
  issues?: readonly Issue[] | undefined;
}
