import * as z from "zod";
import { oneOf } from "../validation/inputs.ts";
import { periods } from "./periods.ts";

export const period = oneOf(periods)
  .meta({
    description: "Time window; it ends with the current hour (24h), day (7d, 30d, 90d) or month (1y, all)",
  })
  .default("30d");

export const compare = z
  .boolean({ error: "must be true or false" })
  .meta({ description: "Also report the window before" })
  .default(false);

export const linkId = z.string().meta({ description: "Only this link's clicks" }).optional();
