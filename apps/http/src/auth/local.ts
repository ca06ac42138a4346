import { type Core, requestFlags } from "@terse/core";
import { isLoopbackAddress, isLoopbackHost, isSecure, type ServerEnv, type Settings } from "@terse/server";
import type { Context } from "hono";
import { openLinkPage } from "./pages/open-link.ts";
import { refusalPage, send } from "./pages/page.ts";
import { notFromHere, usedUp } from "./sign-in-error.ts";
import { beginSession } from "./session-cookie.ts";

/**
 * The one-time sign-in link. Whoever holds it becomes the account, so it works on the machine itself only: on a loopback
 * BASE_URL, called by such a name (no page elsewhere can have that), over a connection from here.
 */
export function localLogin(core: Core, settings: Pick<Settings, "BASE_URL" | "TRUSTED_PROXIES">) {
  const { hostname, origin } = new URL(settings.BASE_URL);
  const isLocalService = isLoopbackHost(hostname);
  const trustsProxies = settings.TRUSTED_PROXIES.length > 0;

  /** `client.address` is the peer's, unless that is a proxy to be trusted; others give themselves away. */
  function isFromHere(c: Context<ServerEnv>): boolean {
    const host = URL.parse(`http://${c.req.header("host") ?? ""}`)?.hostname ?? "";
    const proxied = Boolean(c.req.header("x-forwarded-for") ?? c.req.header("forwarded"));
    return isLoopbackAddress(c.var.client.address) && isLoopbackHost(host) && (trustsProxies || !proxied);
  }

  return async (c: Context<ServerEnv>): Promise<Response> => {
    if (!isLocalService || !isFromHere(c)) return send(c, await refusalPage(notFromHere));
    const token = c.req.query("token") ?? "";
    if (!isOpenedByPerson(c)) return send(c, await openLinkPage(token));
    const account = await core.logins.redeemLink(token);
    if (!account) return send(c, await refusalPage(usedUp));
    await beginSession(c, core, account, isSecure(c, origin));
    return c.redirect("/");
  };
}

/** HEAD, prefetch and preview requests, frames and scripts use nothing up. Who is no browser does not say. */
function isOpenedByPerson(c: Context): boolean {
  const dest = c.req.header("sec-fetch-dest") ?? "document";
  const flags = requestFlags(c.req.method, (name) => c.req.header(name));
  return flags === 0 && dest === "document";
}
