import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { countries } from "@terse/core/browser";
import { api, queryClient } from "../kit/api/api.ts";
import { assumedIn, type AssumedVisitor } from "../features/builder/assumed.ts";
import { Crash, NotFound } from "./frame/Crash.tsx";
import { Frame } from "./frame/Frame.tsx";
import { LinksScreen } from "../features/links/LinksScreen.tsx";
import { readSearch } from "../features/links/search.ts";
import { type OperatorView, operatorViews } from "../features/operator/views.ts";
import { lookIn, type Look } from "../features/qr/look.ts";
import { sheetIn } from "../features/qr/sheet.ts";
import { reportOptions } from "../features/analytics/figures.ts";
import { type ReportSearch, reportSearch } from "../features/analytics/search.ts";
import { cameWithoutSession } from "../kit/api/use-account.ts";

const root = createRootRoute({ component: Frame });

/** A field of a search; none if it has no value. */
const pick = <Name extends string, Value>(name: Name, value: Value | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [N in Name]?: Value };
const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
/** As a field for date and time has it, without a zone */
const localTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

const links = createRoute({
  getParentRoute: () => root,
  path: "/",
  validateSearch: readSearch,
  component: LinksScreen,
});

const link = createRoute({
  getParentRoute: () => root,
  path: "/links/$id",
  // `visitor` is a country, `at` a local time and `assumed` more of a visitor: the left side explains what they would get.
  validateSearch: (
    search: Record<string, unknown>,
  ): ReportSearch & { edit?: true; visitor?: string; at?: string; assumed?: AssumedVisitor } => ({
    ...reportSearch(search),
    ...(search.edit === true && { edit: true as const }),
    ...(countries.has(String(search.visitor)) && { visitor: String(search.visitor) }),
    ...(localTime.test(String(search.at)) && { at: String(search.at) }),
    ...pick("assumed", assumedIn(search.assumed)),
  }),
  // Asked for while the screen and the account are loading.
  loaderDeps: ({ search }) => search,
  loader({ params: { id }, deps }) {
    if (cameWithoutSession) return;
    void queryClient.prefetchQuery(api.links.get.queryOptions({ id }));
    void queryClient.prefetchQuery(reportOptions(id, deps));
  },
  component: lazyRouteComponent(() => import("../features/link/LinkScreen.tsx"), "LinkScreen"),
});

const linkQr = createRoute({
  getParentRoute: () => root,
  path: "/links/$id/qr",
  validateSearch: (search: Record<string, unknown>): Partial<Look> => lookIn(search),
  component: lazyRouteComponent(() => import("../features/qr/QrScreen.tsx"), "QrScreen"),
});

const qrSheet = createRoute({
  getParentRoute: () => root,
  path: "/qr",
  validateSearch: (search: Record<string, unknown>): Partial<Look> & ReturnType<typeof sheetIn> => ({
    ...sheetIn(search),
    ...lookIn(search),
  }),
  component: lazyRouteComponent(() => import("../features/qr/SheetScreen.tsx"), "SheetScreen"),
});

const analytics = createRoute({
  getParentRoute: () => root,
  path: "/analytics",
  validateSearch: (search: Record<string, unknown>): ReportSearch => reportSearch(search),
  loaderDeps: ({ search }) => search,
  loader({ deps }) {
    if (!cameWithoutSession) void queryClient.prefetchQuery(reportOptions(undefined, deps));
  },
  component: lazyRouteComponent(() => import("../features/analytics/AnalyticsScreen.tsx"), "AnalyticsScreen"),
});

const buckets = createRoute({
  getParentRoute: () => root,
  path: "/buckets",
  // The id of the page that is open in the editor, or "new"
  validateSearch: (search: Record<string, unknown>): { edit?: string } =>
    text(search.edit) ? { edit: text(search.edit) as string } : {},
  component: lazyRouteComponent(() => import("../features/buckets/BucketsScreen.tsx"), "BucketsScreen"),
});

const domains = createRoute({
  getParentRoute: () => root,
  path: "/domains",
  component: lazyRouteComponent(() => import("../features/domains/DomainsScreen.tsx"), "DomainsScreen"),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: "/settings",
  component: lazyRouteComponent(() => import("../features/settings/SettingsScreen.tsx"), "SettingsScreen"),
});

const operator = createRoute({
  getParentRoute: () => root,
  path: "/operator",
  validateSearch: (search: Record<string, unknown>): { view?: OperatorView; q?: string; page?: number } => ({
    ...pick(
      "view",
      operatorViews.find((view) => view === search.view),
    ),
    ...pick("q", text(search.q)),
    ...pick("page", Number.isInteger(search.page) ? (search.page as number) : undefined),
  }),
  component: lazyRouteComponent(() => import("../features/operator/OperatorScreen.tsx"), "OperatorScreen"),
});

