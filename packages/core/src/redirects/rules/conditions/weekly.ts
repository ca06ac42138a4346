import * as z from "zod";
import { fieldsOf, oneOf } from "../../../kernel/validation/inputs.ts";
import { defineCondition } from "./condition.ts";
import { listOf } from "./list.ts";
import { isZone, wallClockIn } from "./zone-clock.ts";

export const days = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

const meanings = {
  tz: "IANA time zone",
  days: "Days on which the hours begin",
  from: "HH:MM",
  to: "HH:MM, on the next day if not later than `from`",
};

const clockInput = (description: string, example: string) =>
  z
    .string()
    .refine(
      (text) => /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text),
      "must be a time of day from 00:00 to 23:59, such as 09:00",
    )
    .meta({ description, examples: [example] });

const minuteOf = (clock: string) => Number(clock.slice(0, 2)) * 60 + Number(clock.slice(3));

/**
 * Hours that come back each week, by the clocks of a time zone. They belong to the day on which they begin: if they end at
 * or before the time at which they begin, they end on the next day.
 */
export const weekly = defineCondition({
  name: "weekly",
  description: "Hours of the week",
  input: fieldsOf({
    tz: z
      .string()
      .refine(isZone, "must be the name of a time zone in the IANA database, such as UTC or Europe/Berlin")
      .meta({ description: meanings.tz, examples: ["Europe/Berlin"] }),
    days: listOf(oneOf(days), 7).describe(meanings.days),
    from: clockInput(meanings.from, "09:00"),
    to: clockInput(meanings.to, "17:00"),
  }),
  output: z.object({
    tz: z.string().describe(meanings.tz),
    days: z.array(z.enum(days)).describe(meanings.days),
    from: z.string().describe(meanings.from),
    to: z.string().describe(meanings.to),
  }),
  compile(hours) {
    const onDay = days.map((day) => hours.days.includes(day));
    const [from, to] = [minuteOf(hours.from), minuteOf(hours.to)];
    return (facts) => {
      const { weekday, minute } = wallClockIn(hours.tz, facts.now);
      const today = onDay[weekday] === true;
      if (to > from) return today && minute >= from && minute < to;
      return (today && minute >= from) || (onDay[(weekday + 6) % 7] === true && minute < to);
    };
  },
  miss({ tz }, facts) {
    const { weekday, minute } = wallClockIn(tz, facts.now);
    const clock = [Math.floor(minute / 60), minute % 60].map((part) => String(part).padStart(2, "0"));
    return `it is ${names[weekday]}, ${clock.join(":")} in ${tz}`;
  },
});

const names = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"];
