import { join } from "node:path";
import react from "@vitejs/plugin-react";
import { darkTokens, lightTokens } from "@terse/server";
import { build } from "vite";

/** `node bundle.ts FOLDER` bundles the console into that folder. */

const name = "virtual:tokens.css";

/** `virtual:tokens.css`: the colours that the console shares with the service's pages, in both themes. */
const tokens = {
  name: "tokens",
  resolveId: (id: string) => (id === name ? "\0tokens.css" : undefined),
  load: (id: string) =>
    id === "\0tokens.css"
      ? `:root{color-scheme:light;${lightTokens}}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){color-scheme:dark;${darkTokens}}}
:root[data-theme=dark]{color-scheme:dark;${darkTokens}}`
      : undefined,
};

const [outDir] = process.argv.slice(2);
if (outDir === undefined) throw new Error("Usage: node bundle.ts FOLDER");
await build({
  root: join(import.meta.dirname, "../web"),
  configFile: false,
  logLevel: "error",
  plugins: [react(), tokens],
  build: {
    outDir,
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: "es2023",
    modulePreload: { polyfill: false },
  },
});
