import { languages, type RenderedPage } from "@terse/server";
import { html } from "hono/html";
import type { OidcContext } from "oidc-provider";
import { authPage } from "../../auth/pages/page.ts";
import type { ForwardedRequest } from "../exchange.ts";
import { paths } from "../paths.ts";

/** Pages that the library requests in the middle of a request; it sends what they put into its context. */

function put(ctx: OidcContext, { status, headers, body }: RenderedPage): void {
  ctx.status = status;
  ctx.set(headers);
  ctx.body = body;
}

const wordsOf = ({ req }: OidcContext) => (req as ForwardedRequest).words ?? languages.en;

/** Where a person types the code of a device. The library checks `xsrf`, which it keeps in a cookie. */
export async function showCodePage(
  ctx: OidcContext,
  _form: string,
  _out?: unknown,
  error?: Error,
): Promise<void> {
  const words = wordsOf(ctx);
  const { consent } = words;
  if (error?.name === "AbortedError") return put(ctx, await messagePage(ctx, consent.refused));
  const problems: Readonly<Record<string, string>> = consent.problems;
  const problem = error && (problems[error.name] ?? consent.otherProblem);
  const page = await authPage({
    status: error ? 400 : 200,
    words,
    title: consent.deviceTitle,
    form: "self",
    content: html`<p>${consent.enterCode}</p>
${problem && html`<p role="alert" id="problem">${problem}</p>`}
<form method="post" action="${paths.userCode}">
<input type="hidden" name="xsrf" value="${ctx.oidc.session.state?.secret ?? ""}">
<label for="code">${consent.code}</label>
<input id="code" name="user_code" autocomplete="off" autocapitalize="characters" spellcheck="false" required autofocus
maxlength="20" placeholder="XXXX-XXXX" value="${(ctx.req as ForwardedRequest).typed ?? ""}"${
      problem && html` aria-invalid="true" aria-describedby="problem"`
    }>
<button>${words.continue}</button>
</form>`,
  });
  put(ctx, page);
}

/** A page whose address shows it only once */
const messagePage = (ctx: OidcContext, { title, text }: { title: string; text: string }) =>
  authPage({ status: 200, words: wordsOf(ctx), hasSwitch: false, title, content: html`<p>${text}</p>` });

/** A device was allowed. */
export async function showDonePage(ctx: OidcContext): Promise<void> {
  const { connected, returnTo, theProgram } = wordsOf(ctx).consent;
  const text = returnTo(ctx.oidc.client.clientName ?? theProgram);
  put(ctx, await messagePage(ctx, { title: connected, text }));
}

/** A request that cannot be answered to the program, because it is not clear where that is. */
export async function showErrorPage(
  ctx: OidcContext,
  out: { error: string; error_description?: string },
): Promise<void> {
  const isOurs = out.error === "server_error";
  const words = wordsOf(ctx);
  const { title, text } = isOurs ? words.ourFault : words.consent.notConnectable;
  const page = await authPage({
    status: ctx.status,
    words,
    hasSwitch: false,
    title,
    content: html`<p>${text}</p>
${!isOurs && html`<p lang="en"><code>${out.error}${out.error_description && html`: ${out.error_description}`}</code></p>`}`,
  });
  put(ctx, page);
}
