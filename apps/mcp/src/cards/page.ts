import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const read = (url: string) => readFileSync(fileURLToPath(url), "utf8");
const css = read(new URL("./web/card.css", import.meta.url).href);
const bridge = read(new URL("./web/bridge.js", import.meta.url).href);
const scripts = {
  link: read(new URL("./web/link.js", import.meta.url).href),
  analytics: read(new URL("./web/analytics.js", import.meta.url).href),
  bucket: read(new URL("./web/bucket.js", import.meta.url).href),
};
export type CardName = keyof typeof scripts;

const hash = (text: string) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

/**
 * The document of a card: everything is in it, and its policy lets it load nothing and run nothing else, whatever the host
 * allows. `tool` is what made the result, and `undo` the tool that takes it back.
 */
export function cardPage(name: CardName, { tool, undo = "" }: { tool: string; undo?: string }): string {
  const policy = `default-src 'none'; script-src ${hash(bridge)} ${hash(scripts[name])}; style-src ${hash(css)}; img-src data:; base-uri 'none'; form-action 'none'`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width">
<title>Terse</title>
<style>${css}</style>
</head>
<body data-tool="${tool}" data-undo="${undo}">
<main></main>
<script type="module">${bridge}</script>
<script type="module">${scripts[name]}</script>
</body>
</html>
`;
}
