import type { Core } from "@terse/core";
import { isSecure, type RenderedPage, rateLimitKey, type ServerEnv } from "@terse/server";
import { type Context, Hono } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { readForm } from "../input.ts";
import { missingPage, passwordPage, waitPage } from "./messages.ts";
import { periodOf, reportPage } from "./page.ts";

const cookie = "terse_report";

/** Serves `/reports/{secret}`: a report that an account shared, for readers without one. */
export function sharedReportRoutes(core: Core, baseUrl: string): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  const path = "/reports/:secret{[A-Za-z0-9_-]{1,200}}";

  app.get(path, async (c) => send(c, await pageOf(c, undefined)));
  app.post(path, async (c) => {
    const form = await readForm(c);
    return send(c, await pageOf(c, form.get("password") ?? ""));
  });
  return app;

  async function pageOf(c: Context<ServerEnv>, password: string | undefined): Promise<RenderedPage> {
    const secret = c.req.param("secret") ?? "";
    const period = periodOf(c.req.query("period"));
    const answer = await core.sharedReports.open({
      secret,
      period,
      client: rateLimitKey(c.var.client.address),
      password,
      unlock_token: getCookie(c, cookie),
    });
    if (answer.kind === "missing") return missingPage();
    if (answer.kind === "limited") return waitPage(answer.seconds);
    if (answer.kind === "password") return passwordPage(answer.wrong);
    if (answer.unlock && password !== undefined)
      setCookie(c, cookie, answer.unlock.token, {
        path: `/reports/${secret}`,
        maxAge: answer.unlock.seconds,
        httpOnly: true,
        sameSite: "Lax",
        secure: isSecure(c.var, baseUrl),
      });
    return reportPage(answer, period);
  }
}

const send = (c: Context<ServerEnv>, { status, headers, body }: RenderedPage) =>
  c.body(body, status as 200, { ...headers });
