import type { Decision, DomainSettings, RedirectCore } from "@terse/core/redirect";
import type { ServerEnv } from "@terse/server";
import type { Handler } from "hono";
import { type Answer, redirectTo, send } from "./answer.ts";
import { jsonFile } from "./files.ts";
import { notFoundPage } from "./pages/message.ts";
import { type Target, targetOf } from "./request-target.ts";

/** The files that connect a custom domain with apps, and where phones look for them: never a redirect. */
export const domainFiles = {
  "/.well-known/apple-app-site-association": "apple_app_site_association",
  "/.well-known/assetlinks.json": "assetlinks",
} as const satisfies Record<string, keyof DomainSettings>;

/** Answers with a file of the requested domain; 404 if it has none. */
export function serveDomainFile(
  { redirects }: Pick<RedirectCore, "redirects">,
  field: (typeof domainFiles)[keyof typeof domainFiles],
): Handler<ServerEnv> {
  return async (c) => {
    const settings = await redirects.domain(targetOf(c.req.raw, c.env).host);
    const file = settings?.[field] ?? null;
    return send(c, file === null ? await notFoundPage() : jsonFile(file));
  };
}

/** Where a custom domain sends a visit that no link answers, or one that has ended; null if it says nothing. Never counted. */
export async function domainAnswer(
  { redirects }: Pick<RedirectCore, "redirects">,
  { host, path }: Pick<Target, "host" | "path">,
  decision: Decision,
): Promise<Answer | null> {
  const hasEnded = decision.kind === "gone" && decision.reason === "expired";
  if (decision.kind !== "not_found" && !hasEnded) return null;
  const settings = await redirects.domain(host);
  if (settings === null) return null;
  const { root_url, not_found_url, expired_url } = settings;
  const url = hasEnded ? expired_url : path === "/" ? (root_url ?? not_found_url) : not_found_url;
  return url === null ? null : redirectTo(url);
}
