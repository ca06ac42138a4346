import { type Page, type RenderedPage, renderPage, type Words } from "@terse/server";
import { html } from "hono/html";

/** The text of a page: a heading and one sentence. */
export interface Message {
  title: string;
  text: string;
}

/** A page with a message. */
export function messagePage<Status extends number>(
  status: Status,
  words: Words,
  { title, text }: Message,
  more: Pick<Page, "hasSwitch"> = {},
): Promise<RenderedPage<Status>> {
  return renderPage({ status, words, title, content: html`<p>${text}</p>`, ...more });
}

/** Renders a page once per language. */
function once<Rendered>(render: (words: Words) => Rendered): (words: Words) => Rendered {
  const made = new Map<Words, Rendered>();
  return (words) => {
    const page = made.get(words) ?? render(words);
    made.set(words, page);
    return page;
  };
}

/** The 404 page; the same whether the link, the domain or the path is unknown. Scanners ask for it most. */
export const notFoundPage = once((words) => messagePage(404, words, words.links.notFound));

/** The page of the short-link host itself. */
export const rootPage = once((words) => messagePage(200, words, words.links.root));

/** The 410 page, for links that existed. */
export const gonePage = (
  words: Words,
  reason: "disabled" | "inactive" | "blocked" | "expired" | "used_up",
): Promise<RenderedPage<410>> =>
  messagePage(410, words, { title: words.links.gone, text: words.links[reason] });
