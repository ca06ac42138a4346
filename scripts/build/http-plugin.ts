import * as http from "node:http";
import type { Plugin } from "rolldown";

const id = "\0node-http";
/** What these stand for is part of Node's `fetch`. */
const partsOfFetch = new Set(["WebSocket", "CloseEvent", "MessageEvent"]);

/**
 * Reads `node:http` without what is part of Node's `fetch`: an `import` of it asks for each of its exports, which loads all
 * of `fetch` and HTTP/2, 14 MB of memory that a process which only redirects never uses.
 */
export function httpPlugin(): Plugin {
  const names = Object.keys(http).filter((name) => name !== "default" && !partsOfFetch.has(name));
  const lines = [
    'const http = process.getBuiltinModule("node:http");',
    "export default http;",
    ...names.map((name) => `export const ${name} = /* @__PURE__ */ (() => http.${name})();`),
  ];
  return {
    name: "http",
    resolveId: { filter: { id: /^(?:node:)?http$/ }, handler: () => id },
    load: { filter: { id: /^\0node-http$/ }, handler: () => lines.join("\n") },
  };
}
