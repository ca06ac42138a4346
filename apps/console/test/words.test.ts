import { describe, expect, it } from "vitest";
import { de } from "../src/words/de.ts";
import { en } from "../src/words/en.ts";
import { fr } from "../src/words/fr.ts";

type Sentence = (...given: unknown[]) => string;

/** Every text of a language, sentences with something in the place of names and numbers. */
function textsOf(value: unknown, path: string): [path: string, text: string][] {
  if (typeof value === "string") return [[path, value]];
  if (typeof value !== "function")
    return Object.entries(value as object).flatMap(([name, each]) => textsOf(each, `${path}.${name}`));
  return [1, 1000, "X", ["X", "Y"]].flatMap((given, at): [string, string][] => {
    try {
      return [[`${path}(${at})`, (value as Sentence)(given, given, given, given)]];
    } catch {
      return []; // it takes another kind
    }
  });
}

const marks = {
  en: /[„«»]|\s{2}|\.\.\./,
  de: /["«»]|“[^„]*“|\s{2}|\.\.\./,
  fr: /["„“']|\s{2}|\.\.\.| [:;!?»]|« |\w[;!?»](?!\w)|«\w/,
};

describe.each(Object.entries({ en, de, fr }))("the texts in %s", (code, texts) => {
  it("follow its typography", () => {
    const wrong = marks[code as keyof typeof marks];
    expect(textsOf(texts, code).filter(([, text]) => wrong.test(text))).toEqual([]);
  });
});

it("says numbers by the rules of each language", () => {
  const said = (total: (n: number) => string) => [0, 1, 2, 1234].map((n) => total(n));
  expect(said(en.links.total)).toEqual(["0 links", "1 link", "2 links", "1,234 links"]);
  expect(said(de.links.total)).toEqual(["0 Links", "1 Link", "2 Links", "1.234 Links"]);
  expect(said(fr.links.total)).toEqual(["0 lien", "1 lien", "2 liens", "1\u202f234 liens"]);
});
