import { getRequestListener, type HttpBindings, RequestError } from "@hono/node-server";
import type { FetchApp } from "./listen.ts";
import { refusal, internalError, invalidTarget } from "./reject-request.ts";

/** Answers Node's requests by an app that answers `Request`s. */
export const createFetchListener = (app: FetchApp, logUnexpected: (error: unknown) => void) =>
  getRequestListener((request, env) => app.fetch(request, env as HttpBindings), {
    hostname: "localhost",
    errorHandler(error) {
      const invalid = error instanceof RequestError;
      if (!invalid) logUnexpected(error);
      const status = invalid ? 400 : 500;
      const { body, headers } = refusal(status, invalid ? invalidTarget : internalError);
      return new Response(body, { status, headers });
    },
  });
