/** What was opened last on this device, so that the palette can offer it first. */

/** A link, with the name it had, or the name of a command */
export type Recent = { link: string; name: string } | { command: string };

const key = "terse.recent";
const most = 12;

/** What this account has opened; nothing of another one that was signed in before. */
export function recents(account: string): Recent[] {
  try {
    const stored = JSON.parse(localStorage.getItem(key) ?? "{}") as Record<string, unknown>;
    const { [account]: own } = stored;
    return Array.isArray(own) ? own.filter(isRecent) : [];
  } catch {
    return [];
  }
}

const isRecent = (value: unknown): value is Recent => {
  if (typeof value !== "object" || value === null) return false;
  const { link, name, command } = value as Record<string, unknown>;
  return typeof command === "string" || (typeof link === "string" && typeof name === "string");
};

const idOf = (recent: Recent) => ("link" in recent ? `link ${recent.link}` : recent.command);

/** Remembers it for this account; what another one has opened is forgotten. */
export function remember(account: string, recent: Recent): void {
  const others = recents(account).filter((each) => idOf(each) !== idOf(recent));
  localStorage.setItem(key, JSON.stringify({ [account]: [recent, ...others].slice(0, most) }));
}

/** Nobody is signed in any more: another person may sign in next. */
export const forgetRecents = (): void => localStorage.removeItem(key);
