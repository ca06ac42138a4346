import * as z from "zod";
import { type ListedDimension, listedDimensions } from "../clicks/dimensions.ts";
import { named, timestamp } from "../kernel/validation/strings.ts";

/** Raw clicks as clients see them: in the real-time feed and in webhooks. */

const labels = Object.fromEntries(listedDimensions.map((dimension) => [dimension, z.string()])) as Record<
  ListedDimension,
  z.ZodString
>;

const fields = z.object({
  id: z.string(),
  timestamp,
  link_id: z.string(),
  slug: z.string(),
  shortUrl: z.string(),
  ...labels,
});
export interface ListedClick extends z.infer<typeof fields> {}
export const listedClickSchema = named<ListedClick>("Click", fields);
