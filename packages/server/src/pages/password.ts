import { html } from "hono/html";
import { type Page, type RenderedPage, renderPage } from "./page.ts";

interface PasswordPage {
  heading: string;
  /** What the form is for, in one sentence */
  lead: string;
  /** Whether the last password was wrong */
  wrong: boolean;
  /** Where the right password leads */
  form: NonNullable<Page["form"]>;
}

/** The form for the password of something, of which it shows nothing. */
export const renderPasswordPage = ({
  heading,
  lead,
  wrong,
  form,
}: PasswordPage): Promise<RenderedPage<200 | 403>> =>
  renderPage({
    status: wrong ? 403 : 200,
    title: wrong ? `Wrong password: ${heading}` : heading,
    heading,
    form,
    content: html`<p>${lead}</p>
${wrong && html`<p role="alert" id="problem">Wrong password. Please try again.</p>`}
<form method="post">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="200" required autofocus${wrong && html` aria-invalid="true" aria-describedby="problem"`}>
<button type="submit">Continue</button>
</form>`,
  });
