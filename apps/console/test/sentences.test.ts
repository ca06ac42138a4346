import { type Issue, type IssueCode, issueCodes } from "@terse/core/browser";
import { afterAll, describe, expect, it } from "vitest";
import { de } from "../src/words/de.ts";
import { en } from "../src/words/en.ts";
import type { Template } from "../src/words/fill.ts";
import { fr } from "../src/words/fr.ts";
import { changeLanguage, type LanguageCode } from "../src/words/language.ts";

// Formats ask the browser for the viewer's time zone when they are loaded.
Object.assign(globalThis, { localStorage: { getItem: () => null } });
const { sentenceOfAll, sentenceOf, stepOf } = await import("../src/kit/sentences.ts");

afterAll(() => changeLanguage("en"));

const refusal = (code: IssueCode, params: NonNullable<Issue["params"]> = {}, path: Issue["path"] = []) => ({
  path,
  code,
  params,
  message: `the service's own: ${code}`,
});

/** Every way to say something, with the param that chooses it. */
const waysOf = (template: Template): [chosenBy: Record<string, string>, text: string][] =>
  typeof template === "string"
    ? [[{}, template]]
    : Object.entries(template).map(([name, text]) => [{ reason: name }, text]);

describe.each([
  ["de", de],
  ["fr", fr],
] as const)("sentences in %s", (language: LanguageCode, texts) => {
  const tables = { refusals: texts.refusals, steps: texts.steps };

  it.each(Object.entries(tables))("fill every param of the %s", (_, table) => {
    changeLanguage(language);
    for (const [code, template] of Object.entries(table as Record<string, Template>)) {
      for (const [chosenBy, text] of waysOf(template)) {
        const names = [...text.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
        const params = Object.fromEntries(names.map((name) => [name, `<${name}>`]));
        const sentence = sentenceOf(
          { ...refusal("invalid"), code: code as IssueCode, params: { ...params, ...chosenBy } },
          {
            ...texts,
            refusals: table as typeof texts.refusals,
          },
        );
        expect(sentence).not.toMatch(/[{}]|undefined|the service's own/);
        expect(sentence, `${code} says its params`).toMatch(new RegExp(names.map(() => "[<NaN]").join(".*")));
        expect(sentence, `${code} is a sentence`).toMatch(/^[^a-z].*[.?]$/s);
      }
    }
  });

  it("are the service's own for codes that no person meets here", () => {
    expect(sentenceOf(refusal("file_exists"), texts)).toBe("the service's own: file_exists");
    const unsaid = issueCodes.filter((code) => sentenceOf(refusal(code), texts).startsWith("the service's"));
    expect(unsaid.toSorted()).toEqual([
      "ambiguous",
      "answer_lost",
      "credential_refused",
      "database_in_use",
      "database_not_empty",
      "either_of",
      "exceeds_credential",
      "file_exists",
      "interrupted",
      "key_reused",
      "method_not_allowed",
      "scope_required",
      "unknown_field",
      "wrong_media_type",
    ]);
  });
});

it("says refusals with their reasons, numbers, plans and times as a person reads them", () => {
  changeLanguage("de");
  const said = (...args: Parameters<typeof refusal>) => sentenceOf(refusal(...args), de);
  expect(said("too_long", { max: 2048 })).toBe("Höchstens 2.048 Zeichen.");
  expect(said("too_short", { min: 1 })).toBe("Bitte nicht leer lassen.");
  expect(said("rate_limited", { seconds: 1 })).toBe(
    "Zu viele Anfragen. Versuchen Sie es in 1 Sekunde noch einmal.",
  );
  expect(said("invalid_url", { reason: "port" })).toBe("Der Port muss eine Zahl bis 65535 sein.");
  expect(said("invalid_url", { reason: "of a later version" })).toBe("Das ist keine gültige URL.");
  expect(said("plan_required", { plan: "pro", feature: "webhooks" })).toBe("Dafür ist der Tarif Pro nötig.");
  expect(said("invalid_choice", { choices: ["a", "b", "c"] })).toBe("Möglich sind nur: a, b oder c.");
  expect(said("needs", { field: "click_limit" })).toBe("Dafür ist auch „Klicklimit“ nötig.");
  expect(said("clicks_dropped", { since: "2026-03-01T12:00:00.000Z" })).toContain("01.03.2026");
  changeLanguage("fr");
  expect(sentenceOf(refusal("too_short", { min: 4 }), fr)).toBe("4 caractères au minimum.");
});

it("names the fields of a whole refusal, and leaves English to the service", () => {
  changeLanguage("de");
  const issues = [
    refusal("slug_taken", { slug: "sale" }, ["slug"]),
    refusal("invalid_url", { reason: "scheme" }, ["rules", 0, "url"]),
  ];
  expect(sentenceOfAll(issues, de)).toBe(
    "Kürzel: „sale“ ist auf dieser Domain schon vergeben. Regeln › url: Geben Sie eine URL ein, die mit https:// oder http:// beginnt.",
  );
  expect(sentenceOfAll(issues, en)).toBeNull();
});

it("explains a link, with names of countries, rules and conditions", () => {
  changeLanguage("de");
  expect(stepOf({ code: "country_rule", params: { country: "FR" } }, "", de)).toBe(
    "Die Länderregel für Frankreich entscheidet.",
  );
  expect(stepOf({ code: "rule_skipped", params: { rule: 2, name: "Phones", condition: "os" } }, "", de)).toBe(
    "Regel 2 (Phones) trifft nicht zu: Die Bedingung „Betriebssystem“ ist nicht erfüllt.",
  );
  expect(stepOf({ code: "destination" }, "No other rule applies.", en)).toBe("No other rule applies.");
});
