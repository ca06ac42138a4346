import { AppError, type Core, toFailure } from "@terse/core";
import type { ServerEnv } from "@terse/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { identify } from "./credentials.ts";
import { failure, failureHeaders, rateLimitHeaders } from "./envelope.ts";
import { maxBodyBytes } from "./input.ts";

const maxBatchSize = 20;

/** The same procedures for typed clients, under /trpc: same credentials, same errors, tRPC's own envelope. */
export function trpcRoutes(core: Core, baseOrigin: string): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  const tooLarge = new AppError("PAYLOAD_TOO_LARGE", `The body must have at most ${maxBodyBytes} bytes`);
  app.use("/trpc/*", bodyLimit({ maxSize: maxBodyBytes, onError: (c) => failure(c, tooLarge) }));
  app.all("/trpc/*", (c) =>
    fetchRequestHandler({
      endpoint: "/trpc",
      req: c.req.raw,
      router: core.router,
      maxBatchSize,
      createContext: async () => core.createContext(await identify(c, core, baseOrigin)),
      onError({ error }) {
        if (toFailure(error).status >= 500) c.error = error;
      },
      responseMeta: ({ ctx, errors }) => ({
        headers: {
          "Cache-Control": "no-store",
          ...(ctx ? rateLimitHeaders(ctx.reply) : {}),
          ...(errors[0] ? failureHeaders(toFailure(errors[0])) : {}),
        },
      }),
    }),
  );
  return app;
}
