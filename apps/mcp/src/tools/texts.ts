import { countOf, type Bucket, type Link, otherReferrers } from "@terse/core";

/** Summaries for people: one line for each thing. */

export function linkLine({ shortUrl, destination, title, click_count, is_active }: Link): string {
  const named = title === null ? "" : ` (${title})`;
  return `${shortUrl} → ${destination}${named}: ${countOf(click_count, "click")}${is_active ? "" : ", inactive"}`;
}

export const bucketLine = ({ shortUrl, name, links }: Bucket): string =>
  `${shortUrl} → ${name}: ${countOf(links.length, "link")}`;

export interface Page {
  page: number;
  total: number;
  total_pages: number;
  total_is_exact?: boolean;
}

export function pageLine({ page, total, total_pages, total_is_exact = true }: Page, thing: string): string {
  const atLeast = total_is_exact ? "" : "at least ";
  return `${atLeast}${countOf(total, thing)}, page ${page} of ${atLeast}${Math.max(1, total_pages)}`;
}

interface Report {
  clicks: number | null;
  visitors: number | null;
  bots: number | null;
  from: string;
  to: string;
  countries: { country: string }[];
  referrers: { referrer: string }[];
}

export function reportLine({ clicks, visitors, bots, from, to, countries, referrers }: Report): string {
  const [country] = countries;
  const named = referrers.find(({ referrer }) => referrer !== otherReferrers);
  const top = [country && `top country ${country.country}`, named && `top referrer ${named.referrer}`];
  const figures = `${countOf(clicks ?? 0, "click")} by ${countOf(visitors ?? 0, "visitor")}, ${countOf(bots ?? 0, "bot")}`;
  return [`From ${from} to ${to}: ${figures}`, ...top.filter(Boolean)].join(", ");
}

export function daysLine(days: { date: string; clicks: number }[]): string {
  const clicks = days.reduce((sum, day) => sum + day.clicks, 0);
  return `${countOf(clicks, "click")} from ${days[0]?.date} to ${days.at(-1)?.date}`;
}

interface Trial {
  dry_run?: unknown;
}
const nothingChanged = "Dry run, nothing was changed: ";

/** The result of changing many links or, in a dry run, of the attempt; or that a job does it. */
export const changedLine =
  (verb: "changed" | "deleted" | "moved") =>
  (
    answer: { matched: number; changed: number; results: unknown[] } | { job_id: string },
    { dry_run }: Trial,
  ): string => {
    if ("job_id" in answer)
      return dry_run === true
        ? `${nothingChanged}job ${answer.job_id} counts the links that would be ${verb}; get_job has them`
        : `Continues as job ${answer.job_id}`;
    const { changed, matched, results } = answer;
    const links = `${changed} of ${countOf(matched, "link")}`;
    return dry_run === true
      ? `${nothingChanged}${links} would be ${verb}, ${results.length} would not`
      : `${links} ${verb}, ${results.length} not`;
  };

export const createdLine = (
  { created, failed }: { created: number; failed: number },
  { dry_run }: Trial,
): string =>
  dry_run === true
    ? `${nothingChanged}${countOf(created, "link")} would be created, ${failed} would be refused`
    : `${countOf(created, "link")} created, ${failed} refused`;

export const domainLine = ({
  domain,
  status,
  owned,
}: {
  domain: string;
  status: string;
  owned: boolean;
}): string => `${domain}: ${status}${owned ? "" : ", shared by another workspace"}`;

export const jobLine = ({
  id,
  kind,
  status,
  done,
  total,
}: Record<"id" | "kind" | "status", string> & Record<"done" | "total", number>): string =>
  `${kind} ${id}: ${status}, ${done} of ${total}`;

export const explainLine = ({ location, reasons }: { location: string | null; reasons: string[] }): string =>
  [location === null ? "No redirect" : `Leads to ${location}`, ...reasons].join("\n");

export const whatIfLine = ({
  clicks,
  moved,
  unknown,
}: Record<"clicks" | "moved" | "unknown", number>): string =>
  `${moved} of ${countOf(clicks, "click")} would go elsewhere; ${unknown} unknown`;
