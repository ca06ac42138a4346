import * as z from "zod";
import { refusal } from "../../kernel/errors.ts";
import { oneOf, whole } from "../../kernel/validation/inputs.ts";
import { line, named, timestamp } from "../../kernel/validation/strings.ts";

/** The kinds of alerts. Names never change, because they are stored. */
const alertKinds = ["silence", "surge"] as const;
export type AlertKind = (typeof alertKinds)[number];

/** A link may be silent for a quarter of a year. */
const maxHours = 2160;
const maxFactor = 1000;

export const defaultHours = 24;
export const defaultFactor = 3;

export const nameInput = line(100).min(1, "must not be empty").describe("Name of the alert");
export const kindInput = oneOf(alertKinds).describe(
  "silence: no click for `hours`; surge: `factor` times the usual clicks of this hour of the week",
);
export const hoursInput = whole(1, maxHours)
  .describe("For silence: hours without a click until it fires; 24 by default")
  .optional();
export const factorInput = z
  .number("must be a number")
  .min(1.5, "must be at least 1.5")
  .max(maxFactor, `must be at most ${maxFactor}`)
  .describe("For surge: fires at this multiple of the usual clicks; 3 by default")
  .optional();
export const activeInput = z.boolean("must be true or false").describe("False switches it off");

interface Threshold {
  hours?: number | null | undefined;
  factor?: number | null | undefined;
}

/** Refuses (400) fields of the other kind. */
export function assertFieldsOfKind(kind: AlertKind, { hours, factor }: Threshold): void {
  const other = kind === "silence" ? factor : hours;
  if (other == null) return;
  const field = kind === "silence" ? "factor" : "hours";
  throw refusal("BAD_REQUEST", field, "excluded", `does not apply to the kind ${kind}`, {
    field: "kind",
    kind,
  });
}

const fields = z.object({
  id: z.string(),
  name: z.string().describe("Name of the alert"),
  kind: z.enum(alertKinds).describe("What it watches for"),
  link_id: z.string().nullable().describe("The link it watches; null for a tag or all links"),
  tag: z.string().nullable().describe("The tag it watches; null for a link or all links"),
  hours: z.int().nullable().describe("For silence: hours without a click until it fires; null for a surge"),
  factor: z
    .number()
    .nullable()
    .describe("For surge: fires at this multiple of the usual clicks; null for silence"),
  active: z.boolean().describe("False if it is switched off"),
  fired_at: timestamp.nullable().describe("When it last fired; null if it never did"),
  created_at: timestamp,
});

/** An alert as every client sees it. */
export interface Alert extends z.infer<typeof fields> {}
export const alertSchema = named<Alert>("Alert", fields);
