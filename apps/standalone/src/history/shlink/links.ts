import { type SourceLink, titleOf } from "../source.ts";
import type { RedirectRules, ShortUrl } from "./answers.ts";
import { toRules } from "./rules.ts";

/**
 * What a short URL of Shlink becomes. `domain` is where links of Shlink's default domain go (undefined: the service's own host),
 * `stored` are its redirect rules, if it has any.
 */
export function toLink(
  shortUrl: ShortUrl,
  domain: string | undefined,
  stored: RedirectRules | null,
): SourceLink {
  const { validUntil } = shortUrl.meta;
  const host = shortUrl.domain ?? domain;
  const title = titleOf(shortUrl.title);
  const rules = stored && toRules(stored);
  return {
    name: shortUrl.shortUrl,
    fields: {
      url: shortUrl.longUrl,
      slug: shortUrl.shortCode,
      ...(host && { domain: host }),
      ...(title && { title }),
      ...(validUntil && { expires_at: validUntil }),
      ...(rules && { rules }),
      // Shlink adds the parameters of the visit, which replace those of the same name.
      ...(shortUrl.forwardQuery && { forward_query: "override" }),
    },
    created_at: new Date(shortUrl.dateCreated),
    visits: visitsOf(shortUrl),
    refusal: stored !== null && rules === null ? otherRules : refusalOf(shortUrl),
  };
}

export const visitsOf = ({ visitsSummary, visitsCount }: ShortUrl): number =>
  visitsSummary?.total ?? visitsCount ?? 0;

const otherRules = "it has a redirect rule by city, or one that has no equal here";

/** A link is not taken over if it would lead visitors elsewhere than Shlink does. */
function refusalOf({ meta }: ShortUrl): string | undefined {
  if (meta.maxVisits != null) return "it has a maximum of visits, which cannot be taken over yet";
  if (meta.validSince != null && Date.parse(meta.validSince) > Date.now())
    return `it is not valid before ${meta.validSince}`;
  return undefined;
}
