import { Temporal } from "temporal-polyfill";
import * as z from "zod";

/** The zone's name as the IANA database spells it; null for anything else, offsets such as +05:30 among it. */
export function timeZoneName(text: string): string | null {
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(text)) return null;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(text).timeZoneId;
  } catch {
    return null;
  }
}

/** The parameter `tz`, in any case; what it gives is spelt as in the database. */
export const timeZone = z
  .string()
  .overwrite((text) => timeZoneName(text) ?? text)
  .refine(
    (text) => timeZoneName(text) !== null,
    "must be the name of a time zone in the IANA database, such as UTC or Europe/Berlin",
  )
  .meta({
    description: "IANA time zone that hours, days and months are those of",
    examples: ["UTC", "Europe/Berlin"],
  })
  .default("UTC");
