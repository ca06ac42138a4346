import { type Core, requestFlags } from "@terse/core";
import { isLoopbackAddress, isLoopbackHost, isSecure, type ServerEnv, type Settings } from "@terse/server";
import type { Context } from "hono";
import { rejectForeignOrigin, sourceOf } from "../credentials.ts";
import { readForm } from "../input.ts";
import { accountKeptPage, openLinkPage, send, signInErrorPage, wordsOf } from "./pages/page.ts";
import { beginSession } from "./session-cookie.ts";

/**
 * Handles the one-time sign-in link, which grants full access to the account. With a loopback BASE_URL it works on this
 * machine only: with a loopback Host (which no page elsewhere can have) and a connection from a loopback address. With
 * an https BASE_URL, a person gets it by hand. It opens a page whose button uses it, because mail and chat programs open
 * links too.
 */
export function localLogin(core: Core, settings: Pick<Settings, "BASE_URL" | "TRUSTED_PROXIES">) {
  const { hostname, origin, protocol } = new URL(settings.BASE_URL);
  const isLocalService = isLoopbackHost(hostname);
  const hasTrustedProxies = settings.TRUSTED_PROXIES.length > 0;

  /** `client.address` is the peer's unless the peer is a trusted proxy; other proxies are recognised by their headers. */
  function isFromHere(c: Context<ServerEnv>): boolean {
    const asked = URL.parse(`http://${c.req.header("host") ?? ""}`)?.hostname ?? "";
    const proxied = Boolean(c.req.header("x-forwarded-for") ?? c.req.header("forwarded"));
    return (
      isLoopbackAddress(c.var.client.address) && isLoopbackHost(asked) && (hasTrustedProxies || !proxied)
    );
  }

  /** According to a trusted proxy; a browser that came by http ignores the session's cookie, which is Secure. */
  const isByHttps = (c: Context<ServerEnv>): boolean =>
    protocol === "https:" && c.var.client.protocol !== "http";

  function refusal(c: Context<ServerEnv>): "notFromHere" | "notByHttps" | null {
    if (isLocalService) return isFromHere(c) ? null : "notFromHere";
    return isByHttps(c) ? null : "notByHttps";
  }

  const refuse = async (c: Context<ServerEnv>, why: "notFromHere" | "notByHttps" | "usedUp") => {
    const words = wordsOf(c);
    return send(c, await signInErrorPage(words, { status: 403, ...words.signIn[why] }));
  };

  async function signIn(c: Context<ServerEnv>, token: string): Promise<Response> {
    const account = await core.logins.redeemLink(token, sourceOf(c));
    if (!account) return refuse(c, "usedUp");
    const secure = isSecure(c.var, origin);
    const isKept = await beginSession(c, core, account, { way: "sign-in link", secure });
    return isKept
      ? send(c, await accountKeptPage(wordsOf(c), "/"))
      : c.redirect("/", c.req.method === "POST" ? 303 : 302);
  }

  return {
    /** GET: signs in a person who opened the link on this machine; all others get a page with a button. */
    async open(c: Context<ServerEnv>): Promise<Response> {
      const refused = refusal(c);
      if (refused) return refuse(c, refused);
      const token = c.req.query("token") ?? "";
      return isLocalService && isOpenedByPerson(c)
        ? signIn(c, token)
        : send(c, await openLinkPage(wordsOf(c), token));
    },
    /** POST: the button. */
    async confirm(c: Context<ServerEnv>): Promise<Response> {
      const refused = refusal(c);
      if (refused) return refuse(c, refused);
      rejectForeignOrigin(c, origin);
      return signIn(c, (await readForm(c)).get("token") ?? "");
    },
  };
}

/**
 * False for HEAD, prefetch and preview requests, frames and scripts, which must not use the link up, and for a link on
 * another site, which could sign the visitor in to someone else's account. Browsers say where a request comes from (Fetch
 * Metadata); old ones do not, but ask for HTML. Other programs, such as curl, do neither.
 */
function isOpenedByPerson(c: Context): boolean {
  const site = c.req.header("sec-fetch-site");
  const isBrowser = site !== undefined || (c.req.header("accept") ?? "").includes("text/html");
  const isOwn = site === "same-origin" || site === "none";
  const dest = c.req.header("sec-fetch-dest") ?? "document";
  const flags = requestFlags(c.req.method, (name) => c.req.header(name));
  return flags === 0 && dest === "document" && (isOwn || !isBrowser);
}
