import * as z from "zod";
import { timestamp } from "../../kernel/validation/strings.ts";
import { healthStatuses } from "./verdict.ts";

const fields = z.object({
  status: z
    .enum(healthStatuses)
    .describe(
      "broken: the page is missing or answers with an error; unreachable: the host does not answer; unknown: the site blocks our checks",
    ),
  checked_at: timestamp.describe("When the destination was last checked"),
  since: timestamp.describe("When the status was first found"),
});

/** The result of the last check of a link's destination. */
export interface LinkHealth extends z.infer<typeof fields> {}
export const linkHealthSchema = fields;

/** The checks of links' destinations. */
export interface HealthChecks {
  /** Checks the destinations that are due now; returns how many. None if checks are off. */
  checkDue(): Promise<number>;
  /** Checks in the background until the core is closed; does nothing if checks are off. */
  start(): void;
  /** Stops; running checks change nothing. */
  close(): Promise<void>;
}
