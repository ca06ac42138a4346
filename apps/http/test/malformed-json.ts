import type { Schema } from "./document.ts";
import { minimalObject, valuesOf } from "./schema-values.ts";

/** JSON texts that break one field or another. Texts, since JSON.stringify cannot write all of them. */
export const badTexts: readonly string[] = [
  "null",
  "true",
  "0",
  "-1",
  "1.5",
  "1e400",
  "9007199254740993",
  '""',
  '" "',
  '"x"',
  '"\\u0000"',
  '"a\\u0000b"',
  '"\\ud800"',
  '"\\udc00x\\ud83d"',
  '"\\r\\nSet-Cookie: a=b"',
  '"\\u202e\\u200b"',
  '"javascript:alert(1)"',
  '"https://user:pass@example.com/"',
  '"http://short.test/abc"',
  `"'; drop table links; --"`,
  '"2026-02-30T00:00:00Z"',
  `"${"x".repeat(9_000)}"`,
  `"https://example.com/${"é".repeat(4_000)}"`,
  "[]",
  "[[]]",
  '["x"]',
  "{}",
  '{"__proto__":{"admin":true}}',
  '{"constructor":{"prototype":{}},"toString":1,"length":-1}',
  `${"[".repeat(20_000)}${"]".repeat(20_000)}`,
  `${'{"a":'.repeat(5_000)}1${"}".repeat(5_000)}`,
];

/** Those among which a field that takes no free text makes no difference: it refuses one text like the other. */
const onlyTexts = new Set(badTexts.filter((text) => text.startsWith('"')).slice(3));

/** The texts that may break a field in ways of their own. */
export function textsFor(schema: Schema): readonly string[] {
  const isFreeText = [schema, ...(schema.anyOf ?? [])].some(
    ({ type, anyOf, enum: values }) =>
      values === undefined && (type === undefined ? anyOf === undefined : [type].flat().includes("string")),
  );
  return isFreeText ? badTexts : badTexts.filter((text) => !onlyTexts.has(text));
}

export interface Place {
  /** Where in the body: "body.geo_rules.0.url" */
  name: string;
  /** What belongs there */
  field: Schema;
  /** The body's text with another text at this place and valid values at all others */
  bodyWith(text: string): string;
}

/** Every place of a body: the body itself, its fields, and theirs. */
export function* placesOf(
  schema: Schema,
  name = "body",
  bodyWith: (text: string) => string = (text) => text,
): Generator<Place> {
  yield { name, field: schema, bodyWith };
  for (const form of [schema, ...(schema.anyOf ?? [])]) {
    const others = minimalObject(form);
    const entries = Object.entries(form.properties ?? {});
    // Fields of an answer that a change ignores are all alike: the first stands for them.
    const [ignored] = entries.find(([, field]) => field["readOnly"]) ?? [];
    for (const [key, field] of entries) {
      if (field["readOnly"] && key !== ignored) continue;
      const around = { ...others };
      delete around[key];
      const start = JSON.stringify(around).slice(0, -1) + (Object.keys(around).length > 0 ? "," : "");
      yield* placesOf(field, `${name}.${key}`, (text) => bodyWith(`${start}${JSON.stringify(key)}:${text}}`));
    }
    if (form["type"] === "array") {
      const [valid] = valuesOf(form) as unknown[][];
      const rest = (valid ?? []).slice(1).map((item) => `,${JSON.stringify(item)}`);
      yield* placesOf(form["items"] as Schema, `${name}.0`, (text) => bodyWith(`[${text}${rest.join("")}]`));
    }
  }
}
