/** Added to the common style on the API host's pages. */
export const style = `
.button{display:flex;align-items:center;justify-content:center;min-height:48px;border-radius:10px;padding:4px 14px;text-align:center;
background:var(--accent);color:var(--accent-ink);font-weight:600;text-decoration:none}
.button:hover{filter:brightness(1.08)}
.plain{background:transparent;color:inherit;border:1px solid var(--field)}
.plain:hover{border-color:var(--accent);color:var(--accent)}
.choices{display:grid;gap:10px;margin-top:28px}
a:not(.button){color:var(--accent);text-underline-offset:3px}
p+p,p+pre{margin-top:12px}
pre{padding:12px 14px;border:1px solid var(--line);border-radius:10px;font:.8125rem/1.5 ui-monospace,Consolas,monospace;
white-space:pre-wrap}
pre span{white-space:nowrap}
.result{margin-top:24px;padding:14px;border:1px solid var(--accent);border-radius:10px}
.result a{display:block;font-size:1.25rem;font-weight:600}
.result p{margin-top:2px;font-size:.875rem;color:var(--soft);word-break:break-all;overflow:hidden;display:-webkit-box;-webkit-box-orient:vertical;
-webkit-line-clamp:2}
.account{margin-top:32px;padding-top:20px;border-top:1px solid var(--line);display:flex;gap:12px 16px;align-items:center;
justify-content:space-between;flex-wrap:wrap;font-size:.9375rem}
.account p{color:var(--soft);min-width:0}
.account strong{display:block;color:var(--ink);font-weight:600}
.account form{margin:0}
.quiet{margin:0;min-height:40px;padding:0 16px;background:transparent;color:inherit;border:1px solid var(--field)}
`;
