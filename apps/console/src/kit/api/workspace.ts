/** Remembered in this tab, and for tabs that are opened later. */
const key = "terse.workspace";

/** An address such as `/?workspace={id}`, to which an accepted invitation leads, opens that workspace. */
function fromAddress(): string | null {
  const { pathname, search, hash } = location;
  const query = new URLSearchParams(search);
  const named = query.get("workspace");
  if (named === null) return null;
  query.delete("workspace");
  const rest = query.toString();
  history.replaceState(history.state, "", `${pathname}${rest && `?${rest}`}${hash}`);
  remember(named);
  return named;
}

function remember(id: string): void {
  sessionStorage.setItem(key, id);
  localStorage.setItem(key, id);
}

/** The id of the workspace that this page works in until it is left; null for the personal one. */
export const workspace = fromAddress() ?? sessionStorage.getItem(key) ?? localStorage.getItem(key);

/** The next page works in the personal workspace. */
export function forgetWorkspace(): void {
  sessionStorage.removeItem(key);
  localStorage.removeItem(key);
}

/**
 * Shows the same screen in another workspace. The page is loaded anew: nothing of one workspace remains in another, and
 * what is being sent still goes to the one that it is for.
 */
export function openWorkspace(id: string): void {
  remember(id);
  const { pathname } = location;
  location.assign(pathname.startsWith("/links/") ? "/" : pathname);
}

/** The address of what the browser loads by itself, such as an image or a download, in this workspace. */
export const inWorkspace = (path: string): string =>
  workspace === null
    ? path
    : `${path}${path.includes("?") ? "&" : "?"}terse-workspace=${encodeURIComponent(workspace)}`;
