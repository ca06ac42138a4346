import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { brotliDecompressSync } from "node:zlib";
import type { ServerEnv } from "@terse/server";
import { Hono } from "hono";
import { html } from "hono/html";
import { compressed, fixedFile } from "../fixed-file.ts";
import { type ReferenceSource, references } from "./reference.ts";
import { referenceLinks, referencePage } from "./reference-page.ts";

const css = "text/css; charset=UTF-8";
const javascript = "text/javascript; charset=UTF-8";
const assets: [url: string, name: string, type: string][] = [
  [import.meta.resolve("swagger-ui-dist/swagger-ui.css"), "swagger-ui.css", css],
  [import.meta.resolve("swagger-ui-dist/swagger-ui-bundle.js"), "swagger-ui-bundle.js", javascript],
  [import.meta.resolve("swagger-ui-dist/favicon-32x32.png"), "favicon-32x32.png", "image/png"],
  [new URL("./style.css", import.meta.url).href, "style.css", css],
  [new URL("./start.js", import.meta.url).href, "start.js", javascript],
];

/** A build compresses the large ones. */
const read = (path: string) =>
  path.endsWith(".br") ? brotliDecompressSync(readFileSync(path)) : readFileSync(path);

const page = () => html`<!doctype html>
<html lang="en">
<head>
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <title>Terse API</title>
  <link rel="icon" href="/docs/favicon-32x32.png">
  <link rel="stylesheet" href="/docs/swagger-ui.css">
  <link rel="stylesheet" href="/docs/style.css">
</head>
<body>
  ${referenceLinks("")}
  <div id="docs"></div>
  <script src="/docs/swagger-ui-bundle.js"></script>
  <script src="/docs/start.js"></script>
</body>
</html>
`;

/** Swagger UI sets style attributes; that is the only exception in this policy. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Serves the API documentation (Swagger UI) from local files only, and the pages of the reference. */
export function docsRoutes(source: ReferenceSource): Hono<ServerEnv> {
  const app = new Hono<ServerEnv>();
  app.get("/docs", (c) =>
    c.html(page(), 200, { "Content-Security-Policy": policy, "Referrer-Policy": "same-origin" }),
  );
  for (const [name, referenceOf] of Object.entries(references))
    app.get(`/docs/${name}`, async (c) => {
      const { body, headers } = await referencePage(name, referenceOf(source));
      return c.body(body, 200, headers);
    });
  for (const [url, name, type] of assets) {
    app.get(
      `/docs/${name}`,
      fixedFile(
        type,
        compressed(() => read(fileURLToPath(url))),
        { "Cache-Control": "max-age=3600" },
      ),
    );
  }
  return app;
}
