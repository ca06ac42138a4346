/**
 * A statement, or a piece of one, whose values are parameters: no value is ever written into its text. The driver takes it as
 * it is.
 */
export class Sql {
  /** One more than there are values, which stand between them */
  readonly texts: readonly string[];
  readonly values: unknown[];

  constructor(texts: readonly string[], values: readonly unknown[]) {
    this.texts = texts;
    this.values = [...values];
  }

  /** With numbered parameters, as PostgreSQL has them */
  get text(): string {
    return this.texts.reduce((text, next, at) => `${text}$${at}${next}`);
  }
}

/** Makes a statement of a template. A part that is `Sql` becomes a piece of it, anything else a parameter. */
export function sql(strings: TemplateStringsArray, ...parts: readonly unknown[]): Sql {
  const texts = [strings[0] ?? ""];
  const values: unknown[] = [];
  const append = (text: string) => texts.push((texts.pop() ?? "") + text);
  for (const [at, part] of parts.entries()) {
    if (part instanceof Sql) {
      append(part.texts[0] ?? "");
      texts.push(...part.texts.slice(1));
      values.push(...part.values);
    } else {
      values.push(part);
      texts.push("");
    }
    append(strings[at + 1] ?? "");
  }
  return new Sql(texts, values);
}

/** Text of the program, such as a column's name. Never user text. */
export const fixed = (text: string): Sql => new Sql([text], []);

/** Pieces with a text of the program between them. */
export function joined(pieces: readonly Sql[], between: string): Sql {
  const [first = fixed(""), ...others] = pieces;
  return others.reduce((all, piece) => sql`${all}${fixed(between)}${piece}`, first);
}
