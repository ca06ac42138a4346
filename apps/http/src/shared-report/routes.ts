import { type Core, toFailure } from "@terse/core";
import { isSecure, type RenderedPage, rateLimitKey, type ServerEnv } from "@terse/server";
import { type Context, Hono } from "hono";
import { getCookie, setCookie } from "hono/cookie";
import { wordsOf } from "../auth/pages/page.ts";
import { readForm } from "../input.ts";
import { gonePage, missingPage, passwordPage, waitPage } from "./messages.ts";
import { periodOf, reportPage } from "./page.ts";

const cookie = "terse_report";

/** Serves `/reports/{secret}`: a report that an account shared, for readers without one. */
export function sharedReportRoutes(core: Core, baseUrl: string): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  const path = "/reports/:secret{[A-Za-z0-9_-]{1,200}}";

  app.get(path, (c) => answer(c, undefined));
  app.post(path, async (c) => {
    const form = await readForm(c);
    return answer(c, form.get("password") ?? "");
  });
  return app;

  /** Readers are people: they get a page also if the figures cannot be had. */
  async function answer(c: Context<ServerEnv>, password: string | undefined): Promise<Response> {
    try {
      return send(c, await pageOf(c, password));
    } catch (error) {
      const { status, retryAfter = 1 } = toFailure(error);
      if (status === 400) return send(c, await gonePage(wordsOf(c)));
      if (status !== 503 || !(error instanceof Error)) throw error;
      c.error = error;
      return send(c, await waitPage(wordsOf(c), status, retryAfter));
    }
  }

  async function pageOf(c: Context<ServerEnv>, password: string | undefined): Promise<RenderedPage> {
    const words = wordsOf(c);
    const secret = c.req.param("secret") ?? "";
    const period = periodOf(c.req.query("period"));
    const found = await core.sharedReports.open({
      secret,
      period,
      client: rateLimitKey(c.var.client.address),
      password,
      unlock_token: getCookie(c, cookie),
    });
    if (found.kind === "missing") return missingPage(words);
    if (found.kind === "limited") return waitPage(words, 429, found.seconds);
    if (found.kind === "password") return passwordPage(words, found.wrong);
    if (found.unlock && password !== undefined)
      setCookie(c, cookie, found.unlock.token, {
        path: `/reports/${secret}`,
        maxAge: found.unlock.seconds,
        httpOnly: true,
        sameSite: "Lax",
        secure: isSecure(c.var, baseUrl),
      });
    return reportPage(words, found, period);
  }
}

const send = (c: Context<ServerEnv>, { status, headers, body }: RenderedPage) =>
  c.body(body, status as 200, { ...headers });
