import { readFileSync } from "node:fs";
import type { Plugin } from "rolldown";

/** What Terse uses of packages whose one entry loads everything that they have. */
const entries: readonly [file: RegExp, entry: string][] = [
  [
    /\/rate-limiter-flexible\/index\.js$/,
    ["Memory", "Postgres", "Redis", "Res"]
      .map((name) => `exports.RateLimiter${name} = require("./lib/RateLimiter${name}.js");`)
      .join("\n"),
  ],
  [/\/zod\/v4\/locales\/index\.js$/, 'export { default as en } from "./en.js";'],
  // Without its own servers and their parsers of bodies.
  [/\/trpc-to-openapi\/dist\/esm\/adapters\/index\.mjs$/, 'export * from "./node-http/errors.mjs";'],
  // The MySQL client asks the server for UTF-8.
  [/\/iconv-lite\/encodings\/index\.js$/, 'module.exports = require("./internal");'],
];

/** The table of media types without those that no file name ends with: nobody asks the service for them. */
const mediaTypes = /\/mime-db\/db\.json$/;

const withoutUnused = (table: Record<string, { extensions?: string[] }>) =>
  Object.fromEntries(Object.entries(table).filter(([, { extensions }]) => extensions !== undefined));

/**
 * Keeps a process small: it replaces the entries above, and writes characters outside of ASCII as escapes, because V8 needs
 * two bytes for each character of a file that has a single one of them.
 */
export const trimPlugin: Plugin = {
  name: "trim",
  load: (id) =>
    mediaTypes.test(id)
      ? JSON.stringify(withoutUnused(JSON.parse(readFileSync(id, "utf8"))))
      : (entries.find(([file]) => file.test(id))?.[1] ?? null),
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type === "chunk") file.code = file.code.replaceAll(/[^\0-\x7F]/g, escaped);
    }
  },
};

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
