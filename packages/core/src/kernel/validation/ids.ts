import * as z from "zod";

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** True for text with the form of an id. Other text is just not found, because ids are opaque to clients. */
export const isId = (text: string): boolean => uuid.test(text);

/** An id as statements compare it; null, which no row has, for other text. */
export const idOrNull = (text: string): string | null => (isId(text) ? text : null);

/** The input of an operation on one thing. */
export const idInput = z.object({ id: z.string() });

/** The answer of a deletion. */
export const deletedSchema = z.object({ id: z.string(), deleted: z.literal(true) });
