import { Temporal } from "temporal-polyfill";
import * as z from "zod";

/** Returns the name of a zone as the IANA database spells it; null for anything else, such as the offset +05:30. */
export function timeZoneName(text: string): string | null {
  if (!/^[A-Za-z][\w+/-]{0,63}$/.test(text)) return null;
  try {
    return Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(text).timeZoneId;
  } catch {
    return null;
  }
}

/** The parameter `tz`, in any case; its output is spelt as in the IANA database. */
export const timeZone = z
  .string()
  .overwrite((text) => timeZoneName(text) ?? text)
  .refine(
    (text) => timeZoneName(text) !== null,
    "must be the name of a time zone in the IANA database, such as UTC or Europe/Berlin",
  )
  .meta({
    description: "IANA time zone of the hours, days and months",
    examples: ["UTC", "Europe/Berlin"],
  })
  .default("UTC");
