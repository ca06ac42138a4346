import { callProcedure, type Context as CoreContext, type Core, type FileReply } from "@terse/core";
import { rateLimitHeaders, type ServerEnv } from "@terse/server";
import { type Context, Hono } from "hono";
import { identify } from "./credentials.ts";
import { matchesETag } from "./etag.ts";
import { failure, success, withHeaders } from "./envelope.ts";
import { fileResponse } from "./file.ts";
import { isPrefetch, largeBodies, readInput } from "./input.ts";
import { type Operation, operationsOf } from "./operations.ts";
import { rejectOtherMethods } from "./other-methods.ts";

/** Registers one Hono route for each procedure of the router, at its documented path. */
export function restRoutes(core: Core, baseOrigin: string): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();

  const operations = operationsOf(core.router);
  const byPath = new Map(operations.map((operation) => [`${operation.method} ${operation.path}`, operation]));
  const isFixed = ({ path }: Operation) => !path.includes("{");
  for (const operation of operations.filter(isFixed)) register(operation);
  // Before `/v1/links/{id}` would take `/v1/links/export` for a link.
  rejectOtherMethods(app);
  for (const operation of operations.filter((each) => !isFixed(each))) register(operation);
  return app;

  function register(listed: Operation): void {
    const asFile = byPath.get(`GET ${listed.meta.openapi.fileAt}`);
    app.on(listed.method, honoPath(listed.path), async (c) => {
      const operation = asFile && c.req.query("format") !== undefined ? asFile : listed;
      const context = core.createContext(await identify(c, core, baseOrigin), {
        idempotencyKey: c.req.header("idempotency-key"),
        ifMatch: c.req.header("if-match"),
        isPrefetch: isPrefetch(c),
        lastEventId: c.req.header("last-event-id"),
      });
      const answer = await perform(c, operation, context).catch((error: unknown) => failure(c, error));
      return withHeaders(answer, {
        ...rateLimitHeaders(context.reply.rateLimit),
        ...(context.reply.etag && { ETag: context.reply.etag }),
        ...(context.reply.isReplayed && { "Idempotency-Replayed": "true" }),
      });
    });
  }
}

/** Calls an operation's procedure with the request's input and turns its output into a response. */
async function perform(c: Context<ServerEnv>, operation: Operation, context: CoreContext): Promise<Response> {
  const { actor } = context;
  const held = actor.kind === "account" ? largeBodies(actor.account.id) : undefined;
  const input = () => readInput(c, operation, held);
  const output = await callProcedure(operation.procedure, context, input, c.req.raw.signal).finally(() =>
    held?.release(),
  );
  if (operation.file) return fileResponse(c, output as FileReply);
  const { etag } = context.reply;
  if (etag && operation.method === "GET" && matchesETag(c.req.header("if-none-match"), etag))
    return c.body(null, 304, { "Cache-Control": "no-store" });
  const { data, meta } = operation.paged
    ? (output as Page)
    : { data: output, meta: context.reply.meta ?? null };
  return success(c, context.reply.status ?? operation.successStatus, data, meta);
}

interface Page {
  data: unknown[];
  meta: Record<string, number>;
}

const honoPath = (path: string) => path.replace(/\{(\w+)\}/g, ":$1");
