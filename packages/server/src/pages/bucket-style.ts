import { inkOn, readableOn } from "@terse/core/browser";
import { backgrounds } from "./style.ts";

/** A page without an accent colour uses one of these pairs of hues, for its background glow and its monogram. */
const hues = [
  [160, 196],
  [205, 240],
  [250, 286],
  [292, 328],
  [338, 8],
  [18, 350],
];

const ofHue = ([hue, second]: readonly number[]) => `
:root{--from:hsl(${hue} 46% 42%);--to:hsl(${second} 52% 27%);--on:#fff;--tint:hsl(${hue} 42% 88%);--mark:hsl(${hue} 50% 27%)}
@media (prefers-color-scheme:dark){:root{--tint:hsl(${hue} 42% 15%);--mark:hsl(${hue} 45% 72%)}}`;

const ofHues = hues.map(ofHue);

/** An accent colour: as it is where nothing is read on it, else with the text or the shade that can be read. */
const ofAccent = (color: string) => `
:root{--from:${color};--to:${color};--on:${inkOn(color)};--tint:color-mix(in srgb,${color} 20%,var(--ground));--mark:${readableOn(color, backgrounds.light)}}
@media (prefers-color-scheme:dark){:root{--mark:${readableOn(color, backgrounds.darkSheet)}}}`;

const common = `
:root{--edge:#cfc9bd}
@media (prefers-color-scheme:dark){:root{--edge:#4a4e47}}
body{padding-top:clamp(44px,11vh,112px);
background:radial-gradient(64rem 30rem at 50% -9rem,var(--tint),transparent) no-repeat var(--ground)}
main{max-width:29rem;margin:0 auto;padding:0;background:none;border:0;box-shadow:none;text-align:center}
.face{display:block;width:88px;height:88px;margin:0 auto 20px;border-radius:50%;overflow:hidden;
background:linear-gradient(145deg,var(--from),var(--to));color:var(--on);
font:500 2.5rem/88px var(--serif);box-shadow:0 0 0 4px var(--sheet),0 14px 28px -12px var(--lift)}
h1{font-size:clamp(1.5rem,1.2rem + 1.8vw,2rem)}
h1+p{color:inherit}
ul{margin-top:32px;padding:0;list-style:none;display:grid;grid-template-columns:minmax(0,1fr);gap:12px;text-align:start}
a{position:relative;display:block;padding-block:14px;padding-inline:58px 52px;background:var(--sheet);border:1px solid var(--line);
border-radius:16px;color:inherit;font-weight:600;line-height:1.35;text-decoration:none;text-wrap:pretty;
box-shadow:0 1px 2px var(--lift)}
a svg{position:absolute;top:50%;inset-inline-start:20px;width:22px;height:22px;margin-top:-11px;color:var(--mark)}
[id]{fill:none;stroke:currentColor;stroke-width:1.6;stroke-linejoin:round}
small{display:block;margin-top:3px;font-size:.8125rem;font-weight:400;color:var(--soft);white-space:nowrap;
overflow:hidden;text-overflow:ellipsis}
a::after{content:"";position:absolute;top:50%;inset-inline-end:24px;width:8px;height:8px;margin-top:-4px;
border:solid var(--field);border-width:2px 2px 0 0;rotate:45deg}
a:dir(rtl)::after{rotate:-135deg}
a:hover{border-color:var(--edge);box-shadow:0 10px 24px -12px var(--lift)}
a:hover::after{border-color:var(--ink)}
:focus-visible{outline-color:var(--mark)}
@media (prefers-reduced-motion:no-preference){a{transition:translate .15s,box-shadow .15s,border-color .15s}
a:hover{translate:0 -2px}a:active{translate:0}}
footer{padding-top:48px}
@media (max-width:30rem){main{padding:0}}
`;

/** Added to the common style: each link is a card, below the image and the name. Without an accent, the id decides. */
export const bucketStyle = (id: string, accent: string | null): string =>
  (accent === null ? ofHues[Number.parseInt(id.slice(-4), 16) % ofHues.length] : ofAccent(accent)) + common;
