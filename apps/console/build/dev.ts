import { join } from "node:path";
import { backgrounds, commands } from "@terse/server";
import react from "@vitejs/plugin-react";
import { createServer, type Plugin, type ViteDevServer } from "vite";
import { worldOutlines } from "./outlines.ts";
import { modulesByPath, screensPlugin, sources } from "./screens.ts";
import { stylesForVite } from "./style.ts";

/** Where the modules are; all other paths are the service's. */
const base = "/@src/";

export interface DevOptions {
  /** The origin of the running service, such as http://localhost:3000 */
  readonly service: string;
  readonly port: number;
}

/**
 * Serves the console from its sources, with hot replacement, development React and source maps. Screens are answered here, and
 * every other request by the running service.
 */
export async function startDev({ service, port }: DevOptions): Promise<ViteDevServer> {
  const server = await createServer({
    configFile: false,
    root: sources,
    base,
    logLevel: "warn",
    optimizeDeps: {
      entries: ["app/main.tsx", "kit/testing/kit-page.tsx", ...Object.values(modulesByPath).flat()],
    },
    cacheDir: join(import.meta.dirname, "../node_modules/.cache/vite"),
    define: {
      PAGE_GROUNDS: JSON.stringify(backgrounds),
      WORLD_OUTLINES: JSON.stringify(await worldOutlines()),
    },
    plugins: [react(), screensPlugin, stylesForVite(), pages()],
    server: {
      port,
      strictPort: true,
      fs: { allow: [join(import.meta.dirname, "../../..")] },
      proxy: {
        [`^(?!${base})`]: {
          target: service,
          changeOrigin: true,
          // The service takes changes only from its own origin.
          headers: { origin: new URL(service).origin },
          bypass: ({ method, url = "/" }) =>
            method === "GET" ? pageOf(new URL(url, service).pathname) : undefined,
        },
      },
    },
  });
  return server.listen();
}

const patterns = Object.keys(modulesByPath).map(
  (path) => new RegExp(`^${path.replaceAll(/:\w+/g, "[^/]+")}$`),
);
/** The page of a screen, or of the kit, which only this server has. */
function pageOf(path: string): string | undefined {
  if (path === "/kit") return `${base}kit/testing/kit.html`;
  return patterns.some((pattern) => pattern.test(path)) ? `${base}app/index.html` : undefined;
}

/** Adds what the bundler adds to the page: the first script, which imports the style sheets. */
const pages = (): Plugin => ({
  name: "pages",
  transformIndexHtml(html, { filename }) {
    const src = base + (filename.endsWith("kit.html") ? "kit/testing/kit-page.tsx" : "app/main.tsx");
    return {
      html: html.replace("ADMIN_COMMAND", commands.checkout.admin),
      tags: [{ tag: "script", attrs: { type: "module", src }, injectTo: "body" }],
    };
  },
});
