/** Kept short because it is stored in a cookie for each login in progress. */
const maxLength = 500;
const placeholderOrigin = "http://local.invalid";

/**
 * Returns where to go after a login: a path of this origin with its query and fragment, or "/" for anything else.
 * Browsers read "//host", "/\host" and "/<tab>/host" as other origins, and resolve "/.//host" to "//host" first.
 * Paths under /auth are rejected because they would start another login.
 */
export function localPath(text: string | undefined): string {
  if (!text || !/^\/(?!\/)[^\u0000-\u001F\u007F\\]*$/.test(text)) return "/";
  const url = URL.parse(text, placeholderOrigin);
  if (
    url?.origin !== placeholderOrigin ||
    url.pathname.startsWith("//") ||
    /^\/auth(\/|$)/.test(url.pathname)
  )
    return "/";
  const path = url.pathname + url.search + url.hash;
  return path.length > maxLength ? "/" : path;
}
