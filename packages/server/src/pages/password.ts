import { html } from "hono/html";
import { type Page, type RenderedPage, renderPage } from "./page.ts";
import type { Words } from "./words/en.ts";

/**
 * The form for a password, which reveals nothing it protects. `form` says where the right password leads; `wrong`, whether
 * the last one was wrong.
 */
export function renderPasswordPage(
  words: Words,
  of: "link" | "report",
  { wrong, form }: { wrong: boolean; form: NonNullable<Page["form"]> },
): Promise<RenderedPage<200 | 403>> {
  const { password } = words;
  const { title: heading, text } = password[of];
  return renderPage({
    status: wrong ? 403 : 200,
    words,
    title: wrong ? password.wrongTitle(heading) : heading,
    heading,
    form,
    content: html`<p>${text}</p>
${wrong && html`<p role="alert" id="problem">${password.wrong}</p>`}
<form method="post">
<label for="password">${password.label}</label>
<input id="password" name="password" type="password" autocomplete="current-password" maxlength="200" required autofocus${wrong && html` aria-invalid="true" aria-describedby="problem"`}>
<button type="submit">${words.continue}</button>
</form>`,
  });
}
