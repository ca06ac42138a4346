import {
  type Actor,
  AppError,
  asksForTooMuch,
  type Core,
  type Definition,
  definitionOf,
  issue,
  maxBatchSize,
  proceduresOf,
  toFailure,
  tooManyItems,
} from "@terse/core";
import { failureHeaders, type HeldBody, rateLimitHeaders, readBody, type ServerEnv } from "@terse/server";
import type { AnyRouter } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { Hono } from "hono";
import type { ContentfulStatusCode } from "hono/utils/http-status";
import { sendText } from "./compression.ts";
import { identify } from "./credentials.ts";
import { isPrefetch, largeBodies } from "./input.ts";

/**
 * Serves the same procedures to typed clients under /trpc, with the same credentials and errors, in tRPC's envelope; and
 * those of the operator's screens under /trpc-operator.
 */
export function trpcRoutes(core: Core, baseOrigin: string): Hono<ServerEnv> {
  return new Hono<ServerEnv>()
    .route("/", endpointOf("/trpc", core.router, core, baseOrigin))
    .route("/", endpointOf("/trpc-operator", core.operatorRouter, core, baseOrigin));
}

function endpointOf(endpoint: string, router: AnyRouter, core: Core, baseOrigin: string): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  const definitions = new Map(
    proceduresOf(router).map(([name, procedure]) => [name, definitionOf(procedure)]),
  );
  app.on(["GET", "POST"], `${endpoint}/*`, async (c) => {
    const names = namesIn(c.req.raw.url, endpoint);
    let caller: Promise<Actor> | undefined;
    const identified = () => (caller ??= identify(c, core, baseOrigin));
    // A single call may have a larger body, if the caller has an account.
    const larger =
      names.length === 1 ? definitions.get(names[0] ?? "")?.meta.openapi?.maxBodyBytes : undefined;
    const account = larger === undefined ? null : await accountOf(identified());
    const held = account === null ? undefined : largeBodies(account);
    const response = await fetchRequestHandler({
      endpoint,
      req: await withLimitedBody(c.req.raw, held ? larger : undefined, held),
      router,
      maxBatchSize,
      async createContext({ info }) {
        if (await isTooLarge(info.calls, definitions)) throw new AppError("BAD_REQUEST", tooManyItems);
        const idempotencyKey = c.req.header("idempotency-key");
        if (idempotencyKey !== undefined && names.length > 1)
          throw new AppError(
            "BAD_REQUEST",
            issue("Idempotency-Key", "invalid", "is for a single call; send this batch without it"),
          );
        return core.createContext(await identified(), { idempotencyKey, isPrefetch: isPrefetch(c) });
      },
      onError({ error }) {
        if (toFailure(error).status >= 500) c.error = error;
      },
      responseMeta: ({ ctx, errors }) => ({
        headers: {
          "Cache-Control": "no-store",
          ...(ctx && rateLimitHeaders(ctx.reply.rateLimit)),
          ...(ctx?.reply.isReplayed && { "Idempotency-Replayed": "true" }),
          ...Object.assign({}, ...errors.map((error) => failureHeaders(toFailure(error)))),
        },
      }),
    }).finally(() => held?.release());
    // tRPC sets no content type if it cannot read a request; the server would then add the default of Response.
    if (response.headers.get("content-type")?.startsWith("text/plain") ?? true) {
      response.headers.set("Content-Type", "application/json");
    }
    // An answer by lines is a stream: each line leaves when it is ready.
    if (c.req.header("trpc-accept") !== undefined || response.body === null) return response;
    const headers = Object.fromEntries(response.headers);
    return sendText(c, await response.text(), response.status as ContentfulStatusCode, headers);
  });
  return app;
}

/** Reads the inputs of a batch that could ask for too much. */
async function isTooLarge(
  calls: readonly { path: string; getRawInput: () => Promise<unknown> }[],
  definitions: ReadonlyMap<string, Definition>,
): Promise<boolean> {
  if (calls.length === 1) return false;
  const read = calls.map(async ({ path: name, getRawInput }) => {
    const definition = definitions.get(name);
    return definition ? [{ name, definition, input: await getRawInput() }] : [];
  });
  return asksForTooMuch((await Promise.all(read)).flat());
}

/** The names of a request's calls, as tRPC reads them. */
function namesIn(url: string, endpoint: string): string[] {
  const path = new URL(url).pathname.slice(endpoint.length + 1);
  try {
    return decodeURIComponent(path).split(",");
  } catch {
    return [];
  }
}

/** The id of a caller's account; null without one */
const accountOf = (caller: Promise<Actor>) =>
  caller.then(
    (actor) => (actor.kind === "account" ? actor.account.id : null),
    () => null,
  );

/**
 * Reads the body before tRPC does. If it is too large, reading it fails inside tRPC, so that the error is in tRPC's
 * envelope, and after the caller was identified.
 */
async function withLimitedBody(request: Request, maxBytes?: number, held?: HeldBody): Promise<Request> {
  const { method, headers, url } = request;
  if (!request.body) return request;
  const body = await readBody(request, maxBytes, held).catch((error: unknown) => failing(error));
  return new Request(url, { method, headers, body, signal: request.signal, duplex: "half" });
}

const failing = (error: unknown) =>
  new ReadableStream<Uint8Array<ArrayBuffer>>({ start: (controller) => controller.error(error) });
