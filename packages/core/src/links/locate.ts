import * as z from "zod";
import type { Call } from "../call.ts";
import { DomainEntity, isOwnHost } from "../domains/index.ts";
import { hostnameOf, ownDomainId } from "../short-host.ts";
import { AppError, notFound } from "../errors.ts";
import { accountProcedure } from "../procedure.ts";
import { isId, textUpTo } from "../text.ts";
import { LinkEntity } from "./link.entity.ts";
import { parseSlug } from "./slug.ts";

/** Room for a slug of 64 emoji, percent-encoded, behind a host name. */
const maxLength = 4096;

/**
 * Finds the link that somebody means who has no id at hand. What has a slash is a short URL, with or without its
 * scheme; anything else an id or, where the account has none with that id, a slug on the service's own host or on a
 * custom domain of the account. A slug on several of them is refused (400), not guessed. In REST, ids are ids.
 */
export const locateLink = accountProcedure
  .input(z.object({ id: textUpTo(maxLength).describe("Id, slug or short URL of the link") }))
  .output(z.object({ id: z.string() }))
  .query(async ({ ctx, input: { id: text } }) => {
    const { em, account } = ctx;
    const known = isId(text) ? await em.findOne(LinkEntity, { id: text }) : null;
    if (known) return { id: known.id };

    const domains = await em.find(DomainEntity, { account_id: account.id });
    const { slug, on } = text.includes("/") ? readUrl(ctx, text, domains) : readBare(text, domains);
    const found = slug === null ? [] : await em.find(LinkEntity, { slug, domain_id: { $in: on } });
    const [link, ...others] = found;
    if (!link) throw notFound("Link");
    if (others.length > 0) throw ambiguous(ctx, found, domains);
    return { id: link.id };
  });

type Domains = { id: string; domain: string }[];

/** A slug, null where the text cannot be one, and the domains that it may be on. */
interface Place {
  slug: string | null;
  on: string[];
}

const readBare = (text: string, domains: Domains): Place => ({
  slug: readSlug(text),
  on: [ownDomainId, ...domains.map(({ id }) => id)],
});

function readUrl({ deps }: Call, text: string, domains: Domains): Place {
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `http://${text}`);
  if (!url) return { slug: null, on: [] };
  const custom = domains.filter(({ domain }) => domain === hostnameOf(url)).map(({ id }) => id);
  return { slug: readSlug(url.pathname.slice(1)), on: isOwnHost(deps, url) ? [ownDomainId] : custom };
}

/** Decoding takes nothing away: a percent sign cannot be part of a slug. */
function readSlug(text: string): string | null {
  try {
    const result = parseSlug(decodeURIComponent(text));
    return result.ok ? result.slug : null;
  } catch {
    return null;
  }
}

function ambiguous({ deps }: Call, links: { slug: string; domain_id: string }[], domains: Domains): AppError {
  const nameOf = new Map(domains.map(({ id, domain }) => [id, domain]));
  const urls = links.map(({ slug, domain_id }) => deps.shortHost.urlOf(slug, nameOf.get(domain_id)));
  return new AppError("BAD_REQUEST", `id: this slug is on several domains; give one of ${urls.join(", ")}`);
}
