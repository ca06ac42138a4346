import type { RedirectCore } from "@terse/core/redirect";
import type { ServerEnv } from "@terse/server";
import type { Handler } from "hono";
import { slugOf, targetOf } from "./request-target.ts";

/** The image of a bucket's page, named by its content. No item has such a name: they are numbers. */
const avatarPath = /^(\/[^/]+)\/([\w-]{22}\.webp)$/;

export const isAvatarPath = (path: string): boolean => avatarPath.test(path);

/**
 * Answers `/{slug}/{name}.webp`, from the cached route of the page: an image ends with its page. It never changes under its
 * name, but caches ask again after a day, as an operator may have disabled the page. Nothing is counted.
 */
export function showAvatar({ redirects }: Pick<RedirectCore, "redirects">): Handler<ServerEnv> {
  return async (c, next) => {
    const target = targetOf(c.req.raw, c.env);
    const [, path = "", name = ""] = avatarPath.exec(target.path) ?? [];
    const slug = slugOf(path);
    const avatar = slug === null ? null : await redirects.avatar(target.host, slug, name);
    if (avatar === null) return next();
    return c.body(new Uint8Array(Buffer.from(avatar.image, "base64")), 200, {
      "Content-Type": "image/webp",
      "Cache-Control": "public, max-age=86400, immutable",
      "Content-Security-Policy": "default-src 'none'; sandbox",
    });
  };
}
