import { useNavigate } from "@tanstack/react-router";
import { languageCodes, nameOfLanguage, shownLanguage } from "../../words/language.ts";
import { storeLanguage, useStrings } from "../../words/strings.tsx";
import { sections } from "../../features/settings/sections.ts";
import { applyTheme, storedTheme, themes } from "../../kit/theme.ts";
import { modifier } from "../../kit/modifier.ts";
import { usePlaces } from "./places.ts";
import { enableShortcuts, nameOfKey, shortcutsEnabled, useScreenKeys } from "./shortcuts.ts";
import { signOut } from "../../kit/api/sign-out.ts";

/** Something that the palette offers. */
export interface Command {
  /** The same in every language */
  id: string;
  name: string;
  keys?: string;
  run: () => unknown;
}

/** All commands: those of the screen that is shown, then all screens, actions and settings. */
export function useCommands(openHelp: () => void): { onScreen: Command[]; everywhere: Command[] } {
  const { shortcuts, settings, palette, frame, places: names, importing, history } = useStrings();
  const navigate = useNavigate();
  const places = usePlaces();
  const screenKeys = useScreenKeys();
  const theme = storedTheme();
  const language = shownLanguage();
  const everywhere: Command[] = [
    {
      id: "create",
      name: shortcuts.create,
      keys: "C",
      run: () => navigate({ to: "/", search: { new: "" } }),
    },
    ...places.map(({ name, to, key }) => ({
      id: name,
      name: names[name],
      keys: `G ${key.toUpperCase()}`,
      run: () => navigate({ to }),
    })),
    ...sections.map(({ name, to }) => ({
      id: `settings ${name}`,
      name: `${names.settings}: ${settings.sections[name]}`,
      run: () => navigate({ to }),
    })),
    { id: "shortcuts", name: shortcuts.title, keys: "?", run: openHelp },
    { id: "changes", name: history.title, run: () => navigate({ to: "/changes" }) },
    { id: "import", name: importing.title, run: () => navigate({ to: "/import" }) },
    {
      id: "export",
      name: importing.export,
      run: () => location.assign("/v1/links/export?format=csv&bom=true"),
    },
    { id: "docs", name: palette.docs, run: () => location.assign("/docs") },
    ...themes
      .filter((each) => each !== theme)
      .map((each) => ({
        id: `theme ${each}`,
        name: `${settings.theme}: ${settings.themes[each]}`,
        run: () => applyTheme(each),
      })),
    ...languageCodes
      .filter((code) => code !== language)
      .map((code) => ({
        id: `language ${code}`,
        name: `${settings.language}: ${nameOfLanguage(code)}`,
        run: () => storeLanguage(code),
      })),
    shortcutsEnabled()
      ? { id: "shortcuts off", name: palette.shortcutsOff, run: () => enableShortcuts(false) }
      : { id: "shortcuts on", name: palette.shortcutsOn, run: () => enableShortcuts(true) },
    { id: "sign out", name: frame.signOut, run: signOut },
  ];
  const onScreen = screenKeys.map(({ name, meaning, run }) => ({
    id: `key ${name}`,
    name: meaning,
    keys: nameOfKey(name),
    run,
  }));
  return { onScreen, everywhere };
}

export const paletteKeys = `${modifier} K`;
