import { callProcedure, type Context as CoreContext, type Core, type FileReply } from "@terse/core";
import { rateLimitHeaders, type ServerEnv } from "@terse/server";
import { Hono } from "hono";
import { identify } from "./credentials.ts";
import { failure, success, withHeaders } from "./envelope.ts";
import { fileAnswer } from "./file.ts";
import { readInput } from "./input.ts";
import { operationsOf } from "./operations.ts";

/** Projects every procedure of the router onto its documented path: one Hono route each, nothing by hand. */
export function restRoutes(core: Core, baseOrigin: string): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();

  for (const operation of operationsOf(core.router)) {
    app.on(operation.method, honoPath(operation.path), async (c) => {
      let context: CoreContext | undefined;
      try {
        context = core.createContext(await identify(c, core, baseOrigin));
        const input = () => readInput(c, operation);
        const output = await callProcedure(operation.procedure, context, input, c.req.raw.signal);
        if (operation.file) {
          return withHeaders(
            await fileAnswer(c, output as FileReply),
            rateLimitHeaders(context.reply.rateLimit),
          );
        }
        const { data, meta } = operation.paged ? (output as Page) : { data: output, meta: null };
        return withHeaders(
          success(c, operation.successStatus, data, meta),
          rateLimitHeaders(context.reply.rateLimit),
        );
      } catch (error) {
        return withHeaders(failure(c, error), context ? rateLimitHeaders(context.reply.rateLimit) : {});
      }
    });
  }
  return app;
}

interface Page {
  data: unknown[];
  meta: Record<string, number>;
}

const honoPath = (path: string) => path.replace(/\{(\w+)\}/g, ":$1");
