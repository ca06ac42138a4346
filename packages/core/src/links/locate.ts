import * as z from "zod";
import { type Call, accountProcedure } from "../rpc/procedure.ts";
import type { Account } from "../kernel/context.ts";
import { DomainEntity, isOwnHost } from "../domains/index.ts";
import { hostnameOf, ownDomainId } from "../kernel/short-host.ts";
import { AppError, notFound } from "../kernel/errors.ts";
import { isId, textUpTo } from "../validation/strings.ts";
import { LinkEntity } from "./link.entity.ts";
import type { Link } from "./link.schema.ts";
import { toLinks } from "./link.view.ts";
import { parseSlug } from "./slug.ts";

/** Room for a slug of 64 emoji, percent-encoded, behind a host name. */
const maxLength = 4096;
/** A refusal that lists more short URLs would be of no use. */
const mostNamed = 10;

/**
 * Finds the link that somebody means who has no id at hand. What has a slash is a short URL, with or without its
 * scheme; anything else an id or, where the account has none with that id, a slug on the service's own host or on a
 * custom domain of the account. A slug on several of them is refused (400), not guessed. In REST, ids are ids.
 */
export const locateLink = accountProcedure
  .input(z.object({ id: textUpTo(maxLength).describe("Id, slug or short URL of the link") }))
  .output(z.object({ id: z.string() }))
  .query(async ({ ctx, input: { id: text } }) => {
    const { em } = ctx;
    const known = isId(text) ? await em.findOne(LinkEntity, { id: text }) : null;
    if (known) return { id: known.id };

    const place = text.includes("/") ? await readUrl(ctx, text) : { slug: readSlug(text) };
    const { slug, ...domain } = place ?? { slug: null };
    const found = slug === null ? [] : await em.find(LinkEntity, { slug, ...domain }, { limit: mostNamed });
    const [link, ...others] = found;
    if (!link) throw notFound("Link");
    if (others.length > 0) throw ambiguous(await toLinks(ctx, found));
    return { id: link.id };
  });

/** A slug and the domain that it is on; null where the text is no URL, or of no host that serves this account's links. */
async function readUrl({ deps, em, account }: Call & { account: Account }, text: string) {
  const url = URL.parse(/^https?:\/\//i.test(text) ? text : `http://${text}`);
  if (!url) return null;
  const slug = readSlug(url.pathname.slice(1));
  if (isOwnHost(deps, url)) return { slug, domain_id: ownDomainId };
  const domain = await em.findOne(DomainEntity, { account_id: account.id, domain: hostnameOf(url) });
  return domain && { slug, domain_id: domain.id };
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

function ambiguous(links: readonly Link[]): AppError {
  const urls = links.map(({ shortUrl }) => shortUrl).join(", ");
  return new AppError("BAD_REQUEST", `id: this slug is on several domains; give one of ${urls}`);
}
