import { readFileSync } from "node:fs";
import { STATUS_CODES } from "node:http";
import { fileURLToPath } from "node:url";
import {
  activityActions,
  activityOfLinks,
  type AppRouter,
  coreEvents,
  definitionOf,
  eventTypes,
  type Feature,
  features,
  issueMeanings,
  leastRoleOf,
  metricTable,
  planNames,
  type PlanTable,
  planWith,
  proceduresOf,
} from "@terse/core";
import { processEvents, settingsTable } from "@terse/server";
import { reasons } from "../openapi/errors.ts";

/** A page of the reference: one table, made from what the service itself uses. Texts may have `code` and [links](https://…). */
export interface Reference {
  title: string;
  about: string;
  columns: readonly string[];
  rows: readonly (readonly string[])[];
}

const code = (text: string) => `\`${text}\``;
const codes = (names: readonly string[]) => names.map(code).join(", ");

/** Rows of a file whose first line has the columns (RFC 4180). */
export function csvRows(text: string): string[][] {
  const rows: string[][] = [];
  let row: string[] = [];
  for (const [, quoted, plain = "", end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^",\n]*))(,|\n)/g)) {
    row.push(quoted?.replaceAll('""', '"') ?? plain);
    if (end === ",") continue;
    rows.push(row);
    row = [];
  }
  return rows.slice(1);
}

const fileRows = (url: string) => csvRows(readFileSync(fileURLToPath(url), "utf8"));

/** Rows of a table in Markdown */
const markdownRows = (text: string) =>
  text
    .split("\n")
    .slice(2)
    .filter((line) => line !== "")
    .map((line) => line.slice(2, -2).split(" | "));

type PlanRow = PlanTable["free"];

/** The data of the pages besides constants. */
export interface ReferenceSource {
  router: AppRouter;
  plans: PlanTable;
}

const featureTitles: Record<Feature, string> = {
  custom_domains: "Custom domain",
  link_options: "Password, dates, click limit, fallback, rules, A/B test, preview",
  analytics: "Analytics of all links, shared reports",
  realtime: "Live clicks",
  export: "Export of clicks",
  buckets: "Pages",
  mcp: "Assistants (MCP)",
  api_keys: "API keys managed over the API",
  webhooks: "Webhooks and alerts",
};
const limitTitles: Partial<Record<keyof PlanRow["limits"], string>> = {
  link_creations_per_minute: "Link creations per minute",
  links: "Links",
  stored_megabytes: "Megabytes for links and pages",
};

/** All pages by their name in the address: `/docs/{name}`. */
export const references = {
  settings: () => ({
    title: "Settings",
    about:
      "Environment variables, read and checked once at start. An invalid value stops the start with a message that names it; an empty variable counts as unset. A secret can be in a file instead: `DATABASE_URL_FILE=/run/secrets/database`. `{HTTP_PORT}` in a default stands for the value of that setting, `{NAME}` for a provider's name in capitals: `OAUTH_PROVIDERS=google` needs `OAUTH_GOOGLE_ISSUER`.",
    columns: ["Name", "Meaning", "Default"],
    rows: markdownRows(settingsTable()),
  }),
  plans: ({ plans }) => ({
    title: "Plans",
    about: `What each plan of this service includes. Callers without an account can create ${plans.anonymous_creations_per_minute} links a minute.`,
    columns: ["", ...planNames.map((name) => plans[name].title)],
    rows: [
      ...features.map((feature) => [
        featureTitles[feature],
        ...planNames.map((name) => (plans[name].features[feature] ? "✓" : "–")),
      ]),
      ...Object.entries(limitTitles).map(([limit, title]) => [
        title,
        ...planNames.map(
          (name) => plans[name].limits[limit as keyof PlanRow["limits"]]?.toLocaleString("en") ?? "unlimited",
        ),
      ]),
    ],
  }),
  access: ({ router, plans }) => ({
    title: "Access by operation",
    about:
      "REST and tRPC accept an API key, an access token or a session cookie. An API key with scopes needs the one in the column Scope. In a workspace, the caller's role must be at least the one in the last column; whatever belongs to a person has none. Creating and replacing keys with a session needs a sign-in within the last ten minutes; operations for a recent session answer keys with 403.",
    columns: ["Operation", "tRPC", "Callers", "Scope", "Role"],
    rows: proceduresOf(router).map(([name, procedure]) => {
      const { meta } = definitionOf(procedure);
      const { access, scope, openapi } = meta;
      const { credential, feature } = { feature: undefined, ...access };
      const callers = { optional: "anyone", required: "any account", session: "a recent session" }[
        credential
      ];
      return [
        openapi ? code(`${openapi.method} ${openapi.path}`) : "–",
        code(name),
        feature === undefined ? callers : `${plans[planWith(plans, feature)].title} plan`,
        [scope ?? []].flat().map(code).join(" or ") || "–",
        leastRoleOf(meta) ?? "–",
      ];
    }),
  }),
  errors: () => ({
    title: "Errors",
    about:
      "Why a request was refused: the statuses of REST, and the codes of `issues`. Each issue has the `path` of the field, a `code` from this list, a `message` in English, and the `params` shown in braces below. REST answers with problem details (RFC 9457) if `Accept` names `application/problem+json`, and with the envelope `{data, error, meta}` otherwise; tRPC has `error.data.issues`, MCP `structuredContent.issues`. Codes never change their meaning; messages may change.",
    columns: ["Status or code", "Meaning"],
    rows: [
      ...Object.entries(reasons).map(([status, meaning]) => [
        code(status),
        `${STATUS_CODES[status]}: ${meaning}`,
      ]),
      ...Object.entries(issueMeanings).map(([name, meaning]) => [code(name), meaning]),
    ],
  }),
  webhooks: () => ({
    title: "Webhook events",
    about: "Each event is a POST with `{type, timestamp, data}`.",
    columns: ["Type", "Meaning"],
    rows: Object.entries(eventTypes).map(([type, meaning]) => [code(type), meaning]),
  }),
  activity: () => ({
    title: "Activity",
    about:
      "What `GET /v1/activity` lists, and what the log event `account_activity` has as `action`. `GET /v1/me/activity` has all of it but changes of links.",
    columns: ["Action", "Meaning"],
    rows: Object.entries({ ...activityActions, ...activityOfLinks }).map(([action, meaning]) => [
      code(action),
      meaning,
    ]),
  }),
  events: () => ({
    title: "Log events",
    about:
      "What happens in a node apart from single requests. Each event is one log line with its `code`, level and further fields; `createCore({ onEvent })` receives them as objects. Codes never change; texts may. A condition that lasts is logged when it begins and then hourly.",
    columns: ["Code", "Level", "Log message", "Meaning"],
    rows: Object.entries({ ...processEvents, ...coreEvents }).map(([name, { level, message, meaning }]) => [
      code(name),
      level,
      message,
      meaning,
    ]),
  }),
  metrics: () => ({
    title: "Metrics",
    about:
      "`GET /metrics` on `ADMIN_PORT`, in the OpenMetrics format, for the whole node including its redirect processes.",
    columns: ["Name", "Type", "Labels", "Meaning"],
    rows: Object.entries<{ type: string; help: string; labels?: readonly string[] }>(metricTable).map(
      ([name, { type, help, labels = [] }]) => [code(name), type, codes(labels), help],
    ),
  }),
  data: () => ({
    title: "Stored data",
    about:
      "Every table of the database: its contents, its purpose, and how long rows are kept. “With the account” means until the account is erased.",
    columns: ["Table", "Columns", "About", "Purpose", "Kept"],
    rows: fileRows(new URL("../../../../docs/reference/stored-data.csv", import.meta.url).href).map(
      ([table = "", columns = "", ...rest]) => [code(table), codes(columns.split(" ")), ...rest],
    ),
  }),
  asvs: () => ({
    title: "OWASP ASVS 5.0, Level 2",
    about:
      "All 253 requirements of Levels 1 and 2, in our own words. Yes: met. Partly and no: the last column says what is missing. Operator: depends on the installation. A dash: the service has no such thing. Test files are named after their package: `http/security` is `apps/http/test/security.test.ts`.",
    columns: ["No.", "Requirement", "Met", "Notes"],
    rows: fileRows(new URL("../../../../docs/reference/asvs.csv", import.meta.url).href),
  }),
} satisfies Record<string, (source: ReferenceSource) => Reference>;
