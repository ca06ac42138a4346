import * as z from "zod";
import { named } from "../../kernel/validation/outputs.ts";

const fields = z.object({
  id: z.string(),
  name: z.string(),
  links: z.int().min(0).describe("How many links have it"),
});

/** A tag as its owner sees it. */
export interface Tag extends z.infer<typeof fields> {}
export const tagSchema = named<Tag>("Tag", fields);

export const tagChangeId = z
  .string()
  .nullable()
  .describe("The change of the links, which can be undone; null if none changed, or too many to be recorded");

const renamedFields = fields.extend({ change_id: tagChangeId });

/** A tag with its new name, or the one that it became part of. */
export interface RenamedTag extends z.infer<typeof renamedFields> {}
export const renamedTagSchema = named<RenamedTag>("RenamedTag", renamedFields);
