import { type RenderedPage, renderPage } from "@terse/server";
import { html } from "hono/html";

/** A page with a heading and one sentence. */
export function messagePage<Status extends number>(
  status: Status,
  title: string,
  sentence: string,
): Promise<RenderedPage<Status>> {
  return renderPage({ status, title, content: html`<p>${sentence}</p>` });
}

let notFound: Promise<RenderedPage<404>> | undefined;
/** The 404 page; the same whether the link, the domain or the path is unknown. It is rendered once: scanners ask for it most. */
export const notFoundPage = (): Promise<RenderedPage<404>> =>
  (notFound ??= messagePage(
    404,
    "Link not found",
    "There is no short link at this address. Please check it for typos.",
  ));

let root: Promise<RenderedPage<200>> | undefined;
/** The page of the short-link host itself. */
export const rootPage = (): Promise<RenderedPage<200>> =>
  (root ??= messagePage(
    200,
    "Short links",
    "This address is for short links. To open one, enter it as a whole, with what follows the slash.",
  ));

const goneReasons = {
  disabled: "The operator of this service has disabled it.",
  inactive: "Its owner has turned it off.",
  blocked: "It leads to a site that is blocked as harmful.",
  expired: "It was available for a limited time and has expired.",
  used_up: "It was available for a limited number of visits, which are used up.",
};

/** The 410 page, for links that existed. */
export const gonePage = (reason: keyof typeof goneReasons): Promise<RenderedPage<410>> =>
  messagePage(410, "This link no longer works", goneReasons[reason]);
