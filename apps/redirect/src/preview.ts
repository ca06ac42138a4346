import { type RedirectCore, reportReasons } from "@terse/core/redirect";
import { failureHeaders, isForm, type ServerEnv, type Settings } from "@terse/server";
import type { Context, Handler } from "hono";
import { type Answer, answerTo, badForm, methodNotAllowed, send } from "./answer.ts";
import { limitBody } from "./follow.ts";
import { messagePage } from "./pages/message.ts";
import { previewPage, type Shown } from "./pages/preview.ts";
import { slugOf, targetOf } from "./request-target.ts";

/** The plus sign cannot be part of a slug, but of what a link forwards. Some programs encode it when they send a link on. */
const previewPath = /^(\/[^/]+(?:\/\d+)?)(?:\+|%2B)$/i;

export const isPreviewPath = (path: string): boolean => previewPath.test(path);

/** The details of a report take at most 4,500 bytes, percent-encoded. */
export const limitReport = limitBody(8192);

/** Answers `/{slug}+`: GET and HEAD show where the link leads, POST reports it. Nothing is counted. */
export function previewLink(
  core: RedirectCore,
  { ABUSE_CONTACT: contact = null }: Partial<Pick<Settings, "ABUSE_CONTACT">>,
): Handler<ServerEnv> {
  return async (c, next) => {
    const answered = await answer(c);
    return answered === null ? next() : send(c, answered);
  };

  /** Null for what may be a path that a link forwards, such as /slug/2+. */
  async function answer(c: Context<ServerEnv>): Promise<Answer | null> {
    const target = targetOf(c.req.raw, c.env);
    const path = previewPath.exec(target.path)?.[1] ?? "";
    const slug = slugOf(path);
    if (slug === null) return answerTo({ kind: "not_found" });
    const preview = await core.redirects.preview(target.host, slug);
    if (preview.kind === "not_found" && path.includes("/", 1)) return null;
    if (preview.kind === "gone" || preview.kind === "not_found") return answerTo(preview);
    switch (c.req.method) {
      case "GET":
      case "HEAD":
        return previewPage(preview, { path, contact });
      case "POST":
        return report(c, preview, target.host, path);
      default:
        return methodNotAllowed("GET, HEAD, POST");
    }
  }

  async function report(c: Context<ServerEnv>, preview: Shown, host: string, path: string): Promise<Answer> {
    if (isCrossSite(c, host)) return crossSite();
    if (!isForm(c.req.header("content-type"))) return badForm(415);
    const form = new URLSearchParams(await c.req.text());
    const reason = reportReasons.find((known) => known === form.get("reason"));
    if (reason === undefined) {
      return previewPage(preview, { path, contact, problem: "Please choose what is wrong with the link." });
    }
    const wait = await core.reports.submit({
      link_id: preview.link_id,
      reason,
      details: form.get("details") ?? "",
      address: c.var.client.address,
    });
    return wait === null ? thanks() : tooManyReports(wait);
  }
}

/** True if a page of another origin sent the form. Clients that send neither header are not browsers. */
function isCrossSite(c: Context, host: string): boolean {
  const site = c.req.header("sec-fetch-site");
  if (site !== undefined) return site !== "same-origin";
  const origin = c.req.header("origin");
  return origin !== undefined && URL.parse(origin)?.host !== host.toLowerCase();
}

const thanks = () =>
  messagePage(
    200,
    "Thank you",
    "The operator of this service has got your report and will look at the link.",
  );

const crossSite = () =>
  messagePage(403, "The report was not sent", "Please open the preview of the link and use the form there.");

async function tooManyReports(wait: number): Promise<Answer> {
  const page = await messagePage(429, "Too many reports", "Please try again in an hour.");
  return { ...page, headers: { ...page.headers, ...failureHeaders({ status: 429, retryAfter: wait }) } };
}
