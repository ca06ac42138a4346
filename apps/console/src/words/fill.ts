import type { Forms } from "./grammar.ts";

/** A text with params in braces; or several, of which one is chosen by a param, such as the reason, or by the number in it. */
export type Template = string | (Readonly<Record<string, string>> & Forms);

export type Params = Readonly<Record<string, string | number | boolean | readonly (string | number)[]>>;

/** The params that choose a text. */
const choosing = ["reason", "kind", "resource", "format", "unit", "than", "status", "winner"];

/** Writes a template in a language. `write` says a param as a person reads it. */
export function fill(
  template: Template,
  params: Params,
  locale: string,
  write: (name: string, value: Params[string]) => string,
): string {
  const text = typeof template === "string" ? template : chosen(template, params, locale);
  return text.replaceAll(/\{(\w+)\}/g, (_, name: string) => write(name, params[name] ?? ""));
}

function chosen(texts: Exclude<Template, string>, params: Params, locale: string): string {
  const given = choosing.map((name) => texts[String(params[name])]).find((text) => text !== undefined);
  if (given !== undefined) return given;
  const number = Object.values(params).find((value) => typeof value === "number");
  return (number !== undefined && texts[new Intl.PluralRules(locale).select(number)]) || texts.other;
}
