/** What can be said of a domain's name while it is typed; the service decides when it is added. */
export interface TypedName {
  /** The host name in it, even if it was pasted with the rest of a URL */
  name: string;
  /** "character": it has one that no host name has; "apex": it is not below a registered name, probably */
  remark: "empty" | "unfinished" | "character" | "part" | "apex" | "fine";
}

export function readName(text: string): TypedName {
  const name = text
    .trim()
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, "")
    .replace(/^[^/?#@]*@/, "")
    .replace(/[/?#:].*$/, "")
    .replace(/\.$/, "")
    .toLowerCase();
  return { name, remark: remarkOn(name) };
}

function remarkOn(name: string): TypedName["remark"] {
  if (name === "") return "empty";
  if (/[^\p{L}\p{M}\p{N}.-]/u.test(name)) return "character";
  const labels = name.split(".");
  if (labels.some((label) => label.length > 63 || /^-|-$/.test(label))) return "part";
  if (labels.length === 1 || labels.includes("")) return "unfinished";
  return labels.length === 2 ? "apex" : "fine";
}
