import * as z from "zod";
import { isId } from "../text.ts";
import { periods } from "./periods.ts";

export const period = z
  .enum(periods, { error: `must be one of ${periods.join(", ")}` })
  .meta({
    description:
      "What to look at; it ends with the current hour (24h), day (7d, 30d, 90d) or month (1y, all)",
  })
  .default("30d");

export const compare = z
  .boolean({ error: "must be true or false" })
  .meta({ description: "Whether to look at the window before, too" })
  .default(false);

export const linkId = z
  .string()
  .refine(isId, "must be the id of a link")
  .meta({ description: "Only this link's clicks" })
  .optional();
