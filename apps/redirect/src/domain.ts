import type { Decision, DomainSettings, RedirectCore } from "@terse/core/redirect";
import { type Answer, redirectTo } from "./answer.ts";
import { jsonFile } from "./files.ts";
import { notFoundPage } from "./pages/message.ts";
import type { Target } from "./request-target.ts";
import type { Visit } from "./visit.ts";

/** The files that connect a custom domain with apps, and where phones look for them: never a redirect. */
export const domainFiles = {
  "/.well-known/apple-app-site-association": "apple_app_site_association",
  "/.well-known/assetlinks.json": "assetlinks",
} as const satisfies Record<string, keyof DomainSettings>;

/** A file of a domain; 404 if it has none. */
export async function domainFile(
  { redirects }: Pick<RedirectCore, "redirects">,
  visit: Pick<Visit, "target" | "words">,
  field: (typeof domainFiles)[keyof typeof domainFiles],
): Promise<Answer> {
  const settings = await redirects.domain(visit.target.host);
  const file = settings?.[field] ?? null;
  return file === null ? notFoundPage(visit.words) : jsonFile(file);
}

/** Where a custom domain sends a visit that no link answers, or one that has ended; null if it says nothing. Never counted. */
export async function domainAnswer(
  { redirects }: Pick<RedirectCore, "redirects">,
  { host, path }: Pick<Target, "host" | "path">,
  decision: Decision,
): Promise<Answer | null> {
  const hasEnded = decision.kind === "gone" && ["expired", "used_up"].includes(decision.reason);
  if (decision.kind !== "not_found" && !hasEnded) return null;
  const settings = await redirects.domain(host);
  if (settings === null) return null;
  const { root_url, not_found_url, expired_url } = settings;
  const url = hasEnded ? expired_url : path === "/" ? (root_url ?? not_found_url) : not_found_url;
  return url === null ? null : redirectTo(url);
}
