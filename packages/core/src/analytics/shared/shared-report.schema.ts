import { issue } from "../../kernel/issues.ts";
import type { Report } from "../analytics.schema.ts";
import * as z from "zod";
import { dayMs } from "../../kernel/time.ts";
import { AppError } from "../../kernel/errors.ts";
import { line, named, timestamp } from "../../kernel/validation/strings.ts";

/** Days until a shared report ends: by default, and at most. */
const defaultDays = 30;
const maxDays = 366;

export const nameInput = line(100)
  .min(1, "must not be empty")
  .describe("Heading of the report, visible to its readers");

export const passwordInput = z
  .string()
  .min(4, "must have at least 4 characters")
  .max(200, "must have at most 200 characters")
  .describe("Password that readers must enter; only its hash is stored. Null removes it")
  .nullish();

export const endInput = z.iso
  .datetime({ offset: true, error: "must be an ISO 8601 date and time with its offset" })
  .describe(`When the address stops working: within ${maxDays} days. Default: in ${defaultDays} days`)
  .optional();

/** The requested end; 400 if it is past or too far away. */
export function endOf(text: string | undefined, now: Date): Date {
  const end = text === undefined ? new Date(now.getTime() + defaultDays * dayMs) : new Date(text);
  const days = (end.getTime() - now.getTime()) / dayMs;
  if (days > 0 && days <= maxDays) return end;
  const message = `must be within the next ${maxDays} days`;
  throw new AppError(
    "BAD_REQUEST",
    days > 0
      ? issue("expires_at", "too_late", message, {
          than: new Date(now.getTime() + maxDays * dayMs).toISOString(),
        })
      : issue("expires_at", "too_early", message, { than: "now" }),
  );
}

const fields = z.object({
  id: z.string(),
  name: z.string().describe("The heading of the report"),
  link_id: z.string().nullable().describe("The link it covers; null for a tag or all links"),
  tag: z.string().nullable().describe("The tag it covers; null for a link or all links"),
  has_password: z.boolean().describe("Whether readers have to enter a password"),
  active: z.boolean().describe("False once it is revoked"),
  created_at: timestamp,
  expires_at: timestamp.describe("When the address stops working"),
  last_opened_at: timestamp.nullable().describe("When it was last read, accurate to a minute"),
});

/** A report that people without an account may read. */
export interface SharedReport extends z.infer<typeof fields> {}
export const sharedReportSchema = named<SharedReport>("SharedReport", fields);

const newFields = fields.extend({
  url: z.string().describe("The secret address, shown only once"),
});

/** A new shared report with its address. */
export interface NewSharedReport extends z.infer<typeof newFields> {}
export const newSharedReportSchema = named<NewSharedReport>("NewSharedReport", newFields);

/** The input of someone who opens a shared report. */
export interface SharedReportVisit {
  /** What follows `/reports/` in the address */
  secret: string;
  period: NonNullable<Report["period"]>;
  /** An IPv4 address or IPv6 network, for limits */
  client: string;
  /** The entered password */
  password?: string | undefined;
  /** The token that an earlier visit got for the right password */
  unlock_token?: string | undefined;
}

/** How a shared report answers. */
export type SharedReportAnswer =
  /** There is none, or it has ended or was revoked; the answer does not reveal which */
  | { kind: "missing" }
  | { kind: "limited"; seconds: number }
  | { kind: "password"; wrong: boolean }
  | {
      kind: "report";
      name: string;
      expires_at: Date;
      report: Report;
      /** Whether it is about one link, so that a list of links says nothing */
      isOfOneLink: boolean;
      /** For the cookie of a reader who gave the right password */
      unlock?: { token: string; seconds: number };
    };

/** Shared reports as people without an account read them. */
export interface SharedReports {
  open(visit: SharedReportVisit): Promise<SharedReportAnswer>;
}
