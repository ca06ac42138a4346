import { chooseLanguage, isSecure, languages, type ServerEnv } from "@terse/server";
import { Hono } from "hono";
import { notFound } from "./not-found.ts";

/** Serves the switch of languages below each page. */
export function languageRoutes(baseUrl: string): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  const { host } = new URL(baseUrl);
  for (const code of Object.keys(languages))
    app.get(`/+${code}`, async (c) => {
      const headers = chooseLanguage(c.req.path, {
        referrer: c.req.header("referer"),
        hosts: [host, c.req.header("host") ?? host],
        secure: isSecure(c.var, baseUrl),
      });
      return headers === null ? notFound(c) : c.body(null, 303, headers);
    });
  return app;
}
