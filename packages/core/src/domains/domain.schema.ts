import * as z from "zod";
import { named } from "../validation/outputs.ts";
import { timestamp } from "../validation/strings.ts";
import { domainStatuses } from "./domain.entity.ts";

const recordType = z.enum(["TXT", "CNAME", "A", "AAAA"]);

const fields = z.object({
  id: z.string(),
  /** Host name in ASCII, lower case; international names in Punycode */
  domain: z.string().describe("Host name in ASCII, lower case; international names in Punycode"),
  /** pending until the records were found; failed when they stayed away, or somebody else proved the name */
  status: z
    .enum(domainStatuses)
    .describe(
      "pending until the records were found; failed when they stayed away, or somebody else proved the name",
    ),
  /** The records to set: a TXT that proves the domain, and a CNAME, or for an apex A and AAAA, that leads it here */
  dns: z
    .array(z.object({ type: recordType, name: z.string(), value: z.string() }))
    .describe(
      "The records to set: a TXT that proves the domain, and a CNAME, or for an apex A and AAAA, that leads it here",
    ),
  created_at: timestamp,
  /** When the domain was verified; null while it is not */
  verified_at: timestamp.nullable().describe("When the domain was verified; null while it is not"),
});

/** A custom domain as every client sees it. */
export interface Domain extends z.infer<typeof fields> {}
export const domainSchema = named<Domain>("Domain", fields);

const check = z.object({
  type: recordType,
  name: z.string(),
  /** For addresses: all of the short-link host's, any of which will do */
  expected: z.string().describe("For addresses: all of the short-link host's, any of which will do"),
  /** What DNS says; null where no resolver answered */
  found: z.array(z.string()).nullable().describe("What DNS says; null where no resolver answered"),
  ok: z.boolean(),
});

const verificationFields = fields.extend({
  /** What was found just now, the TXT record first */
  checks: z.array(check).describe("What was found just now, the TXT record first"),
});

/** A custom domain, and its DNS records as they were found just now. */
export interface DomainVerification extends z.infer<typeof verificationFields> {}
export const verificationSchema = named<DomainVerification>("DomainVerification", verificationFields);

export type DnsRecord = Domain["dns"][number];
export type DnsCheck = z.infer<typeof check>;
