/** The locale of a language: as the browser spells it for its region, such as de-AT. */
export const localeOf = (code: string): string =>
  navigator.languages.find((tag) => tag.split("-")[0] === code) ?? code;

/** A text in the forms that a language has for numbers; `#` stands for the number itself. */
export type Forms = Partial<Record<Intl.LDMLPluralRule, string>> & { other: string };

/** How a language writes numbers, plurals and lists: what the sentences of its file are made with. */
export function grammarOf(code: string) {
  const locale = localeOf(code);
  const numbers = new Intl.NumberFormat(locale);
  const rules = new Intl.PluralRules(locale);
  const listOf = (type: Intl.ListFormatType) => {
    let format: Intl.ListFormat | undefined;
    return (names: readonly string[]): string =>
      (format ??= new Intl.ListFormat(locale, { type })).format(names);
  };
  const number = (n: number): string => numbers.format(n);
  let partNames: Intl.DisplayNames | undefined;
  return {
    number,
    /** Such as "1 link" and "1,204 links"; the number may be written in another way. */
    plural:
      (forms: Forms) =>
      (n: number, written = number(n)): string =>
        (forms[rules.select(n)] ?? forms.other).replace("#", written),
    /** Such as "red, green and blue" */
    and: listOf("conjunction"),
    /** Such as "red, green or blue" */
    or: listOf("disjunction"),
    /** Such as "red, green, blue" */
    listed: listOf("unit"),
    /** Names of the parts of a date and a time, such as "year" */
    partName: (part: string): string =>
      (partNames ??= new Intl.DisplayNames(locale, { type: "dateTimeField" })).of(part) ?? part,
  };
}

/** A text with a capital letter at its beginning. */
export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
