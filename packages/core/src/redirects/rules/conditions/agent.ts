import * as z from "zod";
import { browserNames, systemNames } from "../../../clicks/derive/names.ts";
import { devices } from "../../../clicks/derive/device.ts";
import type { VisitorAgent } from "../../redirects.types.ts";
import { anyOf, defineCondition } from "./condition.ts";
import { listOf, namedIn } from "./list.ts";

/** A condition about what a user agent says, in the words of analytics. Programs that are not browsers say nothing. */
const aboutAgent = <const Field extends keyof VisitorAgent>(
  field: Field,
  word: string,
  names: readonly string[],
  example: string,
  description: string,
) =>
  defineCondition({
    name: field,
    description,
    input: listOf(namedIn(names, example), names.length),
    output: z.array(z.string()),
    compile(wanted) {
      const set: ReadonlySet<string | null> = new Set(wanted);
      return (facts) => set.has(facts.agent[field]);
    },
    miss(wanted, facts) {
      const found = facts.agent[field];
      return found === null
        ? `the visitor's ${word} is not known`
        : `the visitor's ${word} is ${found}, not ${anyOf(wanted)}`;
    },
  });

export const device = aboutAgent("device", "device", devices, "mobile", `Devices: ${devices.join(", ")}`);
export const os = aboutAgent(
  "os",
  "operating system",
  systemNames,
  "iOS",
  "Operating systems as analytics name them, such as iOS",
);
export const browser = aboutAgent(
  "browser",
  "browser",
  browserNames,
  "Firefox",
  "Browsers as analytics name them, such as Firefox",
);
