import { languages, type Markup, type RenderedPage, renderPage } from "@terse/server";
import { html } from "hono/html";
import { type Reference, references } from "./reference.ts";

const style = `
main{max-width:76rem;margin:0 auto}
nav{display:flex;flex-wrap:wrap;gap:4px 16px;margin-bottom:28px;font-size:.875rem}
a{color:var(--accent)}a[aria-current]{color:inherit;text-decoration:none;font-weight:600}
div{overflow-x:auto;margin-top:28px}
table{border-collapse:collapse;width:100%;font-size:.875rem}
th,td{text-align:start;vertical-align:top;padding:8px 16px 8px 0;border-top:1px solid var(--line)}
td:first-child{overflow-wrap:normal}code{font-size:.8125rem}`;

/** Text between backticks is code, and links to the web stay links; other links mean nothing outside the repository. */
const inline = (text: string): Markup[] =>
  text.split(/(`[^`]+`|\[[^\]]+\]\([^)]+\))/).map((part) => {
    if (part.startsWith("`")) return html`<code>${part.slice(1, -1)}</code>`;
    const [, label = part, address = ""] = /^\[([^\]]+)\]\(([^)]+)\)$/.exec(part) ?? [];
    return address.startsWith("https://") ? html`<a href="${address}">${label}</a>` : html`${label}`;
  });

/** A row whose first cell is one word has an anchor of that name. */
const anchorOf = (cell: string, column: number) => {
  const [, name] = (column === 0 && /^`?([\w.]+)`?$/.exec(cell)) || [];
  return name && html` id="${name}"`;
};

/** The links to all pages of the reference; `current` is the page that they are on. */
export const referenceLinks = (current?: string): Markup => html`<nav aria-label="Reference">
${["", ...Object.keys(references)].map(
  (name) =>
    html`<a href="/docs${name && `/${name}`}"${name === current && html` aria-current="page"`}>${name || "API"}</a>
`,
)}</nav>`;

/** A page of the reference. */
export const referencePage = (
  name: string,
  { title, about, columns, rows }: Reference,
): Promise<RenderedPage<200>> =>
  renderPage({
    status: 200,
    words: languages.en,
    hasSwitch: false,
    title,
    style,
    emblem: referenceLinks(name),
    content: html`<p>${inline(about)}</p>
<div tabindex="0" role="region" aria-label="${title}"><table>
<thead><tr>${columns.map((column) => html`<th scope="col">${column}</th>`)}</tr></thead>
<tbody>
${rows.map(
  (row) => html`<tr>${row.map((cell, at) => html`<td${anchorOf(cell, at)}>${inline(cell)}</td>`)}</tr>
`,
)}</tbody>
</table></div>`,
  });
