import type { Context as CoreContext, Core } from "@terse/core";
import { AppError } from "@terse/core";
import type { ServerEnv } from "@terse/server";
import { Hono } from "hono";
import { identify } from "./credentials.ts";
import { failure, rateLimitHeaders, success } from "./envelope.ts";
import { readInput } from "./input.ts";
import { type Operation, operationsOf } from "./operations.ts";

/** Projects every procedure of the router onto its documented path: one Hono route each, nothing by hand. */
export function restRoutes(core: Core, baseOrigin: string): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  const operations = operationsOf(core.router);

  for (const operation of operations) {
    app.on(operation.method, honoPath(operation.path), async (c) => {
      let context: CoreContext | undefined;
      try {
        context = core.createContext(await identify(c, core, baseOrigin));
        const output = await operation.procedure({
          ctx: context,
          path: operation.name,
          type: operation.type,
          getRawInput: () => readInput(c, operation),
          signal: c.req.raw.signal,
          batchIndex: 0,
        });
        const { data, meta } = operation.paged ? (output as Page) : { data: output, meta: null };
        return withHeaders(success(c, operation.successStatus, data, meta), rateLimitHeaders(context.reply));
      } catch (error) {
        return withHeaders(failure(c, error), context ? rateLimitHeaders(context.reply) : {});
      }
    });
  }

  for (const [path, methods] of methodsByPath(operations)) {
    app.all(honoPath(path), (c) => {
      const allow = methods.join(", ");
      const refusal = failure(
        c,
        new AppError("METHOD_NOT_SUPPORTED", `${c.req.method} is not allowed here; use ${allow}`),
      );
      return withHeaders(refusal, { Allow: allow });
    });
  }
  return app;
}

interface Page {
  data: unknown[];
  meta: Record<string, number>;
}

const honoPath = (path: string) => path.replace(/\{(\w+)\}/g, ":$1");

function methodsByPath(operations: readonly Operation[]): Map<string, string[]> {
  const methods = new Map<string, string[]>();
  for (const { path, method } of operations) {
    methods.set(path, [...(methods.get(path) ?? []), ...(method === "GET" ? ["GET", "HEAD"] : [method])]);
  }
  return methods;
}

function withHeaders(response: Response, headers: Record<string, string>): Response {
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  return response;
}
