import { type RedirectCore, reportReasons, withoutGlued } from "@terse/core/redirect";
import { failureHeaders, type Settings } from "@terse/server";
import { type Answer, answerTo, badForm, methodNotAllowed } from "./answer.ts";
import { messagePage } from "./pages/message.ts";
import { previewPage, type Shown } from "./pages/preview.ts";
import { slugOf } from "./request-target.ts";
import type { Visit } from "./visit.ts";

/**
 * The plus sign cannot be part of a slug, but of a forwarded path. Some programs encode it when they send a link on.
 */
const previewPath = /^(\/[^/]+(?:\/\d+)?)(?:\+|%2B)$/i;

/** The details of a report take at most 4,500 bytes, percent-encoded. */
const maxReportBytes = 8192;

/**
 * Answers `/{slug}+`: GET and HEAD show where the link leads, POST reports it. Null for any other path, and for what may be a
 * path that a link forwards, such as /slug/2+. Nothing is counted.
 */
export function previewLink(
  core: RedirectCore,
  { ABUSE_CONTACT: contact = null }: Partial<Pick<Settings, "ABUSE_CONTACT">>,
): (visit: Visit) => Promise<Answer | null> {
  return async (visit) => {
    const { target, method } = visit;
    const path = previewPath.exec(withoutGlued(target.path) ?? target.path)?.[1];
    if (path === undefined) return null;
    const slug = slugOf(path);
    if (slug === null) return answerTo({ kind: "not_found" }, visit);
    const preview = await core.redirects.preview(target.host, slug);
    if (preview.kind === "not_found" && path.includes("/", 1)) return null;
    if (preview.kind === "gone" || preview.kind === "not_found") return answerTo(preview, visit);
    switch (method) {
      case "GET":
      case "HEAD":
        return previewPage(preview, visit.words, { path, contact });
      case "POST":
        return report(visit, preview, path);
      default:
        return methodNotAllowed(visit, "GET, HEAD, POST");
    }
  };

  async function report(visit: Visit, preview: Shown, path: string): Promise<Answer> {
    const { words } = visit;
    if (isCrossSite(visit)) return messagePage(403, words, words.preview.notSent);
    const form = await visit.form(maxReportBytes);
    if (typeof form === "number") return badForm(visit, form);
    const reason = reportReasons.find((known) => known === form.get("reason"));
    if (reason === undefined) {
      return previewPage(preview, words, { path, contact, hasNoReason: true });
    }
    const wait = await core.reports.submit({
      link_id: preview.link_id,
      reason,
      details: form.get("details") ?? "",
      address: visit.client.address,
    });
    if (wait === null) return messagePage(200, words, words.preview.thanks, { hasSwitch: false });
    const page = await messagePage(429, words, { title: words.preview.tooMany, text: words.again(wait) });
    return { ...page, headers: { ...page.headers, ...failureHeaders({ status: 429, retryAfter: wait }) } };
  }
}

/** True if a page of another origin sent the form. Clients that send neither header are not browsers. */
function isCrossSite({ header, target: { host } }: Visit): boolean {
  const site = header("sec-fetch-site");
  if (site !== undefined) return site !== "same-origin";
  const origin = header("origin");
  return origin !== undefined && URL.parse(origin)?.host !== host.toLowerCase();
}
