/** Added to the common style on previews. */
export const previewStyle = `
main{max-width:34rem}
.host{margin-top:20px;font-size:1.25rem;font-weight:600}
.url{margin-top:8px;padding:12px 14px;border:1px solid var(--line);border-radius:12px;color:var(--soft);
font:.8125rem/1.5 ui-monospace,Consolas,monospace;overflow-wrap:anywhere;max-height:12rem;overflow:auto}
dl{margin-top:20px;display:grid;grid-template-columns:auto minmax(0,1fr);gap:4px 16px;font-size:.9375rem}
dt{color:var(--soft)}
dd{margin:0}
.note{margin-top:20px;font-size:.9375rem;color:var(--soft)}
ul{margin-top:12px;padding-left:20px;font-size:.9375rem}
li+li{margin-top:6px}
a{color:var(--accent);text-underline-offset:3px}
.button{display:flex;align-items:center;justify-content:center;min-height:48px;margin-top:24px;padding:8px 14px;
border:1px solid var(--field);border-radius:12px;color:inherit;font-weight:600;text-decoration:none;text-align:center}
.button:hover{border-color:var(--accent);color:var(--accent)}
details{margin-top:24px;padding-top:20px;border-top:1px solid var(--line)}
summary{min-height:24px;font-weight:600;cursor:pointer}
details form{margin-top:16px}
select,textarea{font:inherit;width:100%;border:1px solid var(--field);border-radius:12px;padding:10px 14px;
background:var(--sheet);color:inherit}
select{min-height:48px}
label+textarea{min-height:96px;resize:vertical}
select+label{margin-top:8px}
`;
