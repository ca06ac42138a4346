import { type SourceLink, titleOf } from "../source.ts";
import type { ShortUrl } from "./answers.ts";

/** What a short URL of Shlink becomes. `domain` is where links of Shlink's default domain go; undefined: the service's own host. */
export function toLink(shortUrl: ShortUrl, domain: string | undefined): SourceLink {
  const { validUntil } = shortUrl.meta;
  const host = shortUrl.domain ?? domain;
  const title = titleOf(shortUrl.title);
  return {
    name: shortUrl.shortUrl,
    fields: {
      url: shortUrl.longUrl,
      slug: shortUrl.shortCode,
      ...(host && { domain: host }),
      ...(title && { title }),
      ...(validUntil && { expires_at: validUntil }),
    },
    created_at: new Date(shortUrl.dateCreated),
    visits: shortUrl.visitsSummary?.total ?? shortUrl.visitsCount ?? 0,
    refusal: refusalOf(shortUrl),
  };
}

/** A link is not taken over if it would lead visitors elsewhere than Shlink does. */
function refusalOf({ meta, hasRedirectRules }: ShortUrl): string | undefined {
  if (hasRedirectRules) return "it has redirect rules, which cannot be taken over yet";
  if (meta.maxVisits != null) return "it has a maximum of visits, which cannot be taken over yet";
  if (meta.validSince != null && Date.parse(meta.validSince) > Date.now())
    return `it is not valid before ${meta.validSince}`;
  return undefined;
}
