import type { RenderedPage } from "@terse/server";
import { html } from "hono/html";
import type { OidcContext } from "oidc-provider";
import { authPage } from "../../auth/pages/page.ts";
import type { ForwardedRequest } from "../exchange.ts";
import { paths } from "../paths.ts";

/** Pages that the library asks for in the middle of a request; it sends what they put into its context. */

function put(ctx: OidcContext, { status, headers, body }: RenderedPage): void {
  ctx.status = status;
  ctx.set(headers);
  ctx.body = body;
}

/** What went wrong with a code that a person typed, by the name of the library's error. */
const problems: Record<string, string> = {
  NoCodeError: "Enter the code that your device shows.",
  NotFoundError: "There is no such code. Compare it with the one on your device.",
  ExpiredError: "This code has expired. Start again on your device.",
  AlreadyUsedError: "This code was used already. Start again on your device.",
};

/** Where a person types the code of a device. The library checks `xsrf`, which it keeps in a cookie. */
export async function showCodePage(
  ctx: OidcContext,
  _form: string,
  _out?: unknown,
  error?: Error,
): Promise<void> {
  if (error?.name === "AbortedError") return put(ctx, await refusedPage());
  const problem = error && (problems[error.name] ?? "This did not work. Start again on your device.");
  const page = await authPage({
    status: error ? 400 : 200,
    title: "Connect a device",
    form: "self",
    content: html`<p>Enter the code that the program shows. Never enter a code that somebody sent you.</p>
${problem && html`<p role="alert" id="problem">${problem}</p>`}
<form method="post" action="${paths.userCode}">
<input type="hidden" name="xsrf" value="${ctx.oidc.session.state?.secret ?? ""}">
<label for="code">Code</label>
<input id="code" name="user_code" autocomplete="off" autocapitalize="characters" spellcheck="false" required autofocus
maxlength="20" placeholder="XXXX-XXXX" value="${(ctx.req as ForwardedRequest).typed ?? ""}"${
      problem && html` aria-invalid="true" aria-describedby="problem"`
    }>
<button>Continue</button>
</form>`,
  });
  put(ctx, page);
}

const refusedPage = () =>
  authPage({
    status: 200,
    title: "Not connected",
    content: html`<p>You refused, so the program got no access. You can close this page.</p>`,
  });

/** A device was allowed. */
export async function showDonePage(ctx: OidcContext): Promise<void> {
  const page = await authPage({
    status: 200,
    title: "Connected",
    content: html`<p>Return to ${ctx.oidc.client.clientName ?? "the program"}; it continues by itself. You can close this page.</p>`,
  });
  put(ctx, page);
}

/** A request that cannot be answered to the program, because it is not clear where that is. */
export async function showErrorPage(
  ctx: OidcContext,
  out: { error: string; error_description?: string },
): Promise<void> {
  const isOurs = out.error === "server_error";
  const page = await authPage({
    status: ctx.status,
    title: isOurs ? "Something went wrong" : "This program cannot be connected",
    content: isOurs
      ? html`<p>Sorry, this is a problem on our side. Please try again later.</p>`
      : html`<p>It sent a request that is not valid, or the request has expired. Start again in the program.</p>
<p><code>${out.error}${out.error_description && html`: ${out.error_description}`}</code></p>`,
  });
  put(ctx, page);
}
