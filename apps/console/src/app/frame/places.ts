import { useQuery } from "@tanstack/react-query";
import { api } from "../../kit/api/api.ts";
import type { Strings } from "../../words/en.ts";
import type { IconName } from "../../kit/Icon.tsx";

/** A screen of the sidebar, with the key that opens it after G. */
interface Place {
  name: keyof Strings["places"];
  to: "/" | "/analytics" | "/buckets" | "/domains" | "/settings" | "/operator";
  icon: IconName;
  key: string;
}

const places: readonly Place[] = [
  { name: "links", to: "/", icon: "link", key: "l" },
  { name: "analytics", to: "/analytics", icon: "chart", key: "a" },
  { name: "buckets", to: "/buckets", icon: "page", key: "b" },
  { name: "domains", to: "/domains", icon: "globe", key: "d" },
  { name: "settings", to: "/settings", icon: "settings", key: "s" },
];
const operatorPlace: Place = { name: "operator", to: "/operator", icon: "shield", key: "o" };

/** The screens that the user may see. */
export function usePlaces(): readonly Place[] {
  const me = useQuery(api.users.me.queryOptions(undefined, { staleTime: 60_000 }));
  return me.data?.operator === true ? [...places, operatorPlace] : places;
}
