import * as z from "zod";
import { timestamp } from "../validation/strings.ts";

export const sessionSchema = z
  .object({
    id: z.string(),
    current: z.boolean().describe("True for the session that this request came with"),
    created_at: timestamp,
    last_seen_at: timestamp.describe("Exact to the minute; 14 days later the session ends unless it is used"),
    expires_at: timestamp.describe("When it ends even if it is used"),
  })
  .meta({ id: "Session" });
