import { type RenderedPage, renderPage, renderPasswordPage } from "@terse/server";
import { html } from "hono/html";

/** Says the same of a report that never was, has ended or was revoked. */
export const missingPage = (): Promise<RenderedPage> =>
  renderPage({
    status: 404,
    title: "Report not found",
    content: html`<p>The address is wrong, or the report is no longer shared. Ask the person who sent it to you.</p>`,
  });

/** A tag's figures are counted from raw clicks, which operators may keep for a time only. */
export const gonePage = (): Promise<RenderedPage> =>
  renderPage({
    status: 410,
    title: "No figures for this period",
    style: "a{color:var(--accent)}",
    content: html`<p>Some of its clicks are no longer kept. <a href="?period=all">Show those that are</a>.</p>`,
  });

const waitTitles = { 429: "Too many requests", 503: "The report cannot be made now" };

export async function waitPage(status: keyof typeof waitTitles, seconds: number): Promise<RenderedPage> {
  const page = await renderPage({
    status,
    title: waitTitles[status],
    content: html`<p>Please try again in ${seconds < 90 ? (seconds === 1 ? "a second" : `${seconds} seconds`) : `${Math.ceil(seconds / 60)} minutes`}.</p>`,
  });
  return { ...page, headers: { ...page.headers, "Retry-After": String(seconds) } };
}

/** The form for the password of a report. It reveals nothing about the report. */
export const passwordPage = (wrong: boolean): Promise<RenderedPage> =>
  renderPasswordPage({
    heading: "This report is protected",
    lead: "Enter the password to read it.",
    wrong,
    form: "self",
  });
