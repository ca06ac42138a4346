import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { darkTokens, lightTokens } from "@terse/server";
import type { Plugin } from "rolldown";

const sources = join(import.meta.dirname, "../src");

/** Layers of the cascade, the strongest last: a style sheet is in that of its folder, so the order of sheets decides nothing. */
const layers = ["style", "kit", "features", "app"];

const layerOrder = `@layer ${layers.join()};\n`;
const inLayer = (text: string, path: string) =>
  `@layer ${relative(sources, path).split(sep)[0]} {\n${text}}\n`;

/** The colours of both themes, which the service's pages have as well. */
const colours = `${layerOrder}:root{color-scheme:light;${lightTokens}}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){color-scheme:dark;${darkTokens}}}
:root[data-theme=dark]{color-scheme:dark;${darkTokens}}
@media print{:root:root{color-scheme:light;${lightTokens}}}
`;

const coloursId = "\0colours.css";
const resolveId = (id: string) => (id === "colours.css" ? coloursId : undefined);

/** Style sheets for Vite, in their layers, and `import "colours.css"`. */
export const stylesForVite = () => ({
  name: "styles",
  enforce: "pre" as const,
  resolveId,
  load: (id: string) => (id === coloursId ? colours : undefined),
  transform: (text: string, id: string) =>
    // Modules bring their sheets in any order: each of them states that of the layers.
    id.startsWith(sources) && id.endsWith(".css") ? layerOrder + inLayer(text, id) : undefined,
});

/** For the bundler: takes the style sheets out of the scripts that import them; `write` makes them one file and returns its name. */
export function collectStyles() {
  const sheets = new Map<string, string>();
  const plugin: Plugin = {
    name: "styles",
    resolveId,
    load: {
      filter: { id: /\.css$/ },
      async handler(id) {
        if (id !== coloursId) sheets.set(id, inLayer(await readFile(id, "utf8"), id));
        return { code: "", moduleType: "js", moduleSideEffects: false };
      },
    },
  };
  async function write(folder: string): Promise<string> {
    const sorted = [...sheets].toSorted(([a], [b]) => a.localeCompare(b)).map(([, text]) => text);
    // Without comments and indentation
    const style = (colours + sorted.join("")).replaceAll(/\/\*[^*]*\*\/|^\s+/gm, "");
    const name = `assets/style-${createHash("sha256").update(style).digest("hex").slice(0, 8)}.css`;
    await writeFile(join(folder, name), style);
    return name;
  }
  return { plugin, write };
}
