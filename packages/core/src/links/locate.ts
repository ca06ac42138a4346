import { type AccountCall, accountProcedure } from "./call.ts";
import * as z from "zod";
import { domainIdsNamed } from "../domains/sharing.ts";
import { isOwnHost } from "../redirects/destination.ts";
import { hostnameOf, ownDomainId, parseUrl } from "../kernel/host-names.ts";
import { type AppError, notFound, refusal } from "../kernel/errors.ts";
import { isId } from "../kernel/validation/ids.ts";
import { textUpTo } from "../kernel/validation/strings.ts";
import { LinkEntity, toLinks } from "./link.row.ts";
import type { Link } from "./link.schema.ts";
import { parseSlug, withoutGlued } from "../kernel/slug.ts";

/** Enough for a host name and a slug of 64 percent-encoded emoji. */
const maxLength = 4096;
/** Maximum number of short URLs that an error lists. */
const maxListed = 10;

/**
 * Finds a link by its id, slug or short URL. Text with a slash is a short URL, with or without its scheme, in any spelling that
 * leads visitors to the link or its preview page. Anything else is an id or, if the account has no link with that id, a slug on
 * the service's own host or on one of the account's custom domains. A slug on several of these is refused (400), not guessed.
 * Other operations of REST take ids only.
 */
export const locateLink = accountProcedure
  .meta({
    scope: ["links:read", "links:write", "analytics:read"],
    route: "GET /v1/links/locate",
    tag: "Links",
    summary: "Find a link by its slug or short URL",
    description:
      "Returns the id that the other operations take. A slug alone is looked up on the service's own host and on the account's domains; if several have it, the answer is 400 and names them.",
    successDescription: "The link's id",
    errors: [404],
  })
  .input(
    z.object({
      id: textUpTo(maxLength).meta({
        description: "Id, slug or short URL of the link",
        examples: ["launch-2026"],
      }),
    }),
  )
  .output(z.object({ id: z.string() }))
  .query(async ({ ctx, input: { id: text } }) => {
    const { em } = ctx;
    const linkById = isId(text) ? await em.findOne(LinkEntity, { id: text }) : null;
    if (linkById) return { id: linkById.id };

    const slug = slugInPath(text.trim().replace(/[?#].*$/s, ""));
    const condition = text.includes("/") ? await conditionOfUrl(ctx, text) : slug === null ? null : { slug };
    const found = condition === null ? [] : await em.find(LinkEntity, condition, { limit: maxListed });
    const [link, ...further] = found;
    if (!link) throw notFound("Link");
    if (further.length > 0) throw ambiguous(await toLinks(ctx, found));
    return { id: link.id };
  });

/** Where the link of a short URL is; null if the text is no URL, or its host is no short-link host. */
export async function conditionOfUrl(
  { deps }: AccountCall,
  text: string,
): Promise<{ slug: string; domain_id: string | { $in: string[] } } | null> {
  const trimmed = text.replace(/^[\p{White_Space}\p{Default_Ignorable_Code_Point}]+/u, "");
  const url = parseUrl(/^https?:\/\//i.test(trimmed) ? trimmed : `http://${trimmed}`);
  const slug = url && slugInPath(url.pathname.slice(1));
  if (url === null || slug === null) return null;
  if (isOwnHost(deps, url)) return { slug, domain_id: ownDomainId };
  const ids = await domainIdsNamed(deps.pool, hostnameOf(url));
  return ids.length === 0 ? null : { slug, domain_id: { $in: ids } };
}

/** The slug of a raw path, without the plus sign of its preview page and one slash at its end. */
function slugInPath(path: string): string | null {
  const kept = (withoutGlued(path) ?? path).replace(/(?:\+|%2B|\/)$/i, "");
  try {
    // Decoding is safe: a slug cannot contain a percent sign.
    const result = parseSlug(decodeURIComponent(kept));
    return result.ok ? result.slug : null;
  } catch {
    return null;
  }
}

function ambiguous(links: readonly Link[]): AppError {
  const urls = links.map(({ shortUrl }) => shortUrl);
  const message = `this slug is on several domains; give one of ${urls.join(", ")}`;
  return refusal("BAD_REQUEST", "id", "ambiguous", message, { choices: urls });
}
