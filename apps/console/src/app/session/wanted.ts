/** Where somebody wanted to go in this tab before signing in. A one-time link always leads to the first screen. */
const key = "terse.wanted";

export function keepWanted(): void {
  const { pathname, search } = location;
  if (pathname + search !== "/" && pathname !== "/signed-in") sessionStorage.setItem(key, pathname + search);
}

/** Returns that place, once; null if there is none. */
export function takeWanted(): string | null {
  const wanted = sessionStorage.getItem(key);
  sessionStorage.removeItem(key);
  return wanted;
}
