import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { darkTokens, lightTokens } from "@terse/server";
import { build, type OutputChunk } from "rolldown";

/** `node bundle.ts FOLDER` bundles the console into that folder. */

const web = join(import.meta.dirname, "../web");

/** The style sheets in the order of the cascade; the colours of the service's pages come first. */
const sheets = [
  "base",
  "controls",
  "form-panel",
  "builder",
  "frame",
  "lists",
  "report",
  "analytics",
  "operator",
  "link",
  "qr",
  "links",
];

const tokens = `:root{color-scheme:light;${lightTokens}}
@media (prefers-color-scheme:dark){:root:not([data-theme=light]){color-scheme:dark;${darkTokens}}}
:root[data-theme=dark]{color-scheme:dark;${darkTokens}}
@media print{:root:root{color-scheme:light;${lightTokens}}}
`;

async function bundle(folder: string): Promise<void> {
  await mkdir(join(folder, "assets"), { recursive: true });
  const [scripts, style] = await Promise.all([bundleScripts(folder), writeStyle(folder)]);
  const page = await readFile(join(web, "index.html"), "utf8");
  const tags = [
    `<script type="module" src="/${scripts.main}"></script>`,
    ...scripts.imports.map((name) => `<link rel="modulepreload" href="/${name}">`),
    `<link rel="stylesheet" href="/${style}">`,
  ];
  await writeFile(join(folder, "index.html"), page.replace("</head>", `  ${tags.join("\n    ")}\n  </head>`));
}

/** Returns the names of the first script and of those that it imports, which the page loads at once. */
async function bundleScripts(folder: string): Promise<{ main: string; imports: string[] }> {
  const { output } = await build({
    input: join(web, "main.tsx"),
    platform: "browser",
    transform: {
      target: "es2023",
      jsx: { runtime: "automatic", development: false },
      define: { "process.env.NODE_ENV": JSON.stringify("production") },
    },
    output: {
      dir: folder,
      minify: true,
      entryFileNames: "assets/[name]-[hash].js",
      chunkFileNames: "assets/[name]-[hash].js",
    },
  });
  const chunks = output.filter((file): file is OutputChunk => file.type === "chunk");
  const main = chunks.find(({ isEntry }) => isEntry);
  if (!main) throw new Error("The bundle has no entry");
  return { main: main.fileName, imports: main.imports };
}

/** Writes the style as one file, and returns its name. */
async function writeStyle(folder: string): Promise<string> {
  const texts = await Promise.all(sheets.map((name) => readFile(join(web, "style", `${name}.css`), "utf8")));
  const style = tokens + texts.join("\n");
  const name = `assets/style-${createHash("sha256").update(style).digest("hex").slice(0, 8)}.css`;
  await writeFile(join(folder, name), style);
  return name;
}

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("Usage: node bundle.ts FOLDER");
await bundle(folder);
