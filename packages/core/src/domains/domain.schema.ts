import * as z from "zod";
import { timestamp } from "../validation/strings.ts";
import { domainStatuses } from "./domain.entity.ts";

const recordType = z.enum(["TXT", "CNAME", "A", "AAAA"]);

const fields = {
  id: z.string(),
  domain: z.string().describe("Host name in ASCII, lower case; international names in Punycode"),
  status: z
    .enum(domainStatuses)
    .describe(
      "pending until the records were found; failed when they stayed away, or somebody else proved the name",
    ),
  dns: z
    .array(z.object({ type: recordType, name: z.string(), value: z.string() }))
    .describe(
      "The records to set: a TXT that proves the domain, and a CNAME, or for an apex A and AAAA, that leads it here",
    ),
  created_at: timestamp,
  verified_at: timestamp.nullable().describe("When the domain was verified; null while it is not"),
};

export const domainSchema = z.object(fields).meta({ id: "Domain" });

const check = z.object({
  type: recordType,
  name: z.string(),
  expected: z.string().describe("For addresses: all of the short-link host's, any of which will do"),
  found: z.array(z.string()).nullable().describe("What DNS says; null where no resolver answered"),
  ok: z.boolean(),
});

export const verificationSchema = z
  .object({ ...fields, checks: z.array(check).describe("What was found just now, the TXT record first") })
  .meta({ id: "DomainVerification" });

export type Domain = z.infer<typeof domainSchema>;
export type DnsRecord = Domain["dns"][number];
export type DnsCheck = z.infer<typeof check>;
