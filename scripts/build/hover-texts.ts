import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { resolve } from "node:path";

/**
 * Writes the description of each field of a schema above it in the declarations of a package, for editors to show. Started
 * in the folder of the package, after the compiler.
 */

type Shape = Readonly<Record<string, { description?: string }>>;

/** The shape of the object that a schema is about, alone, in a list or nullable. */
function shapeOf(schema: object): Shape | undefined {
  if ("shape" in schema) return schema.shape as Shape;
  if ("element" in schema) return shapeOf(schema.element as object);
  return "unwrap" in schema ? shapeOf((schema.unwrap as () => object)()) : undefined;
}

function* withInner(shape: Shape | undefined): Generator<Shape> {
  if (!shape) return;
  yield shape;
  for (const field of Object.values(shape)) yield* withInner(shapeOf(field));
}

const nameOf = (fields: readonly string[]): string => fields.toSorted().join();

/** `shapes` by the names of their fields. */
function withTexts(declaration: string, shapes: ReadonlyMap<string, Shape>): string {
  // An object's fields have four more spaces than the line with its name.
  return declaration.replaceAll(
    /^declare const \w+: z\.ZodObject<\{\n([^]*?)^\}/gm,
    (whole, body: string) => {
      const top = [...body.matchAll(/^ {4}(\w+):/gm)].map(([, name]) => name as string);
      const open = [shapes.get(nameOf(top))];
      return whole.replaceAll(/^( +)(\w+):/gm, (line, indent: string, name: string) => {
        const depth = indent.length / 4;
        const field = open[depth - 1]?.[name];
        open[depth] = field && shapeOf(field);
        return field?.description === undefined ? line : `${indent}/** ${field.description} */\n${line}`;
      });
    },
  );
}

for (const file of readdirSync("dist", { recursive: true, encoding: "utf8" })) {
  if (!file.endsWith(".schema.d.ts")) continue;
  const path = resolve("dist", file);
  const module = (await import(path.replace(/d\.ts$/, "js"))) as Record<string, unknown>;
  const schemas = Object.values(module).filter((value) => typeof value === "object" && value !== null);
  const shapes = schemas.flatMap((schema) => [...withInner(shapeOf(schema))]);
  const byNames = new Map(shapes.map((shape) => [nameOf(Object.keys(shape)), shape]));
  const before = readFileSync(path, "utf8").replaceAll(/^ +\/\*\* .* \*\/\n(?= +\w+: z\.)/gm, "");
  writeFileSync(path, withTexts(before, byNames));
}
