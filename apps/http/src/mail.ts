import type { Core } from "@terse/core";
import type { ServerEnv } from "@terse/server";
import { type Context, Hono } from "hono";
import { html } from "hono/html";
import { authPage, notFoundPage, send, wordsOf } from "./auth/pages/page.ts";

/**
 * Where the links in mails lead that switch a kind of mail off. Mail programs POST to the same address without asking (RFC 8058);
 * a person who opens it gets a page with a button, because mail scanners open links, too. Neither needs a session.
 */
export function mailRoutes({ mails }: Core): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  const page = async (c: Context<ServerEnv>, isDone: boolean) => {
    const token = c.req.query("token") ?? "";
    const topic = await (isDone ? mails.unsubscribe(token) : mails.topicOf(token));
    const words = wordsOf(c);
    if (topic === null) return send(c, await notFoundPage(words));
    const { mail } = words;
    const rendered = await authPage({
      status: 200,
      words,
      hasSwitch: !isDone,
      title: isDone ? mail.done.title : mail.title,
      form: "self",
      content: isDone
        ? html`<p>${mail.done.text(mail.topics[topic])}</p>`
        : html`<p>${mail.text(mail.topics[topic])}</p>
<form method="post" action="/mail/unsubscribe?token=${encodeURIComponent(token)}">
<button>${mail.button}</button>
</form>`,
    });
    return send(c, rendered);
  };
  app.get("/mail/unsubscribe", (c) => page(c, false));
  app.post("/mail/unsubscribe", (c) => page(c, true));
  return app;
}
