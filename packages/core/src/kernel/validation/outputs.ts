import type * as z from "zod";

/** The schema of an object that has a name. */
export type NamedSchema<Output> = z.ZodType<Output> & Pick<z.ZodObject, "shape">;

/**
 * Names a schema: `id` is its component in the OpenAPI document, and `Output` the type that editors show instead of all
 * its fields. Declare it as `interface Link extends z.infer<typeof fields> {}`.
 */
export const named = <Output>(id: string, schema: NamedSchema<Output>): NamedSchema<Output> =>
  schema.meta({ id });
