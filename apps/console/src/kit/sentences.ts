import type { Issue, StepCode } from "@terse/core/browser";
import type { Strings } from "../words/en.ts";
import { fill, type Params, type Template } from "../words/fill.ts";
import { capital } from "../words/grammar.ts";
import { viewerLocale } from "../words/language.ts";
import type { Translation } from "../words/translation.ts";
import { countryName, formatCount, formatMinute } from "./format/format.ts";

type Texts = Strings & Partial<Translation>;

/** Why something was refused, in the language of the texts. For a code that they do not know, the service's own sentence. */
export const sentenceOf = ({ code, message, params = {} }: Issue, texts: Texts): string =>
  said((texts.refusals as Readonly<Record<string, Template>> | undefined)?.[code], params, texts) ?? message;

/** All that a call was refused for, each with the field that it is about; null if the service's own sentence says it. */
export function sentenceOfAll(issues: readonly Issue[], texts: Texts): string | null {
  if (!texts.refusals || issues.length === 0) return null;
  const sentences = issues.map((issue) => {
    const field = issue.path.filter((step) => typeof step === "string").map((step) => nameOf(step, texts));
    const sentence = sentenceOf(issue, texts);
    return field.length === 0 ? sentence : texts.rules.is(capital(field.join(" › ")), sentence);
  });
  return [...new Set(sentences)].join(" ");
}

/** One step of an explanation. `reason` is the service's own sentence. */
export const stepOf = (
  { code, params = {} }: { code: StepCode; params?: Params | undefined },
  reason: string,
  texts: Texts,
): string => said(texts.steps?.[code], params, texts) ?? reason;

const said = (template: Template | undefined, params: Params, texts: Texts): string | undefined =>
  template && fill(template, params, viewerLocale(), (name, value) => write(name, value, params, texts));

const time = /^\d{4}-\d\d-\d\dT[\d:.]+Z$/;

/** A param as a person reads it. */
function write(name: string, value: Params[string], params: Params, texts: Texts): string {
  if (typeof value === "object")
    return texts.rules.any(value.map((each) => write(name, each, params, texts)));
  if (name === "rule") {
    const number = texts.rules.number(Number(value));
    return params["name"] === undefined ? number : `${number} (${String(params["name"])})`;
  }
  if (typeof value === "number") return formatCount(value);
  const text = String(value);
  if (time.test(text)) return formatMinute(text);
  if (name === "country") return countryName(text);
  if (name === "plan") return capital(text);
  if (name === "condition") return (texts.rules.conditions as Readonly<Record<string, string>>)[text] ?? text;
  return name === "field" || name === "than" ? nameOf(text, texts) : text;
}

const nameOf = (field: string, { history }: Texts): string => history.fields[field] ?? field;
