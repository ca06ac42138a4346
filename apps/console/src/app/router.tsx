import {
  type AnyRoute,
  createRootRoute,
  createRoute,
  createRouter,
  lazyRouteComponent,
  redirect,
} from "@tanstack/react-router";
import { countries } from "@terse/core/browser";
import { load } from "virtual:screens";
import { reportOptions } from "../features/analytics/figures.ts";
import { type ReportSearch, reportSearch } from "../features/analytics/search.ts";
import { assumedIn, type AssumedVisitor } from "../features/builder/assumed.ts";
import { activitySearch } from "../features/history/activity.ts";
import { LinksScreen } from "../features/links/LinksScreen.tsx";
import { readSearch } from "../features/links/search.ts";
import { type OperatorView, operatorViews } from "../features/operator/views.ts";
import { type Look, lookIn } from "../features/qr/look.ts";
import { sheetIn } from "../features/qr/sheet.ts";
import { cameWithoutSession } from "../kit/api/account.ts";
import { api, queryClient } from "../kit/api/api.ts";
import { Crash, NotFound } from "./frame/Crash.tsx";
import { Frame } from "./frame/Frame.tsx";
import { type ScreenName, screens, type SectionName, sections } from "./screens.ts";

const root = createRootRoute({ component: Frame });

/** What shows a module of the list of screens. */
function loaded(module: string) {
  const importer = load[module];
  if (!importer) throw new Error(`The build has no ${module}`);
  return lazyRouteComponent(importer, module.replace(/^.*\/|\.tsx$/g, ""));
}

/** The part of a route that the list of screens knows. */
const screen = <Name extends Exclude<ScreenName, "links">>(name: Name) => ({
  getParentRoute: () => root,
  path: screens[name].path as (typeof screens)[Name]["path"],
  component: loaded(screens[name].module),
});
const section = <Name extends SectionName>(name: Name) => ({
  getParentRoute: () => settings,
  path: sections[name].path as (typeof sections)[Name]["path"],
  component: loaded(sections[name].module),
});

type Search = Record<string, unknown>;
/** A field of a search; none if it has no value. */
const pick = <Name extends string, Value>(name: Name, value: Value | undefined) =>
  (value === undefined ? {} : { [name]: value }) as { [N in Name]?: Value };
const text = (value: unknown) => (typeof value === "string" && value !== "" ? value : undefined);
const flag = (value: unknown) => (value === true ? (true as const) : undefined);
const pageIn = ({ page }: Search) =>
  pick("page", Number.isSafeInteger(page) && Number(page) > 1 ? Number(page) : undefined);
/** As a field for date and time has it, without a zone */
const localTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

const links = createRoute({
  getParentRoute: () => root,
  path: screens.links.path,
  validateSearch: readSearch,
  component: LinksScreen,
});

const link = createRoute({
  ...screen("link"),
  // `visitor` is a country, `at` a local time and `assumed` more of a visitor: the left side explains what they would get.
  validateSearch: (
    search: Search,
  ): ReportSearch & { edit?: true; visitor?: string; at?: string; assumed?: AssumedVisitor } => ({
    ...reportSearch(search),
    ...pick("edit", flag(search.edit)),
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
});

const analytics = createRoute({
  ...screen("analytics"),
  validateSearch: (search: Search): ReportSearch => reportSearch(search),
  loaderDeps: ({ search }) => search,
  loader({ deps }) {
    if (!cameWithoutSession) void queryClient.prefetchQuery(reportOptions(undefined, deps));
  },
});

const settings = createRoute(screen("settings"));

const settingsIndex = createRoute({
  getParentRoute: () => settings,
  path: "/",
  beforeLoad: () => {
    throw redirect({ to: "/settings/profile", replace: true });
  },
});

const settingsRoutes = {
  profile: createRoute(section("profile")),
  plan: createRoute(section("plan")),
  workspace: createRoute(section("workspace")),
  people: createRoute(section("people")),
  signIn: createRoute(section("signIn")),
  keys: createRoute({
    ...section("keys"),
    validateSearch: (search: Search) => pick("new", flag(search.new)),
  }),
  assistants: createRoute(section("assistants")),
  webhooks: createRoute({
    ...section("webhooks"),
    // `deliveries` is the webhook whose deliveries are open
    validateSearch: (search: Search): { new?: true; deliveries?: string } =>
      search.new === true ? { new: true } : pick("deliveries", text(search.deliveries)),
  }),
  tags: createRoute(section("tags")),
  activity: createRoute({ ...section("activity"), validateSearch: pageIn }),
  preferences: createRoute(section("preferences")),
  data: createRoute({
    ...section("data"),
    validateSearch: (search: Search) => pick("delete", flag(search.delete)),
  }),
};

const routes = {
  links,
  link,
  linkQr: createRoute({
    ...screen("linkQr"),
    validateSearch: (search: Search): Partial<Look> => lookIn(search),
  }),
  qrSheet: createRoute({
    ...screen("qrSheet"),
    validateSearch: (search: Search): Partial<Look> & ReturnType<typeof sheetIn> => ({
      ...sheetIn(search),
      ...lookIn(search),
    }),
  }),
  analytics,
  buckets: createRoute({
    ...screen("buckets"),
    // The id of the page that is open in the editor, or "new"
    validateSearch: (search: Search) => pick("edit", text(search.edit)),
  }),
  domains: createRoute(screen("domains")),
  settings: settings.addChildren({
    settingsIndex,
    ...(settingsRoutes satisfies Record<SectionName, AnyRoute>),
  }),
  operator: createRoute({
    ...screen("operator"),
    validateSearch: (search: Search): { view?: OperatorView; q?: string; page?: number } => ({
      ...pick(
        "view",
        operatorViews.find((view) => view === search.view),
      ),
      ...pick("q", text(search.q)),
      ...pick("page", Number.isInteger(search.page) ? (search.page as number) : undefined),
    }),
  }),
  go: createRoute({
    ...screen("go"),
    // As it stands in the address: a browser's search keyword sends the slug 2026 as a number.
    validateSearch: ({ q }: Search) =>
      pick("q", text(typeof q === "string" || q == null ? q : new URLSearchParams(location.search).get("q"))),
  }),
  signedIn: createRoute(screen("signedIn")),
  import: createRoute(screen("import")),
  changes: createRoute({ ...screen("changes"), validateSearch: pageIn }),
  activity: createRoute({ ...screen("activity"), validateSearch: activitySearch }),
};

const linksAlias = createRoute({
  getParentRoute: () => root,
  path: "/links",
  beforeLoad: () => {
    throw redirect({ to: "/" });
  },
});

const routeTree = root.addChildren({
  linksAlias,
  ...(routes satisfies Record<ScreenName, AnyRoute>),
});

export const router = createRouter({
  routeTree,
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
