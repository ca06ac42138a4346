import * as z from "zod";

/** Answers of Shlink's REST API, version 3; only the used fields. Fields that older versions lack are optional. */

const page = { pagination: z.object({ totalItems: z.int().min(0), pagesCount: z.int().min(0) }) };

export const shortUrl = z.object({
  shortUrl: z.string(),
  shortCode: z.string(),
  /** Null for the default domain */
  domain: z.string().nullish(),
  longUrl: z.string(),
  title: z.string().nullish(),
  dateCreated: z.string(),
  tags: z.array(z.string()).default([]),
  meta: z
    .object({
      validSince: z.string().nullish(),
      validUntil: z.string().nullish(),
      maxVisits: z.int().nullish(),
    })
    .default({}),
  visitsSummary: z.object({ total: z.int().min(0), bots: z.int().min(0).default(0) }).optional(),
  /** Replaced by visitsSummary in Shlink 4 */
  visitsCount: z.int().min(0).optional(),
  forwardQuery: z.boolean().default(false),
  /** Shlink 4.0 to 4.2 does not say it. */
  hasRedirectRules: z.boolean().optional(),
  /** Destinations by device, null for the usual one; Shlink 3 has no other rules. */
  deviceLongUrls: z.record(z.string(), z.string().nullable()).optional(),
});
export type ShortUrl = z.output<typeof shortUrl>;

export const shortUrls = z.object({ shortUrls: z.object({ data: z.array(shortUrl), ...page }) });

const visit = z.object({
  referer: z.string(),
  date: z.string(),
  userAgent: z.string(),
  potentialBot: z.boolean().default(false),
  visitLocation: z
    .object({
      countryCode: z.string().nullish(),
      regionName: z.string().nullish(),
      cityName: z.string().nullish(),
      latitude: z.number().nullish(),
      longitude: z.number().nullish(),
    })
    .nullish(),
});
export type Visit = z.output<typeof visit>;

export const visits = z.object({ visits: z.object({ data: z.array(visit), ...page }) });

const condition = z.object({
  type: z.string(),
  matchKey: z.string().nullish(),
  matchValue: z.string().nullish(),
});
export type Condition = z.output<typeof condition>;

export const redirectRules = z.object({
  redirectRules: z.array(
    z.object({ longUrl: z.string(), priority: z.number(), conditions: z.array(condition) }),
  ),
});
export type RedirectRules = z.output<typeof redirectRules>;

const total = z.object({ total: z.int().min(0) }).optional();

/** Older versions have other names. */
export const allVisits = z.object({
  visits: z.object({
    nonOrphanVisits: total,
    orphanVisits: total,
    visitsCount: z.int().min(0).optional(),
    orphanVisitsCount: z.int().min(0).optional(),
  }),
});
