import {
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { Frame } from "./frame/Frame.tsx";
import { LinksScreen } from "./links/LinksScreen.tsx";
import { type OperatorView, operatorViews } from "./operator/views.ts";
import { type ReportSearch, reportSearch } from "./report/search.ts";

const root = createRootRoute({ component: Frame });

/** A field of a search; none if it has no value. */
const pick = <Name extends string, Value>(name: Name, value: Value | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [N in Name]?: Value };
const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);

const links = createRoute({
  getParentRoute: () => root,
  path: "/",
  // `new` opens the builder with that URL.
  validateSearch: (search: Record<string, unknown>): { q?: string; new?: string } => ({
    ...(text(search.q) && { q: text(search.q) as string }),
    ...(typeof search.new === "string" && { new: search.new }),
  }),
  component: LinksScreen,
});

const link = createRoute({
  getParentRoute: () => root,
  path: "/links/$id",
  validateSearch: (search: Record<string, unknown>): ReportSearch & { edit?: true } => ({
    ...reportSearch(search),
    ...(search.edit === true && { edit: true as const }),
  }),
  component: lazyRouteComponent(() => import("./link/LinkScreen.tsx"), "LinkScreen"),
});

const analytics = createRoute({
  getParentRoute: () => root,
  path: "/analytics",
  validateSearch: (search: Record<string, unknown>): ReportSearch => reportSearch(search),
  component: lazyRouteComponent(() => import("./analytics/AnalyticsScreen.tsx"), "AnalyticsScreen"),
});

const buckets = createRoute({
  getParentRoute: () => root,
  path: "/buckets",
  // The id of the page that is open in the editor, or "new"
  validateSearch: (search: Record<string, unknown>): { edit?: string } =>
    text(search.edit) ? { edit: text(search.edit) as string } : {},
  component: lazyRouteComponent(() => import("./buckets/BucketsScreen.tsx"), "BucketsScreen"),
});

const domains = createRoute({
  getParentRoute: () => root,
  path: "/domains",
  component: lazyRouteComponent(() => import("./domains/DomainsScreen.tsx"), "DomainsScreen"),
});

const settings = createRoute({
  getParentRoute: () => root,
  path: "/settings",
  component: lazyRouteComponent(() => import("./settings/SettingsScreen.tsx"), "SettingsScreen"),
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
  component: lazyRouteComponent(() => import("./operator/OperatorScreen.tsx"), "OperatorScreen"),
});

const linksAlias = createRoute({
  getParentRoute: () => root,
  path: "/links",
  beforeLoad: () => {
    throw redirect({ to: "/" });
  },
});

export const router = createRouter({
  routeTree: root.addChildren([links, linksAlias, link, analytics, buckets, domains, settings, operator]),
  defaultPreload: "intent",
  scrollRestoration: true,
});

declare module "@tanstack/react-router" {
  interface Register {
    router: typeof router;
  }
}
