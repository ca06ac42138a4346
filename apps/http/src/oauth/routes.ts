import { AppError, type Core, type OAuthRequest, toFailure } from "@terse/core";
import {
  anyOrigin,
  failureHeaders,
  isLoopbackHost,
  type Logger,
  metadataPathsOf,
  rateLimitKey,
  readBody,
  resourceMetadata,
  type ServerEnv,
  type Settings,
} from "@terse/server";
import { type Context, Hono, type MiddlewareHandler } from "hono";
import { getCookie } from "hono/cookie";
import type { Provider } from "oidc-provider";
import type { Choice } from "../auth/pages/home.ts";
import { send, wordsOf } from "../auth/pages/page.ts";
import { sentenceOf } from "../auth/pages/sentence.ts";
import { sourceOf } from "../credentials.ts";
import { readForm } from "../input.ts";
import { registrationOf } from "./client-metadata.ts";
import { consentPages } from "./consent.ts";
import { exchange } from "./exchange.ts";
import { metadataOf } from "./metadata.ts";
import { failurePage } from "./pages/consent-page.ts";
import { paths } from "./paths.ts";
import { createResources } from "./resources.ts";

export interface OAuthOptions {
  core: Core;
  settings: Pick<Settings, "BASE_URL" | "MCP_URL">;
  logger: Logger;
  /** The ways to sign in */
  choices: readonly Choice[];
}

/**
 * The authorization server: programs get tokens for the accounts of people who sign in and allow it. Its library is loaded
 * with the first request, because most nodes never get one.
 */
export function oauthRoutes({ core, settings, logger, choices }: OAuthOptions): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  const { origin, hostname } = new URL(settings.BASE_URL);
  const resources = createResources(settings);
  const signIn = {
    choices,
    isLocal: isLoopbackHost(hostname),
    passkeys: core.passkeys.isSupported,
    hasEmail: core.logins.email.isSet,
  };
  const consent = consentPages(core, origin, resources, signIn);

  let loading: Promise<{ provider: Provider; listener: ReturnType<Provider["callback"]> }> | undefined;
  const load = () =>
    (loading ??= import("./server.ts").then(({ createAuthorizationServer }) => {
      const provider = createAuthorizationServer({ core, issuer: origin, resources, logger });
      return { provider, listener: provider.callback() };
    }));

  const limited =
    (request: OAuthRequest): MiddlewareHandler<ServerEnv> =>
    async (c, next) => {
      await core.oauth.limit(request, rateLimitKey(c.var.client.address));
      await next();
    };

  /** Passes a request to the library, with the cookies that it may see. */
  async function pass(
    c: Context<ServerEnv>,
    changed: {
      search?: URLSearchParams;
      body?: string;
      cookies?: readonly string[];
      typed?: string | undefined;
    } = {},
  ): Promise<Response> {
    const { listener } = await load();
    const { search, body, cookies = [], typed } = changed;
    const url = new URL(c.req.path, origin);
    if (search) url.search = search.toString();
    const all = getCookie(c);
    const { response, failure } = await exchange((request, answer) => void listener(request, answer), {
      // Hono leaves the body out of its answer to a HEAD request.
      method: c.req.method === "HEAD" ? "GET" : c.req.method,
      url,
      headers: {
        accept: c.req.header("accept"),
        authorization: c.req.header("authorization"),
        "content-type": c.req.header("content-type"),
        cookie:
          cookies.flatMap((name) => (all[name] ? [`${name}=${all[name]}`] : [])).join("; ") || undefined,
      },
      body,
      source: sourceOf(c),
      typed,
      words: wordsOf(c),
    });
    if (failure) throw failure;
    // The library's own sign-in is used within a request only; its form for user codes is on one path.
    if (c.req.path !== paths.userCode) dropCookie(response.headers, "oauth_form");
    response.headers.set("Cache-Control", "no-store");
    return response;
  }

  // What programs call, also those that are pages of any site.
  for (const path of [paths.metadata, paths.token, paths.revoke, paths.register, paths.device])
    app.use(path, forAnyOrigin);
  app.get(paths.metadata, async (c) => {
    const all = (await (await pass(c)).json()) as Record<string, unknown>;
    return c.json(metadataOf(all, resources));
  });
  app.post(paths.token, limited("token"), async (c) => pass(c, { body: await formBody(c) }));
  app.post(paths.revoke, limited("token"), async (c) => pass(c, { body: await formBody(c) }));
  app.post(paths.device, limited("device"), async (c) => pass(c, { body: await formBody(c, true) }));
  app.post(paths.register, limited("registration"), async (c) => {
    const description = readDescription(await readBody(c.req.raw));
    if (description instanceof Error)
      return c.json({ error: "invalid_client_metadata", error_description: description.message }, 400);
    return pass(c, { body: JSON.stringify(description) });
  });

  const { api } = resources;
  for (const path of metadataPathsOf(api.address)) {
    app.use(path, forAnyOrigin);
    app.get(path, (c) =>
      c.json(resourceMetadata(settings, { resource: api.address, name: "Terse API", scopes: api.scopes })),
    );
  }

  // What people see.
  app.get(paths.authorize, limited("authorization"), (c) => {
    const search = resources.normalise(new URL(c.req.url).searchParams, { asks: true });
    if (search.getAll("response_mode").some((mode) => mode !== "query"))
      throw new AppError("BAD_REQUEST", 'response_mode: must be "query", or left out');
    return pass(c, { search });
  });
  app.get(`${paths.authorize}/:uid`, (c) => pass(c, { cookies: ["oauth_resume"] }));
  app.get(`${paths.consent}/:uid`, async (c) => consent.show(c, (await load()).provider));
  app.post(`${paths.consent}/:uid`, async (c) => consent.decide(c, (await load()).provider));
  app.get(paths.userCode, limited("authorization"), (c) => pass(c, { typed: c.req.query("user_code") }));
  app.post(paths.userCode, limited("user-code"), async (c) => {
    const form = await readForm(c);
    const typed = form.get("user_code")?.slice(0, 40);
    // A page that was open for too long, or came without its cookie: the library knows no form, and fails. It starts again.
    const cookie = getCookie(c, "oauth_form");
    if (cookie === undefined || !(await (await load()).provider.Session.find(cookie)))
      return c.redirect(
        paths.userCode +
          (typed === undefined ? "" : `?${new URLSearchParams({ user_code: typed }).toString()}`),
        303,
      );
    // The consent page shows the code, so that no other page has to ask about it.
    form.set("confirm", "yes");
    return pass(c, {
      body: form.toString(),
      cookies: ["oauth_form"],
      typed,
    });
  });
  app.get(`${paths.userCode}/:uid`, async (c) => {
    const response = await pass(c, { cookies: ["oauth_resume", "oauth_form"] });
    response.headers.append(
      "Set-Cookie",
      `oauth_form=; Path=${paths.userCode}; Max-Age=0; HttpOnly; SameSite=Lax`,
    );
    return response;
  });

  app.onError(async (error, c) => {
    const failure = toFailure(error);
    if (failure.status >= 500) c.error = error;
    if (isForPrograms(c.req.path)) {
      const name = failure.status >= 500 ? "server_error" : "invalid_request";
      const body = { error: codes[failure.status] ?? name, error_description: failure.message };
      const headers = { ...failureHeaders(failure), ...anyOrigin, "Cache-Control": "no-store" };
      return c.json(body, failure.status as 400, headers);
    }
    const words = wordsOf(c);
    const sentence = failure.status === 500 ? words.ourFault : sentenceOf(words, failure);
    return send(c, await failurePage(words, failure.status, sentence), failureHeaders(failure));
  });

  async function formBody(c: Context<ServerEnv>, asks = false): Promise<string> {
    return resources.normalise(await readForm(c), { asks }).toString();
  }
  return app;
}

