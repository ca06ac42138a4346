import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { ServerEnv } from "@terse/server";
import { Hono } from "hono";

const assetRoot = join(createRequire(import.meta.url).resolve("swagger-ui-dist/package.json"), "..");
const assets: Record<string, string> = {
  "swagger-ui.css": "text/css; charset=UTF-8",
  "swagger-ui-bundle.js": "text/javascript; charset=UTF-8",
  "favicon-32x32.png": "image/png",
};

const page = `<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Terse API</title>
  <link rel="icon" href="/docs/favicon-32x32.png">
  <link rel="stylesheet" href="/docs/swagger-ui.css">
</head>
<body>
  <div id="docs"></div>
  <script src="/docs/swagger-ui-bundle.js"></script>
  <script src="/docs/start.js"></script>
</body>
</html>
`;

/** Swagger UI has a dark theme but does not follow the system setting. */
const start = `const dark = matchMedia("(prefers-color-scheme: dark)");
const follow = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
dark.addEventListener("change", follow);
follow();
SwaggerUIBundle({ url: "/openapi.json", dom_id: "#docs", deepLinking: true, validatorUrl: null });
`;

/** Swagger UI sets style attributes; that is the only exception in this policy. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Serves the API documentation (Swagger UI) from local files only. */
export function docsRoutes(): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  app.get("/docs", (c) => c.html(page, 200, { "Content-Security-Policy": policy }));
  app.get("/docs/start.js", (c) => c.body(start, 200, { "Content-Type": "text/javascript; charset=UTF-8" }));
  for (const [name, type] of Object.entries(assets)) {
    app.get(`/docs/${name}`, async (c) =>
      c.body(await readFile(join(assetRoot, name)), 200, {
        "Content-Type": type,
        "Cache-Control": "max-age=3600",
      }),
    );
  }
  return app;
}
