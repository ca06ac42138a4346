import { startDns } from "@terse/testkit/dns";
import { afterAll, expect, it } from "vitest";
import * as z from "zod";
import { appRouter, definitionOf, proceduresOf, toFailure } from "../../src/index.ts";
import { createTestCore } from "../../src/testing.ts";
import { call, fixtureOf, idsOf, seed } from "../fixtures.ts";

const dns = await startDns();
const { core, actor, close } = await createTestCore({ dnsServers: [dns.address] });
afterAll(async () => {
  await close();
  await dns.close();
});

type Path = readonly (string | number)[];

/** The fields of an input that take text, with those in objects and lists */
function textsIn(schema: unknown, path: Path = []): Path[] {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable || schema instanceof z.ZodDefault)
    return textsIn(schema.unwrap(), path);
  if (schema instanceof z.ZodPipe)
    return textsIn(schema.in instanceof z.ZodTransform ? schema.out : schema.in, path);
  if (schema instanceof z.ZodString) return [path];
  if (schema instanceof z.ZodArray) return textsIn(schema.element, [...path, 0]);
  if (!(schema instanceof z.ZodObject)) return [];
  return Object.entries(schema.shape).flatMap(([name, field]) => textsIn(field, [...path, name]));
}

function withHalf(value: unknown, [step, ...rest]: Path): unknown {
  if (step === undefined) return "a\uD800b";
  if (typeof step === "number") return [withHalf(Array.isArray(value) ? value[0] : undefined, rest)];
  const object = (value ?? {}) as Record<string, unknown>;
  return { ...object, [step]: withHalf(object[step], rest) };
}

const changes = proceduresOf(appRouter).flatMap(([name, procedure]) => {
  const { type, fields } = definitionOf(procedure);
  const texts = Object.entries(fields).flatMap(([field, schema]) => textsIn(schema, [field]));
  return type === "mutation" && texts.length > 0 ? [{ name, texts }] : [];
});

it.each(changes)(
  "half a character is no failure, is stored nowhere, and has its own reason: $name",
  async ({ name, texts }) => {
    const { uses, input } = fixtureOf(name);
    const owner = await actor("enterprise");
    const ids = idsOf(await seed(core, owner.account, uses));
    for (const path of texts) {
      const answer = await call(core, name, owner, withHalf(input?.(ids) ?? {}, path)).then(
        (value) => ({ status: 200, text: JSON.stringify(value) ?? "" }),
        (error: unknown) => ({ status: toFailure(error).status, text: toFailure(error).message }),
      );
      expect(answer.status, `${path.join(".")}: ${answer.text}`).toBeLessThan(500);
      expect(answer.text, path.join(".")).not.toMatch(/\uFFFD|\uD800|control characters/);
    }
  },
);
