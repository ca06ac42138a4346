import * as z from "zod";
import type { AccountCall } from "../rpc/account-call.ts";
import { accountProcedure } from "../rpc/procedure.ts";
import { DomainEntity, isOwnHost } from "../domains/index.ts";
import { parseUrl } from "../kernel/host-names.ts";
import { hostnameOf, ownDomainId } from "../kernel/short-host.ts";
import { AppError, notFound } from "../kernel/errors.ts";
import { isId } from "../validation/ids.ts";
import { textUpTo } from "../validation/strings.ts";
import { LinkEntity } from "./link.entity.ts";
import type { Link } from "./link.schema.ts";
import { toLinks } from "./link.view.ts";
import { parseSlug } from "./slug.ts";

/** Enough for a host name and a slug of 64 percent-encoded emoji. */
const maxLength = 4096;
/** Maximum number of short URLs that an error lists. */
const maxListed = 10;

/**
 * Finds a link by its id, slug or short URL. Text with a slash is a short URL, with or without its scheme. Anything else
 * is an id or, if the account has no link with that id, a slug on the service's own host or on one of the account's
 * custom domains. A slug on several of these is refused (400), not guessed. Other operations of REST take ids only.
 */
export const locateLink = accountProcedure
  .meta({
    scope: ["links:read", "links:write", "analytics:read"],
    openapi: {
      method: "GET",
      path: "/v1/links/locate",
      tags: ["Links"],
      summary: "Find a link by its slug or short URL",
      description:
        "Takes what people know of a link, and answers with the id that the other operations take. A slug alone is looked for on the service's own host and on the account's domains; if several have it, the answer is 400 and names them.",
      successDescription: "The link's id",
      errors: [404],
    },
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

    const location = text.includes("/") ? await readUrl(ctx, text) : { slug: readSlug(text) };
    const { slug, ...domain } = location ?? { slug: null };
    const found = slug === null ? [] : await em.find(LinkEntity, { slug, ...domain }, { limit: maxListed });
    const [link, ...others] = found;
    if (!link) throw notFound("Link");
    if (others.length > 0) throw ambiguous(await toLinks(ctx, found));
    return { id: link.id };
  });

/** Returns a slug and its domain; null if the text is no URL, or its host does not serve this account's links. */
async function readUrl({ deps, em, account }: AccountCall, text: string) {
  const url = parseUrl(/^https?:\/\//i.test(text) ? text : `http://${text}`);
  if (!url) return null;
  const slug = readSlug(url.pathname.slice(1));
  if (isOwnHost(deps, url)) return { slug, domain_id: ownDomainId };
  const domain = await em.findOne(DomainEntity, { account_id: account.id, domain: hostnameOf(url) });
  return domain && { slug, domain_id: domain.id };
}

/** Decoding is safe: a slug cannot contain a percent sign. */
function readSlug(text: string): string | null {
  try {
    const result = parseSlug(decodeURIComponent(text));
    return result.ok ? result.slug : null;
  } catch {
    return null;
  }
}

function ambiguous(links: readonly Link[]): AppError {
  const urls = links.map(({ shortUrl }) => shortUrl).join(", ");
  return new AppError("BAD_REQUEST", `id: this slug is on several domains; give one of ${urls}`);
}
