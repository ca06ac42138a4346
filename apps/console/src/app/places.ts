import { useMe } from "../kit/api/account.ts";
import { type ScreenName, screenNames, screens } from "./screens.ts";

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

/** The screens that only the palette offers. */
export const unlistedNames = namesWith("isInPalette");
