/** What was opened last on this device, so that the palette can offer it first. */

/** A link, with the name it had, or the name of a command */
export type Recent = { link: string; name: string } | { command: string };

const key = "terse.recent";
const most = 12;

export function recents(): Recent[] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? "[]");
    return Array.isArray(stored) ? stored.filter(isRecent) : [];
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

export function remember(recent: Recent): void {
  const others = recents().filter((each) => idOf(each) !== idOf(recent));
  localStorage.setItem(key, JSON.stringify([recent, ...others].slice(0, most)));
}

/** Another person may sign in next. */
export const forgetRecents = (): void => localStorage.removeItem(key);
