import type { Permission } from "@terse/core/browser";

/** A screen: all that the router, the service's pages, the sidebar, the palette and the list of shortcuts know of it. */
interface Screen {
  /** As the router writes it */
  readonly path: string;
  /** The module in `src` that shows it, which exports a component of the file's name; null if the first script has it */
  readonly module: string | null;
  /** Its symbol in the sidebar; screens without one are not there */
  readonly icon?: string;
  /** The key that opens it after G */
  readonly key?: string;
  /** Whether only operators have it in the sidebar */
  readonly isForOperators?: boolean;
  /** Whether the palette offers it, though the sidebar does not */
  readonly isInPalette?: boolean;
  /** What a role must allow for it to be offered */
  readonly needs?: Permission;
}

/** All screens but the sections of the settings, in the order of the sidebar. */
export const screens = {
  links: { path: "/", module: null, icon: "link", key: "l" },
  analytics: {
    path: "/analytics",
    module: "features/analytics/AnalyticsScreen.tsx",
    icon: "chart",
    key: "a",
  },
  buckets: { path: "/buckets", module: "features/buckets/BucketsScreen.tsx", icon: "page", key: "b" },
  domains: { path: "/domains", module: "features/domains/DomainsScreen.tsx", icon: "globe", key: "d" },
  settings: { path: "/settings", module: "app/SettingsScreen.tsx", icon: "settings", key: "s" },
  operator: {
    path: "/operator",
    module: "features/operator/OperatorScreen.tsx",
    icon: "shield",
    key: "o",
    isForOperators: true,
  },
  changes: { path: "/changes", module: "features/history/ChangesScreen.tsx", isInPalette: true },
  activity: {
    path: "/activity",
    module: "features/history/ActivityScreen.tsx",
    isInPalette: true,
    needs: "webhooks",
  },
  import: {
    path: "/import",
    module: "features/import/ImportScreen.tsx",
    isInPalette: true,
    needs: "imports",
  },
  go: { path: "/go", module: "features/links/GoScreen.tsx", isInPalette: true },
  link: { path: "/links/$id", module: "features/link/LinkScreen.tsx" },
  linkQr: { path: "/links/$id/qr", module: "features/qr/QrScreen.tsx" },
  qrSheet: { path: "/qr", module: "features/qr/SheetScreen.tsx" },
  signedIn: { path: "/signed-in", module: "app/session/SignedInScreen.tsx" },
} as const satisfies Record<string, Screen>;
export type ScreenName = keyof typeof screens;

/** The sections of the settings in their order, each with its path below theirs. All are in the palette. */
export const sections = {
  profile: { path: "/profile", module: "features/settings/Profile.tsx" },
  plan: { path: "/plan", module: "features/settings/Plan.tsx" },
  workspace: { path: "/workspace", module: "features/people/WorkspaceSettings.tsx" },
  people: { path: "/people", module: "features/people/People.tsx" },
  signIn: { path: "/sign-in", module: "features/settings/SignInSection.tsx" },
  keys: { path: "/keys", module: "features/settings/KeysSection.tsx" },
  assistants: { path: "/assistants", module: "features/assistants/ConnectSection.tsx" },
  webhooks: { path: "/webhooks", module: "features/webhooks/WebhooksSection.tsx", needs: "webhooks" },
  tags: { path: "/tags", module: "features/tags/TagSettings.tsx" },
  activity: { path: "/activity", module: "features/settings/Activity.tsx" },
  preferences: { path: "/preferences", module: "features/settings/Preferences.tsx" },
  data: { path: "/data", module: "features/settings/Data.tsx" },
} as const satisfies Record<string, Screen>;
export type SectionName = keyof typeof sections;

/** A section's whole path. */
export const pathOf = (name: SectionName) => `${screens.settings.path}${sections[name].path}` as const;

export const screenNames = Object.keys(screens) as ScreenName[];
export const sectionNames = Object.keys(sections) as SectionName[];

/** What visitors see on every path. */
export const signInModule = "app/session/SignIn.tsx";
