import type { Strings } from "../strings/en.ts";
import type { IconName } from "../ui/Icon.tsx";

/** The screens of the rail, with the key that opens each after G. */
export const places = [
  { name: "links", to: "/", icon: "link", key: "l" },
  { name: "analytics", to: "/analytics", icon: "chart", key: "a" },
  { name: "buckets", to: "/buckets", icon: "page", key: "b" },
  { name: "domains", to: "/domains", icon: "globe", key: "d" },
  { name: "settings", to: "/settings", icon: "settings", key: "s" },
] as const satisfies readonly { name: keyof Strings["places"]; to: string; icon: IconName; key: string }[];
