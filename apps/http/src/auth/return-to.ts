/** It travels in a cookie, and several may be under way. */
const longest = 500;
const nowhere = "http://local.invalid";

/**
 * Where a login may lead: a path of this origin, with its query and fragment; "/" for everything else. Browsers read
 * "//host", "/\host" and, since they drop tabs and line breaks, "/<tab>/host" as other origins, and resolve "/.//host"
 * to "//host" first. What leads back into /auth would begin anew.
 */
export function localPath(text: string | undefined): string {
  if (!text || !/^\/[^\u0000-\u001F\u007F\\]*$/.test(text)) return "/";
  const url = URL.parse(text, nowhere);
  if (url?.origin !== nowhere || url.pathname.startsWith("//") || /^\/auth(\/|$)/.test(url.pathname))
    return "/";
  const path = url.pathname + url.search + url.hash;
  return path.length > longest ? "/" : path;
}
