import { mayDo, type Permission } from "@terse/core/browser";
import { useMe } from "../kit/api/account.ts";
import { type ScreenName, screenNames, screens, sectionNames, sections } from "./screens.ts";

type NameWith<Key extends string> = {
  [Name in ScreenName]: (typeof screens)[Name] extends Record<Key, unknown> ? Name : never;
}[ScreenName];
const namesWith = <Key extends string>(key: Key) =>
  screenNames.filter((name): name is NameWith<Key> => key in screens[name]);

const places = namesWith("icon").map((name) => ({ name, ...screens[name] }));

/** The screens of the sidebar that the user may see. */
export function usePlaces() {
  const isOperator = useMe().data?.operator === true;
  return places.filter((place) => isOperator || !("isForOperators" in place));
}

/** What the person's role in the workspace allows. */
function useAllowed() {
  const role = useMe().data?.workspace.role;
  return (screen: object) => !("needs" in screen) || mayDo(role, screen.needs as Permission);
}

const unlistedNames = namesWith("isInPalette");

/** The screens that only the palette offers. */
export function useUnlistedNames() {
  const isAllowed = useAllowed();
  return unlistedNames.filter((name) => isAllowed(screens[name]));
}

/** The sections of the settings that the person's role allows. */
export function useSectionNames() {
  const isAllowed = useAllowed();
  return sectionNames.filter((name) => isAllowed(sections[name]));
}
