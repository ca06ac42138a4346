import { renderPage } from "@terse/server";
import { html } from "hono/html";
import type { Answer } from "../plain-answer.ts";

/** Asks for a link's password, and says so where the last one was wrong. Tells nothing about the link. */
export function passwordPage(wrong: boolean): Promise<Answer> {
  const heading = "This link is protected";
  return renderPage({
    status: wrong ? 403 : 200,
    title: wrong ? `Wrong password: ${heading}` : heading,
    heading,
    form: "anywhere", // to the destination, which cannot be listed
    content: html`<p>Enter its password to go on.</p>
${wrong && html`<p role="alert" id="problem">That password is not right. Try again.</p>`}
<form method="post">
<label for="password">Password</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="200" required autofocus${wrong && html` aria-invalid="true" aria-describedby="problem"`}>
<button type="submit">Continue</button>
</form>`,
  });
}
