import { timestamp } from "../../../validation/strings.ts";
import { timeInput } from "../inputs.ts";
import { defineCondition } from "./condition.ts";

const timeText = (description: string, example: string) =>
  timeInput(description, example).transform((time) => time.toISOString());

export const after = defineCondition({
  name: "after",
  input: timeText("From this time on", "2026-12-01T00:00:00Z"),
  output: timestamp.describe("From this time on"),
  compile(text) {
    const time = Date.parse(text);
    return (facts) => facts.now >= time;
  },
  miss: (text) => `it is before ${text}`,
});

export const before = defineCondition({
  name: "before",
  input: timeText("Until this time", "2027-01-01T00:00:00Z"),
  output: timestamp.describe("Until this time"),
  compile(text) {
    const time = Date.parse(text);
    return (facts) => facts.now < time;
  },
  miss: (text) => `it is ${text} or later`,
});
