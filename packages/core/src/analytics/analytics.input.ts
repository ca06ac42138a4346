import { refused } from "../kernel/validation/issues.ts";
import * as z from "zod";
import { refusal } from "../kernel/errors.ts";
import { notZone, oneOf } from "../kernel/validation/inputs.ts";
import { filterFields, filtersOf, groupBy } from "./filter.input.ts";
import {
  anyBot,
  type ClickQuestion,
  countsBots,
  granularities,
  type Granularity,
  type Period,
  periods,
} from "./question.ts";
import { Temporal } from "temporal-polyfill";

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
  .refine((text) => timeZoneName(text) !== null, notZone)
  .meta({
    description: "IANA time zone of the hours, days and months",
    examples: ["UTC", "Europe/Berlin"],
  })
  .default("UTC");

const defaultPeriod: Period = "30d";

const period = oneOf(periods)
  .meta({
    description: "Time window; it ends with the current hour (24h), day (7d, 30d, 90d) or month (1y, all)",
    default: defaultPeriod,
  })
  .optional();

const timeError =
  "must be a date or a time with its offset, between 2000 and 2099, such as 2026-11-21 or 2026-11-21T14:30:00Z";
/** A date, or a time with an offset, as ISO 8601 writes them. */
const moment = z
  .string()
  .refine(
    (text) =>
      text.startsWith("20") && (isDate(text) || z.iso.datetime({ offset: true }).safeParse(text).success),
    refused("invalid_format", timeError, { format: "date_or_time", example: "2026-11-21T14:30:00Z" }),
  );

const isDate = (text: string): boolean => z.iso.date().safeParse(text).success;

/** A window that ends now, or any other. */
export const windowFields = {
  period,
  from: moment
    .meta({
      description:
        "Start of the window, instead of `period`: a date in `tz`, or a time such as 2026-11-21T14:30:00Z, rounded down to a quarter of an hour",
      examples: ["2026-11-01", "2026-11-01T12:30:00Z"],
    })
    .optional(),
  to: moment
    .meta({
      description: "End of that window: a date (inclusive), or a time, rounded up. Default: now",
      examples: ["2026-11-21", "2026-11-21T12:30:00Z"],
    })
    .optional(),
  tz: timeZone,
};

/** The windows and clicks of a report. */
export const questionFields = {
  ...windowFields,
  granularity: oneOf(granularities)
    .meta({ description: "Length of each row; weeks begin on Monday. Default: depends on the window" })
    .optional(),
  ...filterFields,
  group_by: groupBy,
  compare: z
    .boolean({ error: "must be true or false" })
    .meta({ description: "Also report the previous window" })
    .default(false),
};

/** A requested window. */
export type Span = { period: Period } | { from: string; to: string | undefined };

/** Throws a 400 if both kinds of window, or half of one, are given. */
export function spanOf({
  period: length,
  from,
  to,
}: Partial<z.output<z.ZodObject<typeof windowFields>>>): Span {
  if (from === undefined) {
    if (to !== undefined)
      throw refusal("BAD_REQUEST", "to", "needs", "needs from, the start of the window", { field: "from" });
    return { period: length ?? defaultPeriod };
  }
  if (length !== undefined)
    throw refusal("BAD_REQUEST", "period", "excluded", "cannot be combined with from", { field: "from" });
  return { from, to };
}

/** What a report answers. */
export interface Question extends Pick<ClickQuestion, "filters" | "groupBy"> {
  span: Span;
  granularity: Granularity | undefined;
  compare: boolean;
  tz: string;
}

export function questionOf(input: z.output<z.ZodObject<typeof questionFields>>): Question {
  const { granularity, compare, tz, group_by = [] } = input;
  const filters = filtersOf(input);
  if (group_by.includes("bot") && !countsBots(filters))
    throw refusal("BAD_REQUEST", "group_by", "needs", `bot needs the filter bot, such as bot=${anyBot}`, {
      field: "bot",
    });
  return { span: spanOf(input), granularity, compare, tz, filters, groupBy: group_by };
}

/** Whether raw clicks are counted, since no rollup has the answer. */
export const needsClicks = ({ filters, groupBy: names }: Pick<Question, "filters" | "groupBy">): boolean =>
  filters.length > 0 || names.length > 0;
