import { timestamp } from "../../../kernel/validation/strings.ts";
import { timeInput } from "../../../kernel/validation/inputs.ts";
import { defineCondition } from "./condition.ts";

/** The schemas of a time, and what it means. */
const timeFields = (description: string, example: string) => ({
  description,
  input: timeInput(description, example).transform((time) => time.toISOString()),
  output: timestamp,
});

export const after = defineCondition({
  name: "after",
  ...timeFields("From this time on", "2026-12-01T00:00:00Z"),
  compile(text) {
    const time = Date.parse(text);
    return (facts) => facts.now >= time;
  },
  miss: (text) => `it is before ${text}`,
});

export const before = defineCondition({
  name: "before",
  ...timeFields("Until this time", "2027-01-01T00:00:00Z"),
  compile(text) {
    const time = Date.parse(text);
    return (facts) => facts.now < time;
  },
  miss: (text) => `it is ${text} or later`,
});
