import type { AppRouter } from "@terse/core";
import type { inferRouterOutputs } from "@trpc/server";
import { withScheme } from "../../kit/format/with-scheme.ts";

export type Bucket = inferRouterOutputs<AppRouter>["buckets"]["get"];

/** Links that a page can hold. */
export const maxLinks = 10;

/** Visits of contacts are not counted: they have no short URL. */
export const isContact = (url: string): boolean => /^(?:mailto|tel):/i.test(url);

/** Completes what people type: an address becomes mailto:, a telephone number tel:, all else a web address. */
export function itemUrl(text: string): string {
  const trimmed = text.trim();
  if (isContact(trimmed)) return trimmed;
  if (/^[^\s@/:]+@[^\s@/:]+\.[^\s@/:]+$/.test(trimmed)) return `mailto:${trimmed}`;
  if (/^\+?[\d\s().-]{6,}$/.test(trimmed) && !/^\d+(?:\.\d+){3}$/.test(trimmed)) return `tel:${trimmed}`;
  return withScheme(trimmed);
}
