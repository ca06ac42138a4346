import { analyticsRouter } from "../../analytics/analytics.procedures.ts";
import type { AnalyticsDeps } from "../../analytics/call.ts";
import { type Account, type Person, toAccount } from "../../kernel/context.ts";
import { AppError } from "../../kernel/errors.ts";
import type { Role } from "../../kernel/roles.ts";
import { listLinks } from "../../links/list/list.ts";
import type { ReportLine, ReportSection } from "../../mail/mail.types.ts";
import { createCallerFactory, router } from "../../rpc/procedure.ts";
import { alertsRouter } from "../alerts/alert.procedures.ts";

/** A workspace, or one of its tags, and the member who wants reports on it. */
export interface Subject extends Account {
  slug: string | null;
  role: Role;
  tag: string | null;
  user: Person;
}

/** The days of a report. If it `isLate`, numbers that cannot be read now are left out. */
export interface Days {
  from: string;
  to: string;
  zone: string;
  isLate: boolean;
}

/** Links of each list */
const most = 5;
const mostRising = 3;
/** Links that a report of the API lists */
const listedLinks = 100;

/** The operations whose answers reports show, so that their numbers, and who may read them, are those of the API. */
const createCaller = createCallerFactory(
  router({ analytics: analyticsRouter, links: router({ list: listLinks }), alerts: alertsRouter }),
);
type Caller = ReturnType<typeof createCaller>;
type Overview = Awaited<ReturnType<Caller["analytics"]["overview"]>>;
type TopLink = Overview["top_links"][number];

/**
 * What a report says about a workspace or a tag, as its member sees it. Null if there is nothing to say, or nothing that they may
 * read.
 * @throws {AppError} 503 while the numbers cannot be read
 */
export async function readSection(
  deps: AnalyticsDeps,
  subject: Subject,
  days: Days,
): Promise<ReportSection | null> {
  const { id: workspace, name, slug, role, tag, user } = subject;
  const { from, to, zone: tz, isLate } = days;
  const account = toAccount(subject);
  const actor = { kind: "account", account, user, slug, role, credential: "internal" } as const;
  const caller = createCaller({ deps, actor, reply: {} });
  const ofTag = tag === null ? {} : { tag: [asFilter(tag)] };
  const pathOf = (filters: object) => pathTo("/analytics", { workspace, from, to, tz, ...filters });
  const lineOf = ({ id, clicks, ...link }: TopLink) => ({
    name: nameOf(link),
    count: clicks,
    path: pathOf({ link_id: [id] }),
  });
  const of = { workspace, name, tag, path: pathOf(ofTag) };
  try {
    const window = { from, to, tz, ...ofTag };
    const report = await caller.analytics.overview({ ...window, compare: true });
    const { clicks, previous, change, top_links } = report;
    if (clicks === null) return null; // the plan has no analytics
    const rising = await readRising(caller, window, report);
    const fired = (await readAlerts(caller)).filter(
      (alert) => (alert.fired_at ?? "") >= report.from && (tag === null || alert.tag === tag),
    );
    const lists: ReportSection["lists"] = [
      { kind: "best" as const, lines: top_links.slice(0, most).map(lineOf) },
      { kind: "rising" as const, lines: rising.map(({ link, before }) => ({ ...lineOf(link), before })) },
      { kind: "broken" as const, lines: await readDead(caller, "broken", subject) },
      { kind: "unreachable" as const, lines: await readDead(caller, "unreachable", subject) },
      {
        kind: "fired" as const,
        lines: fired.map(({ name: alert, link_id }) => ({
          name: alert,
          path: pathOf(link_id === null ? ofTag : { link_id: [link_id] }),
        })),
      },
    ].filter(({ lines }) => lines.length > 0);
    if (clicks === 0 && !previous?.clicks && lists.length === 0) return null;
    return { ...of, clicks, change: change?.clicks ?? null, lists };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === "FORBIDDEN") return null;
    // Raw clicks of tags may be kept for less than a month, which is a bad request.
    if (error.code !== "BAD_REQUEST" && !isLate) throw error;
    return { ...of, clicks: null, change: null, lists: [] };
  }
}

const nameOf = ({ title, shortUrl }: Pick<TopLink, "title" | "shortUrl">): string =>
  title ?? shortUrl.replace(/^https?:\/\//, "");

/** The links whose clicks grew most, with their clicks in the window before. No raw clicks are read for it. */
async function readRising(
  caller: Caller,
  window: { from: string; to: string; tz: string; tag?: string[] },
  { top_links, previous }: Overview,
): Promise<{ link: TopLink; before: number }[]> {
  if (!previous?.clicks) return [];
  const { from, to } = previous;
  const earlier = (await caller.analytics.overview({ ...window, from, to })).top_links;
  const known = new Map(earlier.map(({ id, clicks }) => [id, clicks]));
  // Of links that are not listed it is known only that they had no more clicks than the last one that is.
  const atMost = earlier.length < listedLinks ? 0 : (earlier.at(-1)?.clicks ?? 0);
  const gainOf = ({ id, clicks }: TopLink) => clicks - (known.get(id) ?? atMost);
  const grown = top_links.filter((link) => gainOf(link) > 0).toSorted((a, b) => gainOf(b) - gainOf(a));
  const countOf = async (id: string) =>
    known.get(id) ?? (await caller.analytics.overview({ from, to, tz: window.tz, link_id: id })).clicks ?? 0;
  return Promise.all(
    grown.slice(0, mostRising).map(async (link) => ({ link, before: await countOf(link.id) })),
  );
}

/** What the checks of destinations know now: the number of links, and the first of them. */
async function readDead(
  caller: Caller,
  health: "broken" | "unreachable",
  { id: workspace, tag }: Subject,
): Promise<ReportLine[]> {
  const ofTag = tag === null ? {} : { tag: [tag] };
  const { data, meta } = await caller.links.list({ health, ...ofTag, limit: most });
  if (data.length === 0) return [];
  return [
    { name: null, count: meta.total, path: pathTo("/", { workspace, health, ...ofTag }) },
    ...data.map((link) => ({ name: nameOf(link), path: pathTo(`/links/${link.id}`, { workspace }) })),
  ];
}

/** None for people who may not see alerts. */
const readAlerts = (caller: Caller) =>
  caller.alerts.list().catch((error: unknown) => {
    if (error instanceof AppError && error.code === "FORBIDDEN") return [];
    throw error;
  });

/** A value as filters have it: a backslash tells a `!` of its own from one that excludes. */
const asFilter = (value: string): string => value.replace(/^(?=\\*!)/, "\\");

/** The address of a screen of the console; lists are written as its router writes them. */
const pathTo = (screen: string, search: Readonly<Record<string, string | string[]>>): string =>
  `${screen}?${Object.entries(search)
    .map(
      ([name, value]) =>
        `${name}=${encodeURIComponent(typeof value === "string" ? value : JSON.stringify(value))}`,
    )
    .join("&")}`;
