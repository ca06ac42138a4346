import { timestamp } from "../../../validation/strings.ts";
import { timeInput } from "../inputs.ts";
import { defineCondition } from "./condition.ts";

const timeText = (description: string) => timeInput(description).transform((time) => time.toISOString());

export const after = defineCondition({
  name: "after",
  input: timeText("From this time on"),
  output: timestamp.describe("From this time on"),
  compile(text) {
    const time = Date.parse(text);
    return (facts) => facts.now >= time;
  },
  miss: (text) => `it is before ${text}`,
});

export const before = defineCondition({
  name: "before",
  input: timeText("Until this time"),
  output: timestamp.describe("Until this time"),
  compile(text) {
    const time = Date.parse(text);
    return (facts) => facts.now < time;
  },
  miss: (text) => `it is ${text} or later`,
});