const settingsIndex = createRoute({
  getParentRoute: () => settings,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/settings/profile", replace: true });
  },
});

const settingsProfile = createRoute({
  getParentRoute: () => settings,
  path: "/profile",
  component: lazyRouteComponent(() => import("../features/settings/Profile.tsx"), "Profile"),
});

const settingsPlan = createRoute({
  getParentRoute: () => settings,
  path: "/plan",
  component: lazyRouteComponent(() => import("../features/settings/Plan.tsx"), "Plan"),
});

const settingsSignIn = createRoute({
  getParentRoute: () => settings,
  path: "/sign-in",
  component: lazyRouteComponent(() => import("../features/settings/SignInSection.tsx"), "SignInSection"),
});

const settingsKeys = createRoute({
  getParentRoute: () => settings,
  path: "/keys",
  validateSearch: (search: Record<string, unknown>): { new?: true } =>
    search.new === true ? { new: true } : {},
  component: lazyRouteComponent(() => import("../features/settings/KeysSection.tsx"), "KeysSection"),
});

const settingsAssistants = createRoute({
  getParentRoute: () => settings,
  path: "/assistants",
  component: lazyRouteComponent(() => import("../features/assistants/ConnectSection.tsx"), "ConnectSection"),
});

const settingsWebhooks = createRoute({
  getParentRoute: () => settings,
  path: "/webhooks",
  // `deliveries` is the webhook whose deliveries are open
  validateSearch: (search: Record<string, unknown>): { new?: true; deliveries?: string } =>
    search.new === true ? { new: true } : pick("deliveries", text(search.deliveries)),
  component: lazyRouteComponent(() => import("../features/webhooks/WebhooksSection.tsx"), "WebhooksSection"),
});

const settingsTags = createRoute({
  getParentRoute: () => settings,
  path: "/tags",
  component: lazyRouteComponent(() => import("../features/tags/TagSettings.tsx"), "TagSettings"),
});

const settingsActivity = createRoute({
  getParentRoute: () => settings,
  path: "/activity",
  validateSearch: (search: Record<string, unknown>): { page?: number } =>
    Number.isSafeInteger(search.page) && Number(search.page) > 1 ? { page: Number(search.page) } : {},
  component: lazyRouteComponent(() => import("../features/settings/Activity.tsx"), "Activity"),
});

const settingsPreferences = createRoute({
  getParentRoute: () => settings,
  path: "/preferences",
  component: lazyRouteComponent(() => import("../features/settings/Preferences.tsx"), "Preferences"),
});

const settingsData = createRoute({
  getParentRoute: () => settings,
  path: "/data",
  validateSearch: (search: Record<string, unknown>): { delete?: true } =>
    search.delete === true ? { delete: true } : {},
  component: lazyRouteComponent(() => import("../features/settings/Data.tsx"), "Data"),
});

const settingsSections = settings.addChildren([
  settingsIndex,
  settingsProfile,
  settingsPlan,
  settingsSignIn,
  settingsKeys,
  settingsAssistants,
  settingsWebhooks,
  settingsTags,
  settingsActivity,
  settingsPreferences,
  settingsData,
]);

const signedIn = createRoute({
  getParentRoute: () => root,
  path: "/signed-in",
  component: lazyRouteComponent(() => import("./session/SignedInScreen.tsx"), "SignedInScreen"),
});

const importing = createRoute({
  getParentRoute: () => root,
  path: "/import",
  component: lazyRouteComponent(() => import("../features/import/ImportScreen.tsx"), "ImportScreen"),
});

const changes = createRoute({
  getParentRoute: () => root,
  path: "/changes",
  validateSearch: (search: Record<string, unknown>): { page?: number } =>
    Number.isSafeInteger(search.page) && Number(search.page) > 1 ? { page: Number(search.page) } : {},
  component: lazyRouteComponent(() => import("../features/history/ChangesScreen.tsx"), "ChangesScreen"),
});

const linksAlias = createRoute({
  getParentRoute: () => root,
  path: "/links",
  beforeLoad: () => {
    throw redirect({ to: "/" });
  },
});

export const router = createRouter({
  routeTree: root.addChildren([
    links,
    linksAlias,
    link,
    linkQr,
    qrSheet,
    importing,
    changes,
    analytics,
    buckets,
    domains,
    settingsSections,
    operator,
    signedIn,
  ]),
  defaultPreload: "intent",
  defaultErrorComponent: Crash,
  defaultNotFoundComponent: NotFound,
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
