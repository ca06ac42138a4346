import * as z from "zod";
import { named, timestamp } from "../kernel/validation/strings.ts";
import { everyone } from "./sharing.ts";
import { appleFile, assetLinksFile } from "./association-files.ts";

export const domainStatuses = ["pending", "verified", "failed"] as const;
export type DomainStatus = (typeof domainStatuses)[number];

const recordType = z.enum(["TXT", "CNAME", "A", "AAAA"]);
const recordName = z.string().describe("Name of the DNS record");

const fields = z.object({
  id: z.string(),
  domain: z.string().describe("Host name in ASCII, lower case; international names in Punycode"),
  owned: z
    .boolean()
    .describe(
      "False for a domain that another workspace shares: links can be created on it, and its records and settings are left out",
    ),
  shared_with: z
    .union([z.literal(everyone), z.array(z.string())])
    .nullable()
    .describe('Ids of the workspaces that may create links on it, or "everyone"; null if it is not owned'),
  status: z
    .enum(domainStatuses)
    .describe(
      "pending until the records are found; failed if they were missing for 72 hours, or another account verified the name",
    ),
  dns: z
    .array(
      z.object({
        type: recordType,
        name: recordName,
        value: z.string(),
      }),
    )
    .describe(
      "The records to set: a TXT that proves ownership, and a CNAME, or A and AAAA for an apex, to the short-link host",
    ),
  created_at: timestamp,
  verified_at: timestamp.nullable().describe("When the domain was verified; null if it is not"),
  root_url: z.string().nullable().describe("Where visits to the bare domain, without a slug, are sent"),
  not_found_url: z.string().nullable().describe("Where visits to unknown slugs are sent"),
  expired_url: z.string().nullable().describe("Where visits to ended links are sent"),
  import_from: z.string().nullable().describe("The service that is asked about unknown slugs"),
  imported_links: z.int().min(0).describe("Number of links created from its answers"),
  apple_app_site_association: appleFile.nullable(),
  assetlinks: assetLinksFile.nullable(),
});

/** A custom domain as every client sees it. */
export interface Domain extends z.infer<typeof fields> {}
export const domainSchema = named<Domain>("Domain", fields);

const check = z.object({
  type: recordType,
  name: recordName,
  expected: z
    .string()
    .describe(
      "The expected value; for A and AAAA, all addresses of the short-link host, any of which is enough",
    ),
  found: z
    .array(z.string())
    .nullable()
    .describe("What DNS returned, without non-public addresses; null if no resolver answered"),
  ok: z.boolean(),
});

const verificationFields = fields.extend({
  checks: z.array(check).describe("The results of this check, TXT record first"),
});

/** A custom domain, and the result of a check of its DNS records. */
export interface DomainVerification extends z.infer<typeof verificationFields> {}
export const verificationSchema = named<DomainVerification>("DomainVerification", verificationFields);

export type DnsRecord = Domain["dns"][number];
export type DnsCheck = z.infer<typeof check>;

const linksOfOthers = z.int().min(0);

const changedFields = fields.extend({
  links_of_others: linksOfOthers
    .optional()
    .describe(
      "If `shared_with` was given: number of links of other workspaces on the domain, which redirect whether or not it is still shared with them",
    ),
});

/** A custom domain that was changed. */
export interface ChangedDomain extends z.infer<typeof changedFields> {}
export const changedDomainSchema = named<ChangedDomain>("ChangedDomain", changedFields);

const detailFields = fields.extend({
  zone: z
    .string()
    .describe("The registered name that the domain belongs to, where its DNS records are usually set"),
  name_servers: z
    .array(z.string())
    .nullable()
    .describe(
      "Up to ten name servers of the domain or its zone, which identify the DNS provider; null if no resolver answered",
    ),
  links: z.int().min(0).describe("Number of the account's links on the domain"),
  links_of_others: linksOfOthers
    .nullable()
    .describe("Number of links of other workspaces on the domain; null if it is not owned"),
});

/** A custom domain, its number of links, and its name servers. */
export interface DomainDetails extends z.infer<typeof detailFields> {}
export const domainDetailsSchema = named<DomainDetails>("DomainDetails", detailFields);

/** Custom-domain operations that are not RPC procedures. */
export interface Domains {
  /** True for the service's own hosts and verified custom domains, which may get a certificate. One read. */
  isServed(host: string): Promise<boolean>;
  /** Checks every domain that was not checked for an hour; returns how many. Throws if the database is unreachable. */
  checkDue(): Promise<number>;
  /** Repeats that until the core is closed. Safe on several nodes at once; does not keep the process alive. */
  startChecks(): void;
  close(): Promise<void>;
}
