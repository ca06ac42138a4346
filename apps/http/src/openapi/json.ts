/** A part of the document. */
export type Json = Record<string, unknown>;

/** The content of a JSON body. */
export const json = (schema: Json) => ({ "application/json": { schema } });
