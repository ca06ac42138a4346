import { renderPage } from "@terse/server";
import { html } from "hono/html";
import type { Answer } from "../plain-answer.ts";

/** A page that says one thing: a heading, and a sentence about what to do. */
export function messagePage(status: Answer["status"], title: string, sentence: string): Promise<Answer> {
  return renderPage({ status, title, content: html`<p>${sentence}</p>` });
}

/** For addresses that lead nowhere; the same whether the link, its domain or its path is unknown. */
export const notFoundPage = (): Promise<Answer> =>
  messagePage(404, "Nothing here", "No short link has this address. Check it for typing mistakes.");

const whyGone = {
  inactive: "Its owner has switched it off.",
  expired: "It was made for a limited time, which is over.",
};

/** For links that were there. */
export const gonePage = (reason: keyof typeof whyGone): Promise<Answer> =>
  messagePage(410, "This link no longer works", whyGone[reason]);
