import { type RenderedPage, renderPage } from "@terse/server";
import { html } from "hono/html";

/** The form for a link's password, with a message if the last one was wrong. It reveals nothing about the link. */
export function passwordPage(wrong: boolean): Promise<RenderedPage<200 | 403>> {
  const heading = "This link is protected";
  return renderPage({
    status: wrong ? 403 : 200,
    title: wrong ? `Wrong password: ${heading}` : heading,
    heading,
    form: "anywhere", // redirects to the destination, which the policy cannot list
    content: html`<p>Enter the password to continue.</p>
${wrong && html`<p role="alert" id="problem">Wrong password. Please try again.</p>`}
<form method="post">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="200" required autofocus${wrong && html` aria-invalid="true" aria-describedby="problem"`}>
<button type="submit">Continue</button>
</form>`,
  });
}
