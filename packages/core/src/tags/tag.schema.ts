import * as z from "zod";
import { named } from "../validation/outputs.ts";

const fields = z.object({
  id: z.string(),
  name: z.string(),
  /** How many links have it */
  links: z.int().min(0).describe("How many links have it"),
});

/** A tag as its owner sees it. */
export interface Tag extends z.infer<typeof fields> {}
export const tagSchema = named<Tag>("Tag", fields);
