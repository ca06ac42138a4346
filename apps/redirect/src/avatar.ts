import type { RedirectCore } from "@terse/core/redirect";
import type { Answer } from "./answer.ts";
import { slugOf } from "./request-target.ts";
import type { Visit } from "./visit.ts";

/** The image of a bucket's page, named by its content. No item has such a name: they are numbers. */
const avatarPath = /^(\/[^/]+)\/([\w-]{22}\.webp)$/;

/**
 * Answers `/{slug}/{name}.webp`, from the cached route of the page: an image ends with its page. It never changes under its
 * name, but caches ask again after a day, as an operator may have disabled the page. Null for any other path. Nothing is counted.
 */
export function showAvatar({ redirects }: Pick<RedirectCore, "redirects">) {
  return async ({ target }: Visit): Promise<Answer | null> => {
    const [, path = "", name = ""] = avatarPath.exec(target.path) ?? [];
    const slug = slugOf(path);
    const avatar = slug === null ? null : await redirects.avatar(target.host, slug, name);
    if (avatar === null) return null;
    const headers = {
      "Content-Type": "image/webp",
      "Cache-Control": "public, max-age=86400, immutable",
      "Content-Security-Policy": "default-src 'none'; sandbox",
    };
    return { status: 200, headers, body: Buffer.from(avatar.image, "base64") };
  };
}
