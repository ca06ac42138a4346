import type { Core } from "@terse/core";
import { generateOpenApiDocument } from "trpc-to-openapi";
export function openApiDocument(core: Core, baseUrl: string): unknown {
  return generateOpenApiDocument(core.router as never, {
    title: "Terse",
    version: "1.0.0",
    openApiVersion: "3.1.0",
    baseUrl,
  });
}
