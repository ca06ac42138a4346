import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { backgrounds, commands } from "@terse/server";
import { build, type OutputChunk, type Plugin } from "rolldown";
import { type LanguageCode, languageCodes } from "../src/words/language.ts";
import { worldOutlines } from "./outlines.ts";
import { modulesByPath, screensPlugin, signInModules, sources } from "./screens.ts";
import { collectStyles } from "./style.ts";

/** `node bundle.ts FOLDER` bundles the console into that folder: `assets`, and for each language a page for each screen in `pages`. */

async function bundle(folder: string): Promise<void> {
  const folders = ["assets", ...languageCodes.map((code) => `${code}/pages`)];
  await Promise.all(folders.map((name) => mkdir(join(folder, name), { recursive: true })));
  const styles = collectStyles();
  const scripts = await bundleScripts(folder, styles.plugin);
  const style = await styles.write(folder);
  const template = await readFile(join(sources, "app/index.html"), "utf8");
  const page = template.replace("ADMIN_COMMAND", commands.checkout.admin);
  const pageOf = (modules: readonly string[], language: LanguageCode) => {
    const texts = language === "en" ? [] : [`words/${language}.ts`];
    const tags = [
      `<script type="module" src="/${scripts.main.fileName}"></script>`,
      ...scripts.loadedBy([...modules, ...texts]).map((name) => `<link rel="modulepreload" href="/${name}">`),
      `<link rel="stylesheet" href="/${style}">`,
    ];
    return page
      .replace('<html lang="en"', `<html lang="${language}"`)
      .replace("</head>", `  ${tags.join("\n    ")}\n  </head>`);
  };
  for (const language of languageCodes) {
    for (const [path, modules] of Object.entries(modulesByPath)) {
      const name = `${encodeURIComponent(path)}.html`;
      await writeFile(join(folder, language, "pages", name), pageOf(modules, language));
    }
    const signIn = pageOf(signInModules, language).replace("<html", "<html data-visitor");
    await writeFile(join(folder, language, "sign-in.html"), signIn);
  }
}

interface Scripts {
  readonly main: OutputChunk;
  /** What a page needs for these modules (paths in `src`), except the first script */
  loadedBy(modules: readonly string[]): string[];
}

async function bundleScripts(folder: string, styles: Plugin): Promise<Scripts> {
  const { output } = await build({
    input: join(sources, "app/main.tsx"),
    platform: "browser",
    plugins: [screensPlugin, styles],
    transform: {
      target: "es2023",
      jsx: { runtime: "automatic", development: false },
      define: {
        "process.env.NODE_ENV": JSON.stringify("production"),
        PAGE_GROUNDS: JSON.stringify(backgrounds),
        WORLD_OUTLINES: JSON.stringify(await worldOutlines()),
      },
    },
    output: {
      dir: folder,
      minify: true,
      entryFileNames: "assets/[name]-[hash].js",
      chunkFileNames: "assets/[name]-[hash].js",
      // All that every screen needs is one file, and so is what is small and needed by several: a request costs more.
      codeSplitting: {
        groups: [
          { name: "first", test: /app\/main\.tsx$/, priority: 1 },
          {
            name: "shared",
            minShareCount: 3,
            maxModuleSize: 6000,
            // Fields for dates are large by what they import, and are loaded when they are opened.
            test: /console\/src\/(?!kit\/(?:Calendar|DayField|TimeField)\.tsx)/,
            includeDependenciesRecursively: false,
          },
        ],
      },
    },
  });
  const chunks = output.filter((file): file is OutputChunk => file.type === "chunk");
  const main = chunks.find(({ isEntry }) => isEntry);
  if (!main) throw new Error("The bundle has no entry");
  const byName = new Map(chunks.map((chunk) => [chunk.fileName, chunk]));
  return {
    main,
    loadedBy(modules) {
      const names = new Set([main.fileName]);
      const add = (name: string) => {
        if (names.has(name)) return;
        names.add(name);
        byName.get(name)?.imports.forEach(add);
      };
      main.imports.forEach(add);
      for (const module of modules) {
        const chunk = chunks.find(({ facadeModuleId }) => facadeModuleId === join(sources, module));
        if (!chunk) throw new Error(`No script loads ${module}`);
        add(chunk.fileName);
      }
      return [...names].filter((name) => name !== main.fileName);
    },
  };
}

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("Usage: node bundle.ts FOLDER");
await bundle(folder);
