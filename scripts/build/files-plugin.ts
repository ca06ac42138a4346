import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { brotliCompressSync, constants } from "node:zlib";
import { type Plugin, rolldown } from "rolldown";
import { outputStyle } from "./output-style.ts";

/** `import.meta.resolve("package/file")` and `new URL("./file", import.meta.url).href`, with names that are written out */
const packageFile = /import\.meta\.resolve\(\s*"([^"]+)",?\s*\)/g;
const ownFile = /new URL\("(\.{1,2}\/[^"]+)", import\.meta\.url\)\.href/g;
/** A package that is loaded when it is first needed */
const latePackage = /createRequire\(import\.meta\.url\)\("([^"]+)"\)/g;

const isOurCode = (path: string) => path.endsWith(".ts");
/** What reads these takes them in brotli (RFC 7932) too. */
const isCompressed = (path: string) => /\.(?:mmdb|wasm)$|swagger-ui/.test(path);
/** Of the table of countries, 9 makes nothing smaller, and takes nine times as long. */
const qualityOf = (path: string) => (path.endsWith(".mmdb") ? 5 : 9);
const compressed = (path: string, bytes: Buffer) =>
  brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: qualityOf(path) } });

/**
 * Puts what modules read at run time into the folder `files` of the build, and makes them look there: data, style sheets,
 * WebAssembly, and packages that a process loads only when it needs them.
 */
export function filesPlugin(folder: string): Plugin {
  const files = new Map<string, string>();
  const latePackages = new Map<string, string>();

  function add(path: string): string {
    // Several packages have a README.
    const own = path.endsWith(".md") ? `${basename(dirname(path))}-${basename(path)}` : basename(path);
    const name = isCompressed(path) ? `${own}.br` : own;
    const other = files.get(name);
    if (other !== undefined && other !== path) throw new Error(`${other} and ${path} have the same name`);
    files.set(name, path);
    return `new URL("./files/${name}", import.meta.url).href`;
  }

  return {
    name: "files",
    async transform(code, id) {
      const resolve = async (specifier: string) => {
        const path = (await this.resolve(specifier, id))?.id;
        if (path === undefined) throw new Error(`${id}: ${specifier} is not installed`);
        return path;
      };
      let changed = code;
      for (const [text, name = ""] of code.matchAll(latePackage)) {
        latePackages.set(name, await resolve(name));
        changed = changed.replace(text, `createRequire(import.meta.url)("./files/${name}.cjs")`);
      }
      for (const [text, specifier = ""] of code.matchAll(packageFile)) {
        const path = await resolve(specifier);
        if (!isOurCode(path)) changed = changed.replace(text, add(path));
      }
      for (const [text, name = ""] of code.matchAll(ownFile)) {
        const path = join(dirname(id), name);
        if (existsSync(path)) changed = changed.replace(text, add(path));
      }
      return changed === code ? null : { code: changed, map: null };
    },
    async writeBundle() {
      mkdirSync(join(folder, "files"), { recursive: true });
      for (const [name, path] of files) {
        const bytes = readFileSync(path);
        writeFileSync(join(folder, "files", name), isCompressed(path) ? compressed(path, bytes) : bytes);
      }
      for (const [name, path] of latePackages) {
        const bundle = await rolldown({ input: path, platform: "node" });
        await bundle.write({ ...outputStyle, file: join(folder, "files", `${name}.cjs`), format: "cjs" });
      }
    },
  };
}
