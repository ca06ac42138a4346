import * as z from "zod";
import { isContact, parseContact } from "../../kernel/contacts.ts";
import { parseUrl } from "../../kernel/host-names.ts";
import { linksPerBucket } from "../../kernel/plans.ts";
import { parseDestination } from "../../redirects/destination.ts";
import type { BucketPage } from "../../redirects/redirects.types.ts";
import { parseOr400 } from "../../kernel/validation/issues.ts";
import { textUpTo } from "../../kernel/validation/strings.ts";
import { accentInput } from "./bucket.schema.ts";

/** An image that is not stored yet, small enough for a request. */
const imageInDraft = /^data:image\/(?:png|jpeg|webp);base64,[A-Za-z0-9+/]*={0,2}$/;

const draftSchema = z.object({
  name: textUpTo(100),
  description: textUpTo(200),
  accent_color: accentInput.catch(null),
  avatar_url: z.string().nullable(),
  links: z.array(z.object({ title: textUpTo(100), url: z.string() })).max(linksPerBucket),
});

/**
 * Returns the page that a bucket would have, from what is in an editor: `{name, description, accent_color, avatar_url, links}`.
 * Invalid parts are left out. `shortBase` is the short-link host's public address.
 * @throws {AppError} 400 for anything else
 */
export function draftPage(draft: unknown, shortBase: string): BucketPage {
  const { origin } = new URL(shortBase);
  const { name, description, accent_color, avatar_url, links } = parseOr400(draftSchema, draft);
  const isShown =
    avatar_url !== null && (imageInDraft.test(avatar_url) || parseUrl(avatar_url)?.origin === origin);
  return {
    url: origin,
    name: name.trim(),
    description: description.trim() || null,
    accent_color,
    avatar: isShown ? { url: avatar_url, image: "" } : null,
    links: links
      .filter(({ title, url }) => `${title}${url}`.trim() !== "")
      .map(({ title, url }) => {
        const parsed = isContact(url) ? parseContact(url) : parseDestination(url);
        return { title: title.trim(), url: origin, destination: parsed.ok ? parsed.url : "" };
      }),
  };
}
