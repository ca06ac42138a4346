import type { ServerEnv } from "@terse/server";
import { anyOrigin } from "@terse/server";
import { Hono } from "hono";
import { compressed, fixedFile } from "../fixed-file.ts";
import { serverJson } from "./server-json.ts";
import { type Addresses, texts } from "./texts.ts";

const headers = { ...anyOrigin, "Cache-Control": "public, max-age=3600" };

/** Serves what assistants and registries read to learn of this service. Everything in it is public. */
export function assistantRoutes(addresses: Addresses): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  for (const [path, textOf] of Object.entries(texts)) {
    const type = path.endsWith(".md") ? "text/markdown" : "text/plain";
    app.get(
      path,
      fixedFile(
        `${type}; charset=UTF-8`,
        compressed(() => textOf(addresses)),
        headers,
      ),
    );
  }
  app.get(
    "/server.json",
    fixedFile(
      "application/json; charset=UTF-8",
      compressed(() => JSON.stringify(serverJson(addresses), null, 2)),
      headers,
    ),
  );
  return app;
}
