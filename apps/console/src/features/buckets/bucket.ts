import type { Answers } from "../../kit/api/answers.ts";
import { refresh } from "../../kit/api/api.ts";
import { createDeletion, lastRequest } from "../../kit/api/deletion.ts";
import { withScheme } from "../../kit/format/url.ts";

export type Bucket = Answers["buckets"]["get"];

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

/** Deleting pages, which can be undone. */
export const { useDeleted: useDeletedBuckets, deleteLater } = createDeletion(
  async (ids) => {
    const requests = ids.map((id) =>
      lastRequest(`/v1/buckets/${encodeURIComponent(id)}`, { method: "DELETE" }),
    );
    return (await Promise.all(requests)).find((answer) => answer !== null) ?? null;
  },
  () => refresh("buckets"),
);
