import { type RenderedPage, renderPage } from "@terse/server";
import { html } from "hono/html";

/** Says the same of a report that never was, has ended or was revoked. */
export const missingPage = (): Promise<RenderedPage> =>
  renderPage({
    status: 404,
    title: "Report not found",
    content: html`<p>The address is wrong, or the report is no longer shared. Ask the person who sent it to you.</p>`,
  });

export async function waitPage(seconds: number): Promise<RenderedPage> {
  const page = await renderPage({
    status: 429,
    title: "Too many requests",
    content: html`<p>Please try again in ${seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`}.</p>`,
  });
  return { ...page, headers: { ...page.headers, "Retry-After": String(seconds) } };
}

/** The form for the password of a report. It reveals nothing about the report. */
export function passwordPage(wrong: boolean): Promise<RenderedPage> {
  const heading = "This report is protected";
  return renderPage({
    status: wrong ? 403 : 200,
    title: wrong ? `Wrong password: ${heading}` : heading,
    heading,
    form: "self",
    content: html`<p>Enter the password to read it.</p>
${wrong && html`<p role="alert" id="problem">Wrong password. Please try again.</p>`}
<form method="post">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="200" required autofocus${wrong && html` aria-invalid="true" aria-describedby="problem"`}>
<button type="submit">Continue</button>
</form>`,
  });
}