/** Error codes of RFC 6749 that fit a status better than the others. */
const codes: Record<number, string> = { 429: "temporarily_unavailable", 503: "temporarily_unavailable" };

const isForPrograms = (path: string) =>
  path.startsWith("/.well-known/") ||
  [paths.token, paths.revoke, paths.register, paths.device].includes(path);

/** Lets pages of any site read the answers. No cookie is read on these paths, and none is set. */
const forAnyOrigin: MiddlewareHandler = async (c, next) => {
  if (c.req.method === "OPTIONS") {
    return c.body(null, 204, {
      ...anyOrigin,
      "Access-Control-Allow-Methods": "GET, POST",
      "Access-Control-Allow-Headers": "Authorization, Content-Type, MCP-Protocol-Version",
      "Access-Control-Max-Age": "3600",
    });
  }
  await next();
  for (const name of ["Access-Control-Allow-Origin", "Access-Control-Expose-Headers", "Vary", "Set-Cookie"])
    c.res.headers.delete(name);
  for (const [name, value] of Object.entries(anyOrigin)) c.res.headers.set(name, value);
  return undefined;
};

function readDescription(body: Uint8Array): object | Error {
  try {
    return registrationOf(JSON.parse(new TextDecoder().decode(body)));
  } catch (error) {
    return error instanceof SyntaxError ? new Error("The body is not JSON") : (error as Error);
  }
}

function dropCookie(headers: Headers, name: string): void {
  const kept = headers.getSetCookie().filter((cookie) => !cookie.startsWith(`${name}=`));
  headers.delete("Set-Cookie");
  for (const cookie of kept) headers.append("Set-Cookie", cookie);
}
