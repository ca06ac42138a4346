import { type Core, requestFlags } from "@terse/core";
import { isLoopbackAddress, isLoopbackHost, isSecure, type ServerEnv, type Settings } from "@terse/server";
import type { Context } from "hono";
import { rejectForeignOrigin } from "../credentials.ts";
import { readForm } from "../input.ts";
import { openLinkPage, send, signInErrorPage } from "./pages/page.ts";
import { notFromHere, usedUp } from "./sign-in-error.ts";
import { beginSession } from "./session-cookie.ts";

/**
 * Handles the one-time sign-in link. It grants full access to the account, so it works on this machine only: with a
 * loopback BASE_URL, a loopback Host (which no page elsewhere can have) and a connection from a loopback address.
 */
export function localLogin(core: Core, settings: Pick<Settings, "BASE_URL" | "TRUSTED_PROXIES">) {
  const { hostname, origin } = new URL(settings.BASE_URL);
  const isLocalService = isLoopbackHost(hostname);
  const hasTrustedProxies = settings.TRUSTED_PROXIES.length > 0;

  /** `client.address` is the peer's unless the peer is a trusted proxy; other proxies are recognised by their headers. */
  function isFromHere(c: Context<ServerEnv>): boolean {
    const host = URL.parse(`http://${c.req.header("host") ?? ""}`)?.hostname ?? "";
    const proxied = Boolean(c.req.header("x-forwarded-for") ?? c.req.header("forwarded"));
    return isLoopbackAddress(c.var.client.address) && isLoopbackHost(host) && (hasTrustedProxies || !proxied);
  }

  async function signIn(c: Context<ServerEnv>, token: string): Promise<Response> {
    const account = await core.logins.redeemLink(token);
    if (!account) return send(c, await signInErrorPage(usedUp));
    await beginSession(c, core, account, isSecure(c, origin));
    return c.redirect("/", c.req.method === "POST" ? 303 : 302);
  }

  return {
    /** GET: signs in a person who opened the link; all others get a page with a button. */
    async open(c: Context<ServerEnv>): Promise<Response> {
      if (!isLocalService || !isFromHere(c)) return send(c, await signInErrorPage(notFromHere));
      const token = c.req.query("token") ?? "";
      return isOpenedByPerson(c) ? signIn(c, token) : send(c, await openLinkPage(token));
    },
    /** POST: the button. */
    async confirm(c: Context<ServerEnv>): Promise<Response> {
      if (!isLocalService || !isFromHere(c)) return send(c, await signInErrorPage(notFromHere));
      rejectForeignOrigin(c, origin);
      return signIn(c, (await readForm(c)).get("token") ?? "");
    },
  };
}

/**
 * False for HEAD, prefetch and preview requests, frames and scripts, which must not use the link up, and for a link on another
 * site, which could sign the visitor in to somebody else's account. Browsers say where a request comes from (Fetch Metadata);
 * old ones do not, but ask for HTML. Other programs, such as curl, do neither.
 */
function isOpenedByPerson(c: Context): boolean {
  const site = c.req.header("sec-fetch-site");
  const isBrowser = site !== undefined || (c.req.header("accept") ?? "").includes("text/html");
  const isOwn = site === "same-origin" || site === "none";
  const dest = c.req.header("sec-fetch-dest") ?? "document";
  const flags = requestFlags(c.req.method, (name) => c.req.header(name));
  return flags === 0 && dest === "document" && (isOwn || !isBrowser);
}
