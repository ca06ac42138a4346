import { createHash } from "node:crypto";

/** What browsers colour their own surroundings with. */
export const grounds = { light: "#f4f2ed", dark: "#131412" };

/**
 * The one style of all pages: a sheet of paper on a quiet ground, a serif for the sentence, one green. A bucket's page
 * takes one of six tones instead, for its light and its monogram; its links are sheets of their own.
 */
export const style = `
:root{color-scheme:light dark;--ground:${grounds.light};--sheet:#fffefb;--line:#e2ded5;--edge:#cfc9bd;--ink:#1d1c19;--soft:#65625a;
--field:#8b877c;--accent:#0f6b52;--accent-ink:#fff;--bad:#a52a1c;--bad-ground:#fbeeeb;--glow:88%;--lift:rgb(60 50 30/.14)}
@media (prefers-color-scheme:dark){:root{--ground:${grounds.dark};--sheet:#1b1d1a;--line:#2e312c;--edge:#474b44;--ink:#eceae3;--soft:#a5a399;
--field:#7b7f76;--accent:#6cc9a6;--accent-ink:#0c1f18;--bad:#ff9e8f;--bad-ground:#33201c;--glow:15%;--lift:rgb(0 0 0/.5)}}
*{box-sizing:border-box;margin:0}
html{height:100%;-webkit-text-size-adjust:100%}
body{min-height:100%;display:grid;grid-template-rows:1fr auto;padding:24px;background:var(--ground);color:var(--ink);
font:16px/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:anywhere}
h1{font:500 1.75rem/1.2 ui-serif,"Iowan Old Style","Palatino Linotype",Palatino,Georgia,serif;letter-spacing:-.01em;
text-wrap:balance}
:focus-visible{outline:2px solid var(--accent);outline-offset:3px}
footer{display:flex;align-items:center;justify-content:center;gap:7px;padding-top:24px;font-size:.8125rem;color:var(--soft)}
.card main{width:100%;max-width:27rem;margin:auto;padding:40px;background:var(--sheet);border:1px solid var(--line);
border-radius:20px;box-shadow:0 24px 48px -28px var(--lift)}
main>svg{display:block;margin-bottom:28px}
.card footer svg{display:none}
h1+p{margin-top:12px;color:var(--soft);text-wrap:pretty}
form{margin-top:28px;display:grid;gap:8px}
label{font-size:.875rem;font-weight:600}
input,button{font:inherit;width:100%;min-height:48px;border-radius:12px;padding:0 14px}
input{background:transparent;color:inherit;border:1px solid var(--field)}
input[aria-invalid]{border-color:var(--bad)}
button{margin-top:8px;border:0;background:var(--accent);color:var(--accent-ink);font-weight:600;cursor:pointer}
button:hover{filter:brightness(1.08)}
input:focus-visible{outline-offset:-1px}
[role=alert]{margin-top:24px;padding:10px 14px;border-radius:12px;background:var(--bad-ground);color:var(--bad);
font-size:.9375rem}
[role=alert]+form{margin-top:16px}
.tone0{--hue:160}.tone1{--hue:205}.tone2{--hue:250}.tone3{--hue:292}.tone4{--hue:340}.tone5{--hue:16}
.profile{padding-top:clamp(40px,11vh,112px);
background:radial-gradient(64rem 30rem at 50% -9rem,hsl(var(--hue) 42% var(--glow)),transparent) no-repeat var(--ground)}
.profile main{width:100%;max-width:29rem;margin:0 auto;text-align:center}
.monogram{width:88px;height:88px;margin:0 auto 20px;border-radius:50%;overflow:hidden;
background:linear-gradient(145deg,hsl(var(--hue) 46% 42%),hsl(calc(var(--hue) + 34) 52% 27%));color:#fff;
font:500 2.5rem/88px ui-serif,"Iowan Old Style","Palatino Linotype",Palatino,Georgia,serif;
box-shadow:0 0 0 4px var(--sheet),0 14px 28px -12px var(--lift)}
.profile h1{font-size:clamp(1.5rem,1.2rem + 1.8vw,2rem)}
ul{margin-top:32px;padding:0;list-style:none;display:grid;gap:12px;text-align:start}
a{position:relative;display:block;padding:14px 52px 14px 20px;background:var(--sheet);border:1px solid var(--line);
border-radius:16px;color:inherit;font-weight:600;line-height:1.35;text-decoration:none;text-wrap:pretty;
box-shadow:0 1px 2px var(--lift)}
a small{display:block;margin-top:3px;font-size:.8125rem;font-weight:400;color:var(--soft)}
a::after{content:"";position:absolute;top:50%;right:24px;width:8px;height:8px;margin-top:-4px;
border:solid var(--field);border-width:2px 2px 0 0;rotate:45deg}
a:dir(rtl){padding:14px 20px 14px 52px}
a:dir(rtl)::after{right:auto;left:24px;rotate:-135deg}
a:hover{border-color:var(--edge);box-shadow:0 10px 24px -12px var(--lift)}
a:hover::after{border-color:var(--ink)}
@media (prefers-reduced-motion:no-preference){a{transition:translate .15s,box-shadow .15s,border-color .15s}
a:hover{translate:0 -2px}a:active{translate:0}}
.profile footer{padding-top:48px}
@media (max-width:30rem){body{padding:16px}.profile{padding-top:44px}.card main{padding:28px 24px}}
`;

const sources = new Map<string, string>();

/** CSP source that allows exactly this style and no other (CSP Level 3, section 2.3.1). Styles are few: each is kept. */
export function hashSource(text: string): string {
  let source = sources.get(text);
  if (source === undefined) {
    source = `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
    sources.set(text, source);
  }
  return source;
}
