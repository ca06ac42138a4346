import type { Settings } from "@terse/server";

/** The settings that short links and sign-ins depend on. No secret is needed to use a backup: keys are stored as hashes. */
const names = ["SHORT_BASE", "BASE_URL", "KEY_PREFIX"] as const;

export const keptSettings = (settings: Settings): Record<string, string> =>
  Object.fromEntries(names.map((name) => [name, settings[name]]));

/** The settings that have another value than they had for the backup. */
export function differences(
  backup: Readonly<Record<string, string>>,
  settings: Settings,
): Record<string, { backup: string; now: string }> {
  const now = keptSettings(settings);
  return Object.fromEntries(
    Object.entries(backup)
      .filter(([name, value]) => now[name] !== undefined && now[name] !== value)
      .map(([name, value]) => [name, { backup: value, now: now[name] as string }]),
  );
}
