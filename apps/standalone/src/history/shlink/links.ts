import { creationAt, type SourceLink, tagsOf, titleOf } from "../source.ts";
import type { RedirectRules, ShortUrl } from "./answers.ts";
import { toRules } from "./rules.ts";

/**
 * Converts a short URL of Shlink. `domain` is where links of Shlink's default domain go (undefined: the service's own host),
 * `stored` are its redirect rules, if it has any.
 */
export function toLink(
  shortUrl: ShortUrl,
  domain: string | undefined,
  stored: RedirectRules | null,
): SourceLink {
  const { validSince, validUntil, maxVisits } = shortUrl.meta;
  const host = shortUrl.domain ?? domain;
  const title = titleOf(shortUrl.title);
  const tags = tagsOf(shortUrl.tags);
  const rules = stored && toRules(stored);
  return {
    name: shortUrl.shortUrl,
    fields: {
      url: shortUrl.longUrl,
      slug: shortUrl.shortCode,
      ...(host && { domain: host }),
      ...(title && { title }),
      ...(tags.length > 0 && { tags }),
      ...(validSince && { starts_at: validSince }),
      ...(validUntil && { expires_at: validUntil }),
      ...(maxVisits != null && limitOf(maxVisits, shortUrl)),
      ...(rules && { rules }),
      // Shlink adds the parameters of the visit, which replace those of the same name.
      ...(shortUrl.forwardQuery && { forward_query: "override" }),
    },
    ...creationAt(Date.parse(shortUrl.dateCreated)),
    visits: visitsOf(shortUrl),
    // It would lead visitors elsewhere than Shlink does.
    refusal: stored !== null && rules === null ? otherRules : undefined,
  };
}

/** Bots use up visits there, and none here. A link whose visits are used up stays closed. */
const limitOf = (maxVisits: number, shortUrl: ShortUrl) => ({
  click_limit: Math.max(1, maxVisits - (shortUrl.visitsSummary?.bots ?? 0)),
  ...(visitsOf(shortUrl) >= maxVisits && { is_active: 0 }),
});

export const visitsOf = ({ visitsSummary, visitsCount }: ShortUrl): number =>
  visitsSummary?.total ?? visitsCount ?? 0;

const otherRules = "it has a redirect rule by city, or one without an equivalent here";
