import type { Plugin } from "rolldown";

/** Packages whose one entry loads everything that they have: the build gets an entry with what Terse uses of them. */
const entries: readonly [file: RegExp, entry: string][] = [
  [
    /\/rate-limiter-flexible\/index\.js$/,
    ["Memory", "Postgres", "Redis", "Res"]
      .map((name) => `exports.RateLimiter${name} = require("./lib/RateLimiter${name}.js");`)
      .join("\n"),
  ],
  [/\/zod\/v4\/locales\/index\.js$/, 'export { default as en } from "./en.js";'],
];

/**
 * Keeps a process small: it replaces the entries above, and writes characters outside of ASCII as escapes, because V8 needs
 * two bytes for each character of a file that has a single one of them.
 */
export const trimPlugin: Plugin = {
  name: "trim",
  load: (id) => entries.find(([file]) => file.test(id))?.[1] ?? null,
  generateBundle(_, bundle) {
    for (const file of Object.values(bundle)) {
      if (file.type === "chunk") file.code = file.code.replaceAll(/[^\0-\x7F]/g, escaped);
    }
  },
};

const escaped = (character: string) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;
