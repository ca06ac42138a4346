import { inWorkspace } from "../../kit/api/workspace.ts";
import { useNavigate } from "@tanstack/react-router";
import { languageCodes, nameOfLanguage, shownLanguage } from "../../words/language.ts";
import { storeLanguage, useStrings } from "../../words/strings.tsx";
import { applyTheme, storedTheme, themes } from "../../kit/theme.ts";
import {
  modifier,
  enableShortcuts,
  nameOfKey,
  shortcutsEnabled,
  useScreenKeys,
} from "../../kit/shortcuts.ts";
import { usePlaces, useSectionNames, useUnlistedNames } from "../places.ts";
import { pathOf, screens } from "../screens.ts";
import { useMay } from "../../kit/api/account.ts";
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
  const { shortcuts, settings, palette, frame, places: names, importing } = useStrings();
  const navigate = useNavigate();
  const places = usePlaces();
  const sectionNames = useSectionNames();
  const unlistedNames = useUnlistedNames();
  const mayCreate = useMay("links:write");
  const screenKeys = useScreenKeys();
  const theme = storedTheme();
  const language = shownLanguage();
  const everywhere: Command[] = [
    ...(mayCreate
      ? [
          {
            id: "create",
            name: shortcuts.create,
            keys: "C",
            run: () => navigate({ to: "/", search: { new: "" } }),
          },
        ]
      : []),
    ...places.map(({ name, path, key }) => ({
      id: name,
      name: names[name],
      keys: `G ${key.toUpperCase()}`,
      run: () => navigate({ to: path }),
    })),
    ...sectionNames.map((name) => ({
      id: `settings ${name}`,
      name: `${names.settings}: ${settings.sections[name]}`,
      run: () => navigate({ to: pathOf(name) }),
    })),
    { id: "shortcuts", name: shortcuts.title, keys: "?", run: openHelp },
    ...unlistedNames.map((name) => ({
      id: name,
      name: names[name],
      run: () => navigate({ to: screens[name].path }),
    })),
    {
      id: "export",
      name: importing.export,
      run: () => location.assign(inWorkspace("/v1/links/export?format=csv&bom=true")),
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
