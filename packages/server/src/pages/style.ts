import { createHash } from "node:crypto";

/** Background colours, of pages and of what lies on them in the dark; browsers also use them for their own interface. */
export const backgrounds = { light: "#f4f2ed", dark: "#131412", darkSheet: "#1b1d1a" };

/** Colours and fonts as CSS custom properties; the dark ones replace those that differ. */
export const lightTokens = `--ground:${backgrounds.light};--sheet:#fffefb;--line:#e2ded5;--ink:#1d1c19;--soft:#65625a;
--field:#8b877c;--accent:#0f6b52;--accent-ink:#fff;--bad:#a52a1c;--bad-ground:#fbeeeb;--lift:rgb(60 50 30/.18);
--serif:ui-serif,"Iowan Old Style","Palatino Linotype",Palatino,Georgia,serif`;
export const darkTokens = `--ground:${backgrounds.dark};--sheet:${backgrounds.darkSheet};--line:#2e312c;--ink:#eceae3;--soft:#a5a399;
--field:#7b7f76;--accent:#6cc9a6;--accent-ink:#0c1f18;--bad:#ff9e8f;--bad-ground:#33201c;--lift:rgb(0 0 0/.5)`;

/** The common style of all pages: a card on a calm background, serif headings, one green accent. */
export const style = `
:root{color-scheme:light dark;${lightTokens}}
@media (prefers-color-scheme:dark){:root{${darkTokens}}}
*{box-sizing:border-box;margin:0}
html{height:100%;-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{min-height:100%;display:grid;grid-template:1fr auto/minmax(0,1fr);padding:24px;background:var(--ground);color:var(--ink);
font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:anywhere}
main{width:100%;max-width:27rem;margin:auto;padding:40px;background:var(--sheet);border:1px solid var(--line);
border-radius:20px;box-shadow:0 24px 48px -28px var(--lift)}
main>svg{display:block;margin-bottom:28px}
h1{font:500 1.75rem/1.2 var(--serif);letter-spacing:-.01em;text-wrap:balance}
h1+p{margin-top:12px;color:var(--soft);text-wrap:pretty}
form{margin-top:28px;display:grid;gap:8px}
label{font-size:.875rem;font-weight:600}
input,button{font:inherit;width:100%;min-height:48px;border-radius:12px;padding:0 14px}
input{background:transparent;color:inherit;border:1px solid var(--field)}
input[aria-invalid]{border-color:var(--bad)}
button{margin-top:8px;border:0;background:var(--accent);color:var(--accent-ink);font-weight:600;cursor:pointer}
button:hover{filter:brightness(1.08)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
input:focus-visible{outline-offset:-1px}
[role=alert]{margin-top:24px;padding:10px 14px;border-radius:12px;background:var(--bad-ground);color:var(--bad);
font-size:.9375rem}
[role=alert]+form{margin-top:16px}
footer{padding-top:24px;text-align:center;font-size:.8125rem;color:var(--soft)}
.languages{margin-top:4px;display:flex;flex-wrap:wrap;justify-content:center;gap:0 16px}
footer .languages :is(a,span){padding:4px 0;color:inherit;text-underline-offset:3px}
@media (max-width:30rem){body{padding:16px}main{padding:28px 24px}}
`;

const sources = new Map<string, string>();

/** More styles are those of buckets with an accent colour. */
const maxSources = 1000;

/** Returns the CSP source that allows exactly this style (CSP Level 3, section 2.3.1). Cached. */
export function hashSource(text: string): string {
  let source = sources.get(text);
  if (source === undefined) {
    source = `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
    if (sources.size >= maxSources) sources.clear();
    sources.set(text, source);
  }
  return source;
}
